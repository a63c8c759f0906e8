/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the transfers of a device and driver per packet, and computes them. */
#include "model/packet_profile.h"

#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/stream/columns.h"
#include "common/sys/datadir.h"

#include <ctype.h>

const char *const direction_names[] = {
    [DIRECTION_RX] = "rx",
    [DIRECTION_TX] = "tx",
    [DIRECTION_BOTH] = "both",
};

const char *const payload_names[] = {
    [PAYLOAD_FRAME] = "frame",
    [PAYLOAD_BLOCK] = "block",
};

/* Rows ------------------------------------------------------------------- */

/* Whether a cell is `yes`; it may also be `no`. */
static bool
is_word(const struct table *t, const char *name, const char *yes,
        const char *no)
{
	size_t col = need_column(t, name);
	const char *text = t->field[col];

	if (strcmp(text, yes) != 0 && strcmp(text, no) != 0)
		table_die(t, col, "'%s': not %s or %s", text, yes, no);
	return !strcmp(text, yes);
}

static uint64_t
number(const struct table *t, size_t col, const char *text, uint64_t most)
{
	uint64_t value = 0;
	const char *why = parse_integer(text, &value);

	if (!why && !value)
		why = "must be at least 1";
	if (why)
		table_refuse(t, col, why);
	if (value > most)
		table_die(t, col, "'%s': must be at most %ju", t->field[col],
		          (uintmax_t)most);
	return value;
}

/* Parses 64, "frame" or "frame+12", or the same with "block". */
static void
take_bytes(struct packet_profile *i, struct step *step, const struct table *t)
{
	size_t col = need_column(t, "bytes");
	const char *text = t->field[col];
	size_t length = strcspn(text, "+");

	for (enum payload p = PAYLOAD_FRAME; p <= PAYLOAD_BLOCK; p++) {
		const char *name = payload_names[p];

		if (length != strlen(name) || strncmp(text, name, length) != 0)
			continue;
		if (i->payload && i->payload != p)
			table_die(t, col, "'%s': earlier rows have %s", text,
			          payload_names[i->payload]);
		i->payload = p;
		step->moves = true;
		if (!text[length])
			return;
		text += length + 1;
		break;
	}
	if (isalpha((unsigned char)*text) && !step->moves)
		table_die(t, col,
		          "'%s': not a number, frame or frame+n, "
		          "block or block+n",
		          text);
	step->bytes = number(t, col, text, STEP_BYTES_MAX);
}

static void
take_every(struct packet_profile *i, struct step *step, const struct table *t)
{
	size_t col = need_column(t, "every");
	uint64_t before = i->batch ? i->batch : 1;

	step->every = number(t, col, t->field[col], BATCH_MAX);
	i->batch = before / gcd(before, step->every) * step->every;
	if (i->batch > BATCH_MAX)
		table_die(
		    t, col,
		    "'%s': the steps repeat after %ju packets, more than %ju",
		    t->field[col], (uintmax_t)i->batch, (uintmax_t)BATCH_MAX);
}

void
packet_profile_take(struct packet_profile *i, const struct table *t)
{
	struct step step = {0};

	step.direction =
	    is_word(t, "direction", "rx", "tx") ? DIRECTION_RX : DIRECTION_TX;
	step.by_host = is_word(t, "who", "host", "device");
	step.writes = is_word(t, "access", "write", "read");
	take_bytes(i, &step, t);
	take_every(i, &step, t);
	if (i->n == PACKET_PROFILE_STEPS_MAX)
		table_die(t, need_column(t, "direction"), "more than %d steps",
		          PACKET_PROFILE_STEPS_MAX);
	array_push(i->step, i->n, step);
	i->steps[step.direction] = true;
	i->moves[step.direction] |= step.moves;
}

const char *
packet_profile_check(const struct packet_profile *i)
{
	if (!i->n)
		return "no steps";
	if (!i->payload)
		return "no step moves a 'frame' or a 'block'";
	if (i->steps[DIRECTION_RX] && !i->moves[DIRECTION_RX])
		return "no step of rx moves a frame or block";
	if (i->steps[DIRECTION_TX] && !i->moves[DIRECTION_TX])
		return "no step of tx moves a frame or block";
	return NULL;
}

static char *
name_of(const char *file)
{
	char *name = xstrdup(basename(file));
	char *ending = strstr(name, ".csv");

	if (ending && !ending[4])
		*ending = '\0';
	return name;
}

void
packet_profile_read(struct packet_profile *i, const char *name)
{
	char *file = share_find("nic", name);
	struct table *t;
	const char *why;

	if (!file)
		die_usage("-M '%s': no such driver model%s (-M help lists "
		          "them)",
		          name, share_hint("nic", name));
	t = table_open(&file, 1);
	while (table_next(t))
		packet_profile_take(i, t);
	why = t->complete ? packet_profile_check(i) : "not a whole number";
	if (why)
		die("%s: %s", file, why);
	i->name = name_of(file);
	table_close(t);
	free(file);
}

enum direction
packet_profile_direction(const struct packet_profile *i)
{
	if (!i->steps[DIRECTION_TX])
		return DIRECTION_RX;
	return i->steps[DIRECTION_RX] ? DIRECTION_BOTH : DIRECTION_TX;
}

void
packet_profile_free(struct packet_profile *i)
{
	free(i->step);
	free(i->name);
	*i = (struct packet_profile){0};
}

/* Packets ---------------------------------------------------------------- */

/* A CPU combines its writes up to this, and reads at most this at once. */
#define LINE 64u

/* For a whole batch. */
static struct tlp_sum
sum_of(const struct packet_profile *i, const struct link_config *config,
       enum direction direction, uint64_t size)
{
	struct tlp_rules device = link_config_rules(config);
	struct tlp_rules host = link_config_host_rules(config);
	struct tlp_sum sum = {0};

	host.mps = host.mrrs = LINE;
	for (size_t k = 0; k < i->n; k++) {
		const struct step *step = &i->step[k];
		const struct tlp_rules *rules = step->by_host ? &host : &device;
		uint64_t bytes = step->bytes + (step->moves ? size : 0);
		struct tlp_sum one = {0};

		if (direction != DIRECTION_BOTH && direction != step->direction)
			continue;
		tlp_add(&one, rules, step->writes ? TLP_MWR : TLP_MRD, 0,
		        bytes);
		(step->by_host ? tlp_add_host : tlp_add_times)(
		    &sum, &one, i->batch / step->every);
	}
	return sum;
}

struct packets
expect_packets(const struct packet_profile *i, const struct link_config *config,
               enum direction direction, uint64_t size)
{
	double batch = (double)i->batch;
	struct tlp_sum sum = sum_of(i, config, direction, size);
	struct pace pace = saturate(config, &sum);

	return (struct packets){
	    .tx_bytes = (double)sum.tx_bytes / batch,
	    .rx_bytes = (double)sum.rx_bytes / batch,
	    .per_ns = batch * pace.per_ns,
	    .gbit_s = 8 * (double)size * batch * pace.per_ns,
	    .limited_by = pace.limited_by,
	};
}
