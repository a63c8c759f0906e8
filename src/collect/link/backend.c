/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches links: a row for each change that a poll finds at one of their ends.
 * Only reads, and no config space of a function that sleeps.
 */
#include "collect/core/backend.h"
#include "collect/host/child.h"
#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "common/machine/machine.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_INTERVAL_NS 100000000

/* The value of a quantity before it was seen. */
#define UNSEEN UINT64_MAX

/* Series for counts that the kernel names later; more have no rows. */
#define SPARE 250

struct quantity {
	char *name;
	uint64_t value, old;   /* `old` is the one before `value` */
	bool quiet;            /* 0 is no news when it is seen first */
	struct series *series; /* NULL: no rows, or not yet */
};

/* A function at the upper or the lower end of its link. */
struct link_end {
	struct link_state *links;
	char bdf[BDF_MAX];
	char *directory; /* in sysfs */
	ino_t inode;     /* of that: another one is another device's */
	char *cooling;   /* that of its cooling device; or NULL */
	size_t parent;   /* index of the end above; itself: none */
	bool upper;
	struct pci_dev *device; /* for libpci; NULL: not read yet */
	bool awake;             /* at the last read, with all ends above it */
	bool registers;         /* they could be read */
	bool removed;           /* from sysfs, at the last read */
	bool has_status;        /* power/runtime_status was there */
	struct quantity *quantity;
	size_t n;
	uint64_t time;  /* of the poll */
	bool totals[3]; /* a file of counts had its last line */
	uint64_t changes, errors;
	size_t last; /* what changed last, and when */
	uint64_t last_time;
};

struct link_state {
	struct link_end *end; /* each follows the one above it */
	size_t n;
	const char *kind;
	struct series *spare, *spare_end;
	struct child child;
	int status;            /* of the first command that failed; or 0 */
	uint64_t begin, start; /* of all runs, and of this one */
	uint64_t next;         /* poll */
	bool running;          /* the first rows are written */
	uint64_t drawn;        /* when the table was; 0: it was not */
	size_t lines;          /* of that, above the cursor */
	struct terminal_size size;
	uint64_t polls, busy_ns;
	uintmax_t changes, errors; /* of all ends and runs */
};

enum { PRESENT, ASLEEP, D_STATE, GEN, LANES, ASPM, COOLING, COOLING_MAX };

/* `upper`: only there it means something. */
static const struct {
	const char *name;
	enum pci_register from;
	uint32_t mask; /* 0: not from a register */
	bool upper, quiet;
} fields[] = {
    [PRESENT] = {"present", 0, 0, false, false},
    [ASLEEP] = {"asleep", 0, 0, false, true},
    [D_STATE] = {"d_state", 0, 0, false, false},
    [GEN] = {"gen", REG_LNKSTA, 0x000f, false, false},
    [LANES] = {"lanes", REG_LNKSTA, 0x03f0, false, false},
    [ASPM] = {"aspm", REG_LNKCTL, 0x0003, false, false},
    [COOLING] = {"cooling", 0, 0, true, false},
    [COOLING_MAX] = {"cooling_max", 0, 0, true, false},
    {"active", REG_LNKSTA, PCI_EXP_LNKSTA_DL_ACT, true, false},
    {"training", REG_LNKSTA, PCI_EXP_LNKSTA_TRAIN, true, false},
    {"bw_managed", REG_LNKSTA, PCI_EXP_LNKSTA_BWMGMT, true, true},
    {"bw_autonomous", REG_LNKSTA, PCI_EXP_LNKSTA_AUTBW, true, true},
    {"disabled", REG_LNKCTL, PCI_EXP_LNKCTL_DISABLE, true, true},
    {"clock_pm", REG_LNKCTL, PCI_EXP_LNKCTL_CLOCK, false, true},
    {"target_gen", REG_LNKCTL2, 0x000f, true, false},
    {"l1_substates", REG_L1SSCTL1, 0x000f, false, false},
    {"cor_status", REG_CESTA, 0xffffffff, false, true},
    {"uncor_status", REG_UESTA, 0xffffffff, false, true},
    {"dpc_trigger", REG_DPCSTA, PCI_DPC_STS_TRIGGER, true, false},
    {"dpc_reason", REG_DPCSTA, 0x0006, true, false},
    {"dpc_reason_ext", REG_DPCSTA, 0x0060, true, false},
    {"dpc_source", REG_DPCSRC, 0xffff, true, false},
};

