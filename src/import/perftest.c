/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of perftest (ib_read_lat, ib_write_bw and so on), text and JSON:
 * messages between the memories of two machines.
 */
#include "import/text.h"

#include "common/base/util.h"

#include <ctype.h>
#include <math.h>

/* With MB it means MiB. Columns of single ports are in the sum before them. */
static const struct text_column columns[] = {
    {"#bytes", "size_bytes", COUNT},
    {"#iterations", "n", COUNT},
    {"#sl", "service_level", COUNT},
    {"t_min[usec]", "min_ns", "us"},
    {"t_max[usec]", "max_ns", "us"},
    {"t_typical[usec]", "median_ns", "us"},
    {"t_avg[usec]", "mean_ns", "us"},
    {"t_stdev[usec]", "stddev_ns", "us"},
    {"99% percentile[usec]", "p99_ns", "us"},
    {"99.9% percentile[usec]", "p99_9_ns", "us"},
    {"tps average", NULL, NUMBER},
    {"BW peak[MB/sec]", NULL, NUMBER},
    {"BW peak[MiB/sec]", NULL, NUMBER},
    {"BW peak[Gb/sec]", NULL, NUMBER},
    {"BW average[MB/sec]", "bandwidth_gbit_s", "MiB/s"},
    {"BW average[MiB/sec]", "bandwidth_gbit_s", "MiB/s"},
    {"BW average[Gb/sec]", "bandwidth_gbit_s", "Gb/s"},
    {"BW min[MB/sec]", NULL, NUMBER},
    {"BW min[MiB/sec]", NULL, NUMBER},
    {"BW min[Gb/sec]", NULL, NUMBER},
    {"MsgRate[Mpps]", NULL, NUMBER},
    {"BW Port1[MB/sec]", NULL, NUMBER},
    {"BW Port1[Gb/sec]", NULL, NUMBER},
    {"MsgRate Port1[Mpps]", NULL, NUMBER},
    {"BW Port2[MB/sec]", NULL, NUMBER},
    {"BW Port2[Gb/sec]", NULL, NUMBER},
    {"MsgRate Port2[Mpps]", NULL, NUMBER},
    {"CPU_Util[%]", "cpu_pct", NUMBER},
};

/* Members of results in JSON. */
static const struct text_column members[] = {
    {"MsgSize", "size_bytes", COUNT},
    {"n_iterations", "n", COUNT},
    {"t_min", "min_ns", "us"},
    {"t_max", "max_ns", "us"},
    {"t_typical", "median_ns", "us"},
    {"t_avg", "mean_ns", "us"},
    {"t_stdev", "stddev_ns", "us"},
    {"percentile_99", "p99_ns", "us"},
    {"percentile_99.9", "p99_9_ns", "us"},
    {"CPU_util", "cpu_pct", NUMBER},
};

/*
 * Settings in the head of a test; in JSON, '_' is for blanks and signs. One
 * without a column is usually the same in all tests.
 */
static const struct word settings[] = {
    {"Number of qps", "qps"},
    {"Connection type", "connection"},
    {"Mtu", "mtu"},
    {"PCIe relax order", "relaxed_ordering"},
    {"TX depth", "queue_depth"},
    {"Device", NULL},
    {"Transport type", NULL},
    {"Link type", NULL},
    {"CPU freq", NULL},
    {"GID", NULL},
    {"GID index", NULL},
    {"Data ex. method", NULL},
    {"ibv_wr* API", NULL},
    {"rdma_cm QPs", NULL},
    {"CQ Moderation", NULL},
    {"CQE Poll Batch", NULL},
    {"Max inline data", NULL},
    {"RX depth", NULL},
    {"Outstand reads", NULL},
};

struct perftest {
	bool in_head; /* of a test, which has settings */
	char bench[40];
	char device[64];
	const char *side; /* with --report-both: "local" or "remote" */
	bool sided;       /* by a line above the next table */
	size_t tables;    /* of this test */
	bool of_gpu;      /* the memory of the next test */
};

