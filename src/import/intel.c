/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs for memory, caches and root ports of Intel. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>
#include <limits.h>

/* Memory Latency Checker --------------------------------------------------- */

/*
 * Output of Intel's Memory Latency Checker: memory and caches, without a link.
 * Its MB/sec are 10^6 bytes.
 */

/* Sections: the start of the first line, and the bench. */
static const struct word sections[] = {
    {"Measuring idle latencies", "mlc_idle_latency"},
    {"Measuring Peak Injection", "mlc_peak_injection"},
    {"Measuring Memory Bandwidths between", "mlc_bandwidth"},
    {"Measuring Maximum Memory Bandwidths", "mlc_max_bandwidth"},
    {"Measuring Loaded Latencies", "mlc_loaded_latency"},
    {"Measuring cache-to-cache", "mlc_cache_to_cache"},
    {"Remote Socket L2->L2 HITM latency (data address homed in writer",
     "mlc_cache_to_cache_writer"},
    {"Remote Socket L2->L2 HITM latency (data address homed in reader",
     "mlc_cache_to_cache_reader"},
};

static const struct text_column loaded_columns[] = {
    {"", "inject_delay", COUNT},
    {"", "mean_ns", "ns"},
    {"", "bandwidth_gbit_s", "MB/s"},
};

/* What a section says of its accesses; the rest of these lines is unknown. */
static const struct text_phrase accesses[] = {
    {"Measuring idle latencies", NULL, NULL},
    {"Measuring Loaded Latencies for the system", NULL, NULL},
    {"Measuring Memory Bandwidths between nodes within system", NULL, NULL},
    {"Measuring Peak Injection Memory Bandwidths for the system", NULL, NULL},
    {"Measuring Maximum Memory Bandwidths for the system", NULL, NULL},
    {"Measuring cache-to-cache transfer latency", NULL, NULL},
    {"for random access", "pattern", "random"},
    {"for sequential access", "pattern", "sequential"},
    {"(in ns)", NULL, NULL},
    {"...", NULL, NULL},
};

struct mlc {
	const char *bench; /* of the section; NULL: another one */
	bool used;         /* a matrix has taken it */
	char options[64];
};

static void
end_value(struct text *t, const char *value)
{
	const struct mlc *m = t->state;

	if (strstr(m->bench, "latency") || strstr(m->bench, "cache"))
		text_cell(t, "mean_ns", "ns", value);
	else
		text_cell(t, "bandwidth_gbit_s", "MB/s", value);
	text_end_row(t);
}

static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	const struct mlc *m = t->state;

	text_row(t, m->bench, "");
	text_set(t, "cpu_node", row);
	text_set(t, "node", column);
	end_value(t, value);
}

/*
 * "ALL Reads        :	158844.5", "All NT writes    :	", "Stream-triad like:",
 * "Local Socket L2->L2 HIT  latency	49.5".
 */
static bool
take_named(struct text *t)
{
	const struct mlc *m = t->state;
	char *name = NULL;
	double unused;

	for (size_t i = 0; i + 1 < t->nwords; i++) {
		if (!parse_number(t->word[i], &unused))
			text_die(t, "two values: '%s'", t->line);
	}
	for (size_t i = 0; i + 1 < t->nwords; i++) {
		size_t length = strlen(t->word[i]);

		length -= t->word[i][length - 1] == ':';
		if (length)
			xappend(&name, " ", "%.*s", (int)length, t->word[i]);
	}
	text_row(t, m->bench, "");
	text_set(t, "traffic", name ? name : "");
	free(name);
	end_value(t, t->word[t->nwords - 1]);
	return true;
}

/* "Each iteration took 209.1 base frequency clocks (	77.5	ns)" */
static bool
take_idle_latency(struct text *t)
{
	char value[24];
	int end = 0;

	if (!text_begins(t, "Each iteration took "))
		return false;
	if (sscanf(t->line, "Each iteration took %*s %*[^(](%23s ns)%n", value,
	           &end) != 1 ||
	    !end || t->line[end])
		text_die(t, "no time in ns: '%s'", t->line);
	text_row(t, "mlc_idle_latency", "");
	text_cell(t, "mean_ns", "ns", value);
	text_end_row(t);
	return true;
}