/* The kernel's counts: its files, and what comes before a name in them. */
static const char *const counts[][2] = {{"aer_dev_correctable", "cor"},
                                        {"aer_dev_nonfatal", "nonfatal"},
                                        {"aer_dev_fatal", "fatal"}};

/*
 * Adds the functions in a path of sysfs, which has the bridges above a device.
 * A bridge on a root bus is the upper end of a link, and below it they
 * alternate. What is no bridge and below no upper end has no link: it is on a
 * root bus, perhaps a VMD with one of its own, or on a conventional bus.
 */
static bool
add_path(struct link_state *ends, char *path)
{
	static const char *const bridges[] = {"0x060400", "0x060401"};
	size_t parent = ends->n, i;
	bool any = false, upper = false;

	for (char *name; (name = strsep(&path, "/"));) {
		struct link_end end = {.links = ends};

		if (!parse_bdf(name, end.bdf) || strlen(name) < 12)
			continue;
		for (i = 0; i < ends->n; i++) {
			if (!strcmp(ends->end[i].bdf, end.bdf))
				break;
		}
		if (i == ends->n) {
			end.directory =
			    xasprintf("%s/devices/%s",
			              root_path("/sys/bus/pci"), end.bdf);
			end.upper = !upper && read_word(end.directory, "class",
			                                bridges, 2) < 2;
			end.parent = any ? parent : i;
			if (!upper && !end.upper) {
				free(end.directory);
				continue;
			}
			array_push(ends->end, ends->n, end);
		}
		any = true;
		parent = i;
		upper = ends->end[i].upper;
	}
	return any;
}

/* Adds the links to the functions that machine_match finds, or to all. */
static bool
add_device(struct link_state *state, struct pci_tree *tree, const char *device)
{
	struct pci_matches found = {0};
	bool all = !strcmp(device, "all"), any = false;

	if (!all)
		machine_match(tree, device, &found);
	for (size_t i = 0; i < (all ? tree->n : found.n); i++) {
		const struct pci_function *f =
		    all ? &tree->function[i] : found.item[i];
		char *path = realpath(f->path, NULL);

		any |= path && add_path(state, path);
		free(path);
	}
	free(found.item);
	return any;
}

/* Makes it a row, unless it is no news; a poll has two of it at most. */
static void
put(struct link_end *end, size_t at)
{
	const struct quantity *q = &end->quantity[at];
	struct series *series = q->series;
	uint64_t *raw;

	if (!series || q->value == UNSEEN || series->n == 2 ||
	    (q->old == UNSEEN && !q->value && q->quiet))
		return;
	raw = series->raw + 3 * series->n++;
	raw[0] = end->time;
	raw[1] = q->old;
	raw[2] = q->value;
}

static void
set(struct link_end *end, size_t at, uint64_t value)
{
	struct quantity *q = &end->quantity[at];
	bool first = q->value == UNSEEN;

	if (q->value == value || value == UNSEEN)
		return;
	q->old = q->value;
	q->value = value;
	put(end, at);
	if (!first) {
		end->changes++;
		end->last = at;
		end->last_time = end->links->start + end->time;
	}
	if (at >= ARRAY_LEN(fields) && !first)
		end->errors += value > q->old ? value - q->old : value;
}

/* What an ordinary user may see of the link; the kernel reads config space. */
static void
read_attributes(struct link_end *end)
{
	static const double speeds[] = {2.5, 5, 8, 16, 32, 64, 128};
	static const char *const on[] = {"0", "1"};
	char *speed = read_first_line("%s/current_link_speed", end->directory);
	uint64_t lanes =
	    read_number(UNSEEN, "%s/current_link_width", end->directory);
	size_t l0s = read_word(end->directory, "link/l0s_aspm", on, 2);
	size_t l1 = read_word(end->directory, "link/l1_aspm", on, 2);

	for (size_t i = 0; speed && i < ARRAY_LEN(speeds); i++) {
		if (strtod(speed, NULL) == speeds[i])
			set(end, GEN, i + 1);
	}
	/* Registers that read all zeros or ones. */
	if (speed && !strncmp(speed, "Unknown", 7) && (!lanes || lanes == 63)) {
		lanes = 0;
		set(end, GEN, 0);
	}
	set(end, LANES, lanes);
	free(speed);
	if (l1 < 2)
		set(end, ASPM, 2 * l1 + (l0s == 1));
}