static const struct word verbs[] = {
    {"Send", "ib_send"},        {"RDMA_Write_IMM", "ib_write_imm"},
    {"RDMA_Write", "ib_write"}, {"RDMA_Read", "ib_read"},
    {"Atomic", "ib_atomic"},    {"ATOMIC", "ib_atomic"},
};

/* "RDMA_Read Latency Test", "Send_Bidirectional_BW_Test" in JSON. */
static bool
set_bench(struct text *t, const char *title)
{
	struct perftest *p = t->state;
	const struct word *verb =
	    find_beginning(title, verbs, ARRAY_LEN(verbs));
	bool latency = strstr(title, "Latency"),
	     bandwidth = strstr(title, "BW");

	if (!verb || latency == bandwidth || !strstr(title, "Test"))
		return false;
	snprintf(p->bench, sizeof p->bench, "%s_%s%s", verb->ours,
	         latency ? "lat" : "bw",
	         strstr(title, "Bidirectional") ? "_bidir" : "");
	text_close(t);
	text_modes_clear(t);
	text_mode(t, "memory", p->of_gpu ? "gpu" : NULL);
	p->in_head = true;
	p->of_gpu = p->sided = false;
	p->side = NULL;
	p->tables = 0;
	return true;
}

/* Whether two names of a setting have the same letters and digits. */
static bool
is_setting(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

/* A value such as "4096[B]" or "OFF", which means that it is not used. */
static void
take_setting(struct text *t, const char *key, char *value)
{
	value[strcspn(value, "[")] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		if (!is_setting(settings[i].theirs, key))
			continue;
		if (settings[i].ours)
			text_mode(t, settings[i].ours, value);
		else
			text_setting(t, key, value);
		return;
	}
	if (strcmp(value, "OFF") != 0)
		text_unknown(t, "%s=%s", key, value);
}

/* " Number of qps   : 4		Transport type : IB": pairs, and nothing
 * else. */
static bool
take_settings(struct text *t)
{
	struct perftest *p = t->state;
	char *copy, *key[4], *value[4], *at, *colon;
	size_t n = 0;

	p->in_head = p->in_head && !text_begins(t, "local address") &&
	             !text_begins(t, "#bytes");
	if (!p->in_head)
		return false;
	copy = at = xstrdup(t->line);
	while (n < ARRAY_LEN(key) && isalpha((unsigned char)*at) &&
	       (colon = strchr(at, ':'))) {
		size_t length;

		key[n] = at;
		value[n] = colon + 1 + strspn(colon + 1, " \t");
		length = strcspn(value[n], " \t");
		at = value[n] + length + strspn(value[n] + length, " \t");
		value[n][length] = '\0';
		while (colon > key[n] && strchr(" \t", colon[-1]))
			colon--;
		*colon = '\0';
		n++;
	}
	for (size_t i = 0; i < n && !*at; i++)
		take_setting(t, key[i], value[i]);
	n = *at ? 0 : n;
	free(copy);
	return n;
}

static void
begin_row(struct text *t)
{
	const struct perftest *p = t->state;

	text_row(t, *p->bench ? p->bench : "perftest", p->device);
	if (p->side)
		text_set(t, "side", p->side);
}

/* A test has one table, unless a line above the next one says its side. */
static void
take_table(struct text *t)
{
	struct perftest *p = t->state;

	if (*p->bench && p->tables && !p->sided)
		text_unknown(t, "table=%zu", p->tables + 1);
	if (!p->sided)
		p->side = NULL;
	p->sided = false;
}