/* A section, and above it the options and traffic of single tests. */
static bool
take_section(struct text *t)
{
	struct mlc *m = t->state;
	const char *options = text_after(t, "Command line parameters:");
	const char *traffic = text_after(t, "Using ");
	const char *type = traffic ? strstr(traffic, " traffic type") : NULL;
	const struct word *section;

	if (text_begins(t, "Intel(R) Memory Latency Checker")) {
		text_modes_clear(t);
		*m->options = '\0';
		m->bench = NULL;
	}
	if (options) {
		snprintf(m->options, sizeof m->options, "%s", options);
		text_modes_clear(t);
		text_unknown(t, "%s", options);
		return true;
	}
	if (traffic && (strstr(traffic, "thread") || strstr(traffic, "buffer")))
		text_setting(t,
		             strstr(traffic, "buffer") ? "buffer" : "threads",
		             traffic);
	/* "Using Read-only traffic type", or another wording. */
	if (traffic && strstr(traffic, "traffic") &&
	    strncmp(traffic, "traffic with the following", 26) != 0) {
		char *name = xasprintf(
		    "%.*s", type ? (int)(type - traffic) : INT_MAX, traffic);

		text_mode(t, "traffic", name);
		free(name);
		return true;
	}
	section = find_beginning(t->line, sections, ARRAY_LEN(sections));
	if (!section)
		return take_idle_latency(t);
	m->bench = section->ours;
	/* The matrices of caches have headings of their own. */
	m->used = !strcmp(m->bench, "mlc_cache_to_cache");
	text_close(t);
	text_mode(t, "traffic", NULL);
	if (text_begins(t, "Measuring "))
		text_heading(t, t->line, NULL, accesses, ARRAY_LEN(accesses));
	text_unknown(t, "%s", m->options);
	return true;
}

static bool
mlc_take_line(struct text *t)
{
	struct mlc *m = t->state;
	bool loaded;

	if (take_section(t))
		return true;
	if (text_begins(t, "Measuring "))
		m->bench = NULL;
	if (!m->bench)
		return false;
	loaded = !strcmp(m->bench, "mlc_loaded_latency");
	if (text_begins(t, "=====") || text_begins(t, "Delay")) {
		if (loaded)
			text_open(t, loaded_columns, ARRAY_LEN(loaded_columns));
		else
			text_close(t);
		return true;
	}
	if (loaded) {
		if (!text_is_row(t))
			return false;
		text_row(t, m->bench, "");
		text_cells(t, 0, t->ncols);
		text_end_row(t);
		return true;
	}
	if (text_begins(t, "Local Socket L2"))
		return take_named(t);
	if (!strcmp(m->bench, "mlc_peak_injection") ||
	    !strcmp(m->bench, "mlc_max_bandwidth"))
		return strchr(t->line, ':') &&
		       (strstr(t->line, "Reads") || strstr(t->line, "NT ") ||
		        text_begins(t, "Stream-triad")) &&
		       take_named(t);
	if (text_begins(t, "Numa node") || text_begins(t, "Writer Numa Node") ||
	    text_begins(t, "Socket")) {
		size_t skip = text_begins(t, "Numa")     ? 2
		              : text_begins(t, "Writer") ? 3
		                                         : 1;

		if (t->nwords > skip && !isdigit((unsigned char)*t->word[skip]))
			return false;
		if (t->nwords <= skip)
			return true;
		if (m->used)
			text_die(t, "no line before it names the matrix");
		m->used = true;
		text_open_matrix(t, skip);
		return true;
	}
	return text_begins(t, "Memory node") || text_begins(t, "Reader") ||
	       text_matrix_row(t, take_cell);
}