/* What libpci says of a device that was removed. */
static void PRINTF_LIKE(1, 2) ignore(char *fmt, ...)
{
	(void)fmt;
}

static struct pci_dev *
device_of(const char *bdf)
{
	static char parameter[] = "sysfs.path";
	static struct pci_access *pci;
	struct bdf_numbers at = bdf_split(bdf);

	if (!pci) {
		pci = pci_alloc();
		pci->method = PCI_ACCESS_SYS_BUS_PCI;
		pci_set_param(pci, parameter,
		              (char *)root_path("/sys/bus/pci"));
		pci->warning = ignore;
		pci_init(pci);
	}
	return pci_get_dev(pci, (int)at.domain, (int)at.bus, (int)at.device,
	                   (int)at.function);
}

/* It may be another one when it answers again. */
static void
forget_device(struct link_end *end)
{
	if (end->device)
		pci_free_dev(end->device);
	end->device = NULL;
}

/* False if only root can read them. */
static bool
read_registers(struct link_end *end)
{
	struct pci_registers r;
	uint8_t byte, command[4];
	bool readable;

	if (!end->device)
		end->device = device_of(end->bdf);
	/* Not the IDs: those of virtual functions read all ones, too. */
	readable = pci_read_block(end->device, PCI_COMMAND, command, 4);
	set(end, PRESENT,
	    !readable || memcmp(command, "\xff\xff\xff\xff", 4) != 0);
	end->registers = pci_read_block(end->device, 0x40, &byte, 1);
	if (!end->quantity[PRESENT].value) {
		forget_device(end);
		return true;
	}
	if (!end->registers)
		return false;
	registers_read(end->device, &r);
	/* Reason and source mean something after a trigger only. */
	if (!(r.value[REG_DPCSTA] & PCI_DPC_STS_TRIGGER)) {
		r.seen[REG_DPCSTA] &= PCI_DPC_STS_TRIGGER;
		r.seen[REG_DPCSRC] = 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		uint32_t mask = fields[i].mask;

		if ((r.seen[fields[i].from] & mask) &&
		    (end->upper || !fields[i].upper))
			set(end, i, register_field(&r, fields[i].from, mask));
	}
	return true;
}

static void
take_series(const struct link_end *end, struct quantity *q)
{
	struct link_state *links = end->links;
	const struct link_end *above = links->end + end->parent;
	struct series *series = links->spare;

	if (series == links->spare_end)
		return;
	links->spare++;
	q->series = series;
	series_identify(series, links->kind, end->bdf, "");
	series_set(series, ID_PARENT, "%s", above == end ? "" : above->bdf);
	series_set(series, ID_END, "%s", end->upper ? "upper" : "lower");
	series_set(series, ID_WHAT, "%s", q->name);
}

static void
add_quantity(struct link_end *end, char *name, uint64_t value, bool quiet)
{
	struct quantity q = {
	    .name = name, .value = value, .old = UNSEEN, .quiet = quiet};

	take_series(end, &q);
	array_push(end->quantity, end->n, q);
}

/* Takes the name. Searches from `from` on, as the lines of a file do. */
static size_t
find_count(struct link_end *end, size_t from, char *name)
{
	size_t first = ARRAY_LEN(fields), n = end->n - first;

	for (size_t i = 0; i < n; i++) {
		size_t at = first + (from - first + i) % n;

		if (!strcmp(end->quantity[at].name, name)) {
			free(name);
			return at;
		}
	}
	/* Some errors have a line only after they were counted. */
	add_quantity(end, name, end->links->polls ? 0 : UNSEEN, true);
	return end->n - 1;
}

static void
read_counts(struct link_end *end)
{
	size_t at = ARRAY_LEN(fields);
	uint64_t value;
	char *name;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		char *text = read_whole("%s/%s", end->directory, counts[i][0]);
		char *rest = text;
		bool total = text && strstr(text, "TOTAL_");

		if (end->totals[i] && !total)
			rest = NULL; /* it is cut off */
		end->totals[i] |= total;
		while (aer_next(&rest, &name, &value)) {
			at = find_count(end, at,
			                xasprintf("%s.%s", counts[i][1], name));
			set(end, at++, value);
		}
		free(text);
	}
}