static bool
take_line(struct text *t)
{
	struct perftest *p = t->state;
	const char *device = strstr(t->line, "Device ");

	if (set_bench(t, t->line))
		return true;
	/* "allocated GPU buffer of a 131072 address at", or another wording. */
	p->of_gpu |=
	    text_begins(t, "allocated ") && strstr(t->line, "GPU buffer");
	if (device)
		sscanf(device, "Device : %63s", p->device);
	if (text_begins(t, "Local results:") ||
	    text_begins(t, "Remote results:")) {
		p->side = *t->line == 'L' ? "local" : "remote";
		p->sided = true;
		return true;
	}
	if (take_settings(t))
		return true;
	if (text_header(t, t->line, columns, ARRAY_LEN(columns), 2)) {
		take_table(t);
		return true;
	}
	/* A server without results of its own prints titles and no row. */
	if (!text_is_row(t))
		return false;
	p->tables += t->rows == 1;
	begin_row(t);
	text_cells(t, 0, t->ncols);
	text_end_row(t);
	return true;
}

/*
 * JSON has no unit for bandwidth, but the rate of messages has a fixed one:
 * only one unit of bandwidth agrees with it.
 */
static void
set_bandwidth(struct text *t, const json_t *results)
{
	double bytes = json_number_value(json_object_get(results, "MsgSize"));
	double rate = json_number_value(json_object_get(results, "MsgRate"));
	double value =
	    json_number_value(json_object_get(results, "BW_average"));
	double gbit_s = 8e-3 * bytes * rate,
	       mib_s = 1e6 / 0x1p20 * bytes * rate;
	struct text_column column = {"BW_average", "bandwidth_gbit_s", "Gb/s"};

	if (fabs(value - mib_s) < 0.02 * mib_s)
		column.unit = "MiB/s";
	else if (!(fabs(value - gbit_s) < 0.02 * gbit_s))
		text_die(t, "BW_average: neither MsgRate times MsgSize in Gb/s "
		            "nor in MiB/s");
	text_members(t, results, &column, 1);
}

static void
take_json_settings(struct text *t, json_t *info)
{
	const char *key;
	json_t *member;

	json_object_foreach(info, key, member)
	{
		char *value =
		    json_is_integer(member)
		        ? xasprintf("%lld",
		                    (long long)json_integer_value(member))
		        : xstrdup(json_is_string(member)
		                      ? json_string_value(member)
		                      : "OFF");

		if (strcmp(key, "test") != 0)
			take_setting(t, key, value);
		free(value);
	}
}

static bool
take_json(struct text *t, const json_t *root)
{
	struct perftest *p = t->state;
	json_t *info = json_object_get(root, "test_info");
	const json_t *results;
	const char *title, *device;

	if (!info)
		return false;
	title = json_string_value(
	    text_member(t, info, "test_info", "test", JSON_STRING));
	device = json_string_value(json_object_get(info, "Device"));
	results = text_member(t, root, "the object", "results", JSON_OBJECT);
	text_member(t, results, "results", "MsgSize", JSON_INTEGER);
	if (!set_bench(t, title))
		text_die(t, "test '%s': unknown", title);
	take_json_settings(t, info);
	snprintf(p->device, sizeof p->device, "%s", device ? device : "");
	begin_row(t);
	text_members(t, results, members, ARRAY_LEN(members));
	if (json_object_get(results, "BW_average"))
		set_bandwidth(t, results);
	else
		text_member(t, results, "results", "t_avg", JSON_REAL);
	text_end_row(t);
	return true;
}

const struct importer perftest_importer = {
    .name = "perftest",
    .help = "perftest's ib_*_lat and ib_*_bw, their text or JSON",
    .words =
        (const char *const[]){"#bytes", "t_avg[usec]", "RDMA_", "Send BW Test",
                              "Send Latency Test", "Send_BW_Test", "ib_write_",
                              "ib_read_", "ib_send_", NULL},
    .needs = "titles such as '#bytes #iterations t_avg[usec]' and a row",
    .take_line = take_line,
    .take_json = take_json,
    .loose = true,
    .state_size = sizeof(struct perftest),
};