const struct importer mlc_importer = {
    .name = "mlc",
    .help = "Intel's Memory Latency Checker",
    .words = (const char *const[]){"Memory Latency Checker", "Numa node ",
                                   "Measuring idle", "Measuring Loaded", NULL},
    .needs = "a section such as 'Measuring idle latencies' and its table",
    .take_line = mlc_take_line,
    .state_size = sizeof(struct mlc),
};

/* perf iostat -------------------------------------------------------------- */

/*
 * Output of `perf iostat`: bytes of root ports since the start, or with -I per
 * interval. Its MB are 2^20 bytes.
 */

/* Only -I has a time, in seconds since the start. */
static const struct text_column iostat_columns[] = {
    {"time", NULL, NUMBER},
    {"port", NULL, WORD},
    {"Inbound Read(MB)", "inbound-read", NUMBER},
    {"Inbound Write(MB)", "inbound-write", NUMBER},
    {"Outbound Read(MB)", "outbound-read", NUMBER},
    {"Outbound Write(MB)", "outbound-write", NUMBER},
};

struct iostat {
	double time, elapsed;
	bool titled; /* by the line above: a run may begin */
};

/* All ports of an interval have one time. */
static void
take_time(struct text *t, const char *word)
{
	struct iostat *s = t->state;
	double time = text_number(t, word);

	if (time < s->time && !s->titled)
		text_die(t, "'%s': earlier than the line above", word);
	if (time < s->time)
		s->time = 0;
	s->titled = false;
	if (time > s->time)
		s->elapsed = time - s->time;
	s->time = time;
}

static void
iostat_take_direction(struct text *t, const char *port, const char *direction,
                      const char *word)
{
	const struct iostat *s = t->state;
	struct result *r = &t->job->result;
	double bytes = 0x1p20 * text_number(t, word);

	text_row(t, "perf_iostat", port);
	text_set(t, "direction", direction);
	result_double(r, "transferred_bytes", bytes);
	if (s->elapsed > 0) {
		result_double(r, "elapsed_ns", 1e9 * s->elapsed);
		result_double(r, "bandwidth_gbit_s", 8e-9 * bytes / s->elapsed);
	}
	text_end_row(t);
}

static bool
iostat_take_line(struct text *t)
{
	const char *titles = t->line + strspn(t->line, "# ");
	size_t untimed = strncmp(titles, "time", 4) != 0, first;
	int end = 0;

	if (strstr(titles, "Inbound Read(MB)") &&
	    text_header(t, titles, iostat_columns + untimed,
	                ARRAY_LEN(iostat_columns) - untimed, 3)) {
		if (strcmp(t->col[1 - untimed]->title, "port") != 0)
			text_die(t, "not the titles of perf iostat");
		((struct iostat *)t->state)->titled = true;
		return true;
	}
	if (!text_is_row(t))
		return false;
	first = t->col[0] == iostat_columns ? 2 : 1;
	sscanf(t->word[first - 1], "%*x:%*x%n", &end);
	if (!end || t->word[first - 1][end])
		text_die(t, "'%s': not a port", t->word[first - 1]);
	if (first == 2)
		take_time(t, t->word[0]);
	for (size_t i = first; i < t->ncols; i++)
		iostat_take_direction(t, t->word[first - 1], t->col[i]->name,
		                      t->word[i]);
	return true;
}

const struct importer iostat_importer = {
    .name = "perf-iostat",
    .help = "perf iostat, its table",
    .words = (const char *const[]){"Inbound Read(MB)", "Inbound Read", NULL},
    .needs = "titles such as 'port Inbound Read(MB)' and a row",
    .take_line = iostat_take_line,
    .series = true,
    .state_size = sizeof(struct iostat),
};

/* pcm-iio ------------------------------------------------------------------ */

/*
 * CSV of Intel's pcm-iio: events per second of each part of a stack. The header
 * is repeated in each interval.
 */