/* Since Linux 6.13 a port is a cooling device, whose number may change. */
static bool
find_cooling(struct link_end *end)
{
	char *text = xasprintf("PCIe_Port_Link_Speed_%s", end->bdf);
	const char *const type[] = {text};
	glob_t found = {0};
	bool is_it = end->cooling && !read_word(end->cooling, "type", type, 1);

	if (!is_it)
		find_files(&found, "%s/cooling_device*",
		           root_path("/sys/class/thermal"));
	for (size_t i = 0; i < found.gl_pathc && !is_it; i++) {
		is_it = !read_word(found.gl_pathv[i], "type", type, 1);
		if (is_it)
			text_set(&end->cooling, "%s", found.gl_pathv[i]);
	}
	globfree(&found);
	free(text);
	return is_it;
}

static void
end_read(struct link_end *end, const struct link_end *parent)
{
	char *status = xasprintf("%s/power/runtime_status", end->directory);
	struct stat now;
	bool gone = stat(end->directory, &now) != 0;
	bool other = !gone && end->inode != now.st_ino;
	size_t state;
	bool sleeps = pci_sleeps(end->directory, &state);
	bool has_status = !access(status, F_OK);

	end->awake = false;
	/* The kernel removes it first, and then knows no state. */
	end->has_status = has_status || (end->has_status && !other);
	gone |= end->has_status && !has_status;
	free(status);
	if (gone || (other && !end->removed)) {
		set(end, PRESENT, 0);
		end->removed = true;
		forget_device(end);
		/* The kernel counts from 0 if it is added again. */
		for (size_t i = ARRAY_LEN(fields); i < end->n; i++)
			end->quantity[i].value = 0;
	}
	if (gone)
		return;
	end->inode = now.st_ino;
	end->awake = !sleeps && (parent == end || parent->awake);
	set(end, ASLEEP, !end->awake);
	if (state <= D3COLD)
		set(end, D_STATE, state);
	read_counts(end);
	if (end->upper && (end->cooling || end->removed) && find_cooling(end)) {
		set(end, COOLING,
		    read_number(UNSEEN, "%s/cur_state", end->cooling));
		set(end, COOLING_MAX,
		    read_number(UNSEEN, "%s/max_state", end->cooling));
	}
	if (end->awake && !read_registers(end))
		read_attributes(end);
	/* One that did not answer before it fell asleep may still be dead. */
	if (!end->awake && end->removed)
		set(end, PRESENT, 1);
	end->removed = false;
}

static void
poll_ends(struct link_state *state)
{
	uint64_t begin = now_ns();

	state->changes = state->errors = 0;
	for (size_t i = 0; i < state->n; i++) {
		state->end[i].time = begin - state->start;
		end_read(&state->end[i], &state->end[state->end[i].parent]);
		state->changes += state->end[i].changes;
		state->errors += state->end[i].errors;
	}
	state->polls++;
	state->busy_ns += now_ns() - begin;
}

/* Says of which ends something cannot be seen. */
static void
describe_unseen(struct preamble *pre, const struct link_state *ends)
{
	static const char key[] = "not_seen";
	uint8_t byte;

	for (size_t i = 0; i < ends->n; i++) {
		const struct link_end *end = &ends->end[i];
		const char *why = NULL;

		if (!end->awake)
			why = "it sleeps";
		else if (!end->registers)
			why = "only root with CAP_SYS_ADMIN can";
		else if (end->device &&
		         !pci_read_block(end->device, 0x100, &byte, 1))
			why = "extended config space: AER, DPC, L1SS";
		if (why)
			preamble_note(pre, key, why, end->bdf);
		if (end->n == ARRAY_LEN(fields))
			preamble_note(pre, key, "no AER counts", end->bdf);
	}
}

/* It is measured without -d, too. */
static void
probe(const struct request *request, struct findings *list)
{
	(void)request;
	(void)list;
}

static bool
open_link(struct session *s)
{
	struct link_state *state = xcalloc(1, sizeof *state);
	const char *list = s->request->device ? s->request->device : "all";
	struct pci_tree *tree = pci_tree_read_awake(root_path("/sys/bus/pci"));
	char **device = list_split(list);

	s->state = state;
	if (!tree)
		fail(s, STATUS_ABSENT, "%s/devices: %s",
		     root_path("/sys/bus/pci"), strerror(errno));
	for (size_t i = 0; tree && device[i] && !s->failure.text; i++) {
		if (!add_device(state, tree, device[i]))
			fail(s, STATUS_ABSENT,
			     strcmp(device[i], "all") != 0
			         ? "-d %s: no such device, or no link leads "
			           "there"
			         : "%s: this machine shows no link of PCI "
			           "Express",
			     device[i]);
	}
	free(device);
	pci_tree_free(tree);
	if (s->failure.text)
		return false;
	state->kind = host_kind(root_path("/sys"));
	host_describe(s->preamble);
	for (size_t i = 0; i < state->n; i++) {
		state->end[i].removed = true; /* so far */
		for (size_t k = 0; k < ARRAY_LEN(fields); k++)
			add_quantity(&state->end[i], xstrdup(fields[k].name),
			             UNSEEN, fields[k].quiet);
	}
	poll_ends(state);
	describe_unseen(s->preamble, state);
	return true;
}

static bool
prepare(struct session *s, const struct point *point)
{
	struct link_state *state = s->state;
	struct quantity blank = {.name = ""};
	size_t n = SPARE;

	(void)point;
	child_stop(&state->child);
	state->running = false;
	s->more = true;
	for (size_t i = 0; i < state->n; i++)
		n += state->end[i].n;
	series_make(s, n);
	state->spare = s->series;
	state->spare_end = s->series + n;
	for (size_t i = 0; i < state->n; i++) {
		struct link_end *end = &state->end[i];

		for (size_t k = 0; k < end->n; k++)
			take_series(end, &end->quantity[k]);
	}
	/* What is the same in all series is no column. */
	for (size_t i = 0; i < SPARE; i++)
		take_series(state->end, &blank);
	state->spare -= SPARE;
	return true;
}

/* The table on a terminal -------------------------------------------------- */

static volatile sig_atomic_t continued;

static void
on_continue(int number)
{
	continued = number;
}

/* Of a terminal so wide. */
#define TABLE_LINE "\r\033[K%.*s\n"

static void
print_end(const struct link_end *end, int width, uint64_t now)
{
	const struct quantity *q = end->quantity, *last = &q[end->last];
	uintmax_t power = q[D_STATE].value;
	char speed[48] = "-", errors[24] = "-", change[128] = "", line[256];
	char d_state[] = "D?";

	if (end->awake && q[GEN].value != UNSEEN)
		snprintf(speed, sizeof speed,
		         q[LANES].value == UNSEEN ? "gen%ju" : "gen%jux%ju",
		         (uintmax_t)q[GEN].value, (uintmax_t)q[LANES].value);
	d_state[1] = "01233?"[power <= D3COLD ? power : D3COLD + 1];
	if (end->n > ARRAY_LEN(fields))
		snprintf(errors, sizeof errors, "%ju", (uintmax_t)end->errors);
	if (end->changes)
		snprintf(change, sizeof change, "%.0f s ago: %s %ju > %ju",
		         (double)(now - end->last_time) / 1e9, last->name,
		         (uintmax_t)last->old, (uintmax_t)last->value);
	snprintf(line, sizeof line, "%-12s %-7s %-6s %6s %s", end->bdf, speed,
	         !q[PRESENT].value                  ? "gone"
	         : !end->awake && d_state[1] != '3' ? "asleep"
	                                            : d_state,
	         errors, change);
	printf(TABLE_LINE, width, line);
}

/* Draws over the last one; if there is no room, first what changed. */
static void
draw_table(struct link_state *state)
{
	const struct terminal_size size = terminal_size();
	size_t n = state->n, room, shown = 0;
	char line[256];
	int width;

	/* The last one may have moved. */
	if (continued ||
	    (size.columns && memcmp(&size, &state->size, sizeof size) != 0))
		state->lines = 0;
	continued = 0;
	signal(SIGCONT, on_continue);
	/* After a signal, stdout is no terminal. */
	if (size.columns)
		state->size = size;
	width = state->size.columns ? (int)state->size.columns : 80;
	room = state->size.lines > 3 ? state->size.lines - 3 : 1;
	if (!state->size.lines)
		room = n;
	if (state->lines)
		printf("\033[%zuA", state->lines);
	state->drawn = now_ns();
	printf(TABLE_LINE, width,
	       "device       link    state  errors last change");
	for (size_t i = 0; i < 2 * n; i++) {
		const struct link_end *end = &state->end[i < n ? i : i - n];
		bool first = n <= room || end->changes;

		if (shown < room && first == (i < n)) {
			print_end(end, width, state->drawn);
			shown++;
		}
	}
	state->lines = shown + 2;
	snprintf(line, sizeof line,
	         "%zu of %zu ends, %.0f s: %ju changes, %ju errors (%s%s)",
	         shown, n, (double)(state->drawn - state->begin) / 1e9,
	         state->changes, state->errors, state->kind,
	         geteuid() ? "; only root sees all" : "");
	printf(TABLE_LINE "\033[J", width, line);
	if (fflush(stdout))
		check_stdout();
}