/* Columns of the place, of which three name it; all others are events. */
static const char *const places[] = {"Socket",    "Name", "Part",
                                     "Root Port", "Date", "Time"};

/* Events in bytes; others are the user's own. */
static const struct word transfers[] = {
    {"IB write", "inbound-write"}, {"IB read", "inbound-read"},
    {"OB read", "outbound-read"},  {"OB write", "outbound-write"},
    {"CPU read", "outbound-read"}, {"CPU write", "outbound-write"},
};

#define TITLE_MAX 64

struct pcm_iio {
	char title[TEXT_WORDS][TITLE_MAX];
	size_t ncols; /* 0: no header was read */
	char device[256];
	uint64_t interval;
};

static bool
pcm_iio_take_header(struct text *t)
{
	struct pcm_iio *p = t->state;
	const char *const *words = (const char *const *)t->word;

	if (t->nwords == TEXT_WORDS ||
	    find_word("Socket", words, t->nwords) == t->nwords ||
	    find_word("Name", words, t->nwords) == t->nwords)
		return false;
	for (size_t i = 0; i < t->nwords; i++)
		snprintf(p->title[i], TITLE_MAX, "%s", t->word[i]);
	p->ncols = t->nwords;
	p->interval++;
	return true;
}

/* "IB write", and as an event of the user's own "IB write (bytes)". */
static const char *
direction_of(const char *title)
{
	const struct word *transfer =
	    find_beginning(title, transfers, ARRAY_LEN(transfers));
	const char *rest = transfer ? title + strlen(transfer->theirs) : "";

	rest += strspn(rest, " ");
	return transfer && (!*rest || !strcmp(rest, "(bytes)")) ? transfer->ours
	                                                        : NULL;
}

static void
pcm_iio_take_event(struct text *t, const char *title, const char *value)
{
	const char *direction = direction_of(title);

	if (direction) {
		text_set(t, "direction", direction);
		text_cell(t, "bandwidth_gbit_s", "B/s", value);
	} else {
		text_set(t, "event", title);
		text_cell(t, "events_per_s", NUMBER, value);
	}
	text_end_row(t);
}

static bool
pcm_iio_take_line(struct text *t)
{
	struct pcm_iio *p = t->state;
	const char *root_port = NULL;
	size_t length = 0;

	text_split_csv(t);
	if (pcm_iio_take_header(t))
		return true;
	if (!p->ncols || t->nwords < 2 ||
	    (!text_begins(t, "Socket") && !strstr(t->line, ",Socket")))
		return false;
	if (t->nwords != p->ncols)
		text_die(t, "%zu fields where the header has %zu", t->nwords,
		         p->ncols);
	/* "Socket0/IIO Stack 2 - PCIe1/Part0" */
	for (size_t i = 0; i < p->ncols; i++) {
		if (find_word(p->title[i], places, 3) < 3 &&
		    length < sizeof p->device)
			length += (size_t)snprintf(
			    p->device + length, sizeof p->device - length,
			    "%s%s", length ? "/" : "", t->word[i]);
		else if (!strcmp(p->title[i], "Root Port"))
			root_port = t->word[i];
	}
	for (size_t i = 0; i < p->ncols; i++) {
		if (find_word(p->title[i], places, ARRAY_LEN(places)) <
		    ARRAY_LEN(places))
			continue;
		text_row(t, "pcm_iio", p->device);
		if (root_port)
			text_set(t, "root_port", root_port);
		result_u64(&t->job->result, "seq", p->interval);
		pcm_iio_take_event(t, p->title[i], t->word[i]);
	}
	return true;
}

const struct importer pcm_iio_importer = {
    .name = "pcm-iio",
    .help = "pcm-iio of Intel's PCM, its csv",
    .words =
        (const char *const[]){"IIO Stack", "Intel(r) PCM", "IB write", NULL},
    .needs = "the header of -csv, 'Socket,Name,Part,...', and a row",
    .take_line = pcm_iio_take_line,
    .series = true,
    .state_size = sizeof(struct pcm_iio),
};