/* The first call gives what open has seen; each other one is a poll. */
static bool
run(struct session *s, uint64_t want)
{
	struct link_state *state = s->state;
	struct pollfd out = {.fd = STDOUT_FILENO};
	uint64_t interval = s->request->interval / 1000, now;

	interval = interval ? interval : DEFAULT_INTERVAL_NS;

	(void)want;
	if (!s->more)
		return true;
	/* A command that writes to the terminal would be drawn over. */
	if (state->running && s->request->live &&
	    now_ns() - state->drawn >= 1000000000 &&
	    !(s->request->command && isatty(STDERR_FILENO)))
		draw_table(state);
	if (!state->running) {
		state->running = true;
		state->start = state->next = now_ns();
		if (!state->begin)
			state->begin = state->start;
		for (size_t i = 0; i < state->n; i++) {
			struct link_end *end = &state->end[i];

			end->time = 0;
			for (size_t k = 0; k < end->n; k++) {
				end->quantity[k].old = UNSEEN;
				put(end, k);
			}
		}
		if (s->request->command &&
		    !child_start(&state->child, s->request->command))
			return fail(s, STATUS_TROUBLE, "command '%s': %s",
			            *s->request->command, strerror(errno));
		return true;
	}
	state->next += interval;
	child_wait(&state->child, state->next, s->interrupted);
	/* Without news it writes nothing that would say so. */
	if (poll(&out, 1, 0) > 0 && (out.revents & POLLERR))
		end_by_signal(SIGPIPE);
	now = now_ns();
	if (now > state->next + interval)
		state->next = now;
	poll_ends(state);
	s->more = !state->child.ended;
	if (!state->status)
		state->status = state->child.status;
	return true;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct link_state *state = s->state;

	for (size_t i = 0; i < state->n; i++) {
		const struct link_end *e = &state->end[i];

		if (e->changes)
			preamble_set(end, e->bdf, "%ju,%ju",
			             (uintmax_t)e->changes,
			             (uintmax_t)e->errors);
	}
	preamble_set(end, "changes", "%ju", state->changes);
	preamble_set(end, "errors", "%ju", state->errors);
	preamble_set(end, "polls", "%ju", (uintmax_t)state->polls);
	preamble_set(end, "poll_ns", "%ju",
	             (uintmax_t)(state->busy_ns / state->polls));
	preamble_set(end, "watched_ns", "%ju",
	             (uintmax_t)(state->begin ? now_ns() - state->begin : 0));
	if (state->child.ended)
		preamble_set(end, "command_status", "%d", state->status);
}

static void
close_link(struct session *s)
{
	struct link_state *state = s->state;

	if (!state)
		return;
	child_stop(&state->child);
	if (s->request->live && state->running)
		draw_table(state);
	if (s->request->live && state->status && !*s->interrupted)
		warn("%s: ended with status %d", *s->request->command,
		     state->status);
	for (size_t i = 0; i < state->n; i++) {
		struct link_end *end = &state->end[i];

		for (size_t k = 0; k < end->n; k++)
			free(end->quantity[k].name);
		free(end->quantity);
		free(end->directory);
		free(end->cooling);
		forget_device(end);
	}
	free(state->end);
	free(state);
	s->state = NULL;
}

const struct backend link_backend = {
    .name = "link",
    .help = "speed, state and errors of links, from sysfs and registers",
    .benches = BENCH_BIT(LINK),
    .flags = BACKEND_ANY_CPU,
    .probe = probe,
    .open = open_link,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_link,
};
