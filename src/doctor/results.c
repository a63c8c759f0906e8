/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/results.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* Transfers of results that do not say their size, bytes. */
#define LARGE ((uint64_t)1 << 20)

/* gpu3 for "GPU3" and "G3", an address or another name as it is; "" of memory.
 */
static void
plain_name(const char *text, char name[static 32])
{
	size_t digits = strcspn(text, "0123456789");

	*name = '\0';
	if (parse_bdf(text, name) || !text[digits] || strlen(text) > 15 ||
	    strchr("Cc", *text) || !strncmp(text, "node", 4))
		return;
	if (strncasecmp(text, "gpu", digits) != 0)
		snprintf(name, 32, "%s", text);
	else
		snprintf(name, 32, "gpu%s", text + digits);
}

static const char *const end_columns[] = {"device", "peer",   "from",
                                          "to",     "source", "destination"};

/* Names of devices, in the order of their first appearance. */
struct names {
	char **item;
	size_t n;
};

static void
add_name(struct names *list, const char *name)
{
	if (find_word(name, (const char *const *)list->item, list->n) ==
	    list->n)
		array_push(list->item, list->n, xstrdup(name));
}

/* Programs print addresses in the order in which they count GPUs. */
struct machine *
machine_of_results(const struct input *in)
{
	struct table *t = table_open(in->rows, in->n);
	FILE *text = fdopen(memfd_create("devices", MFD_CLOEXEC), "w+");
	struct names bdf = {0}, other = {0};
	char *path;
	struct machine *m;

	if (!text)
		die_sys("devices");
	while (table_next(t)) {
		for (size_t i = 0; i < ARRAY_LEN(end_columns); i++) {
			char name[32], address[BDF_MAX];

			plain_name(optional_text(t, end_columns[i]), name);
			if (*name)
				add_name(parse_bdf(name, address) ? &bdf
				                                  : &other,
				         name);
		}
	}
	table_close(t);
	fputs("node root - -\nnode memory root dram\n", text);
	for (size_t i = 0; i < bdf.n; i++)
		fprintf(text, "node %s root fabric\n", bdf.item[i]);
	for (size_t i = 0; i < other.n; i++) {
		if (strncmp(other.item[i], "gpu", 3) != 0 ||
		    strtoul(other.item[i] + 3, NULL, 10) >= bdf.n)
			fprintf(text, "node %s root fabric\n", other.item[i]);
	}
	if (fflush(text))
		die_sys("devices");
	path = xasprintf("/proc/self/fd/%d", fileno(text));
	m = machine_read_file(path);
	fclose(text);
	free(path);
	/* Behind the root and its memory. */
	for (size_t i = 0; i < bdf.n; i++) {
		struct machine_node *node = &m->node[i + 2];

		node->class = CLASS_GPU;
		node->number = i;
		node->short_name = xasprintf("gpu%zu", i);
	}
	while (bdf.n)
		free(bdf.item[--bdf.n]);
	while (other.n)
		free(other.item[--other.n]);
	free(bdf.item);
	free(other.item);
	return m;
}

static void
take_way(struct devices *all, size_t node, double gbit_s, const struct cell *c,
         const struct table *t)
{
	const struct flow *f = c->flow;
	bool staged = c->n > 1 && f[1].from == MACHINE_NONE;
	enum way way = staged                    ? WAY_PEER
	               : f->from == MACHINE_NONE ? WAY_TO
	               : f->to == MACHINE_NONE   ? WAY_FROM
	                                         : WAY_PEER;
	size_t at = node == MACHINE_NONE ? SIZE_MAX : all->at[node];
	struct measure *w = at < all->n ? &all->item[at].way[way] : NULL;
	bool both = c->n > (staged ? 2 : 1);

	if (!w)
		return;
	/* What is printed of both directions at once is their sum. */
	gbit_s /= both ? 2 : 1;
	if (staged)
		w->staged = fmax(w->staged, gbit_s);
	/* Both at once say less than one. */
	if (staged ||
	    (w->gbit_s > 0 && (both != w->both ? both : gbit_s <= w->gbit_s)))
		return;
	*w = (struct measure){
	    .gbit_s = gbit_s,
	    .staged = w->staged,
	    .both = both,
	    .sm = !strcmp(optional_text(t, "interface"), "sm"),
	    .crosses = f->crosses,
	    .q.sum = both,
	    .q.traffic = way == WAY_TO     ? TRAFFIC_READ
	                 : way == WAY_FROM ? TRAFFIC_WRITE
	                 : both            ? TRAFFIC_PEER_BOTH
	                 : f->reads        ? TRAFFIC_PEER_READ
	                                   : TRAFFIC_PEER_WRITE,
	};
}

/* Whether a row names a device that is not there. */
static bool
is_foreign(const struct devices *all, const struct table *t)
{
	for (size_t i = 0; i < ARRAY_LEN(end_columns); i++) {
		char name[32];

		plain_name(optional_text(t, end_columns[i]), name);
		if (*name && machine_find(all->m, name) == MACHINE_NONE)
			return true;
	}
	return false;
}

static void
take_row(struct devices *all, const struct table *t)
{
	struct flow_rules rules = {.how.accounting = ACCOUNTING_TRAFFIC,
	                           .size = LARGE,
	                           .forward = 4096 /* whole: a bound */};
	const char *column = *optional_text(t, "median_gbit_s")
	                         ? "median_gbit_s"
	                         : "bandwidth_gbit_s";
	const char *kind = optional_text(t, "kind");
	struct measured ends;
	struct cell c;
	double gbit_s;

	if (!*optional_text(t, column))
		return;
	gbit_s = table_number(t, need_column(t, column));
	all->rows++;
	all->foreign += is_foreign(all, t);
	if (!cell_of_row(&c, all->m, &rules, t))
		return;
	if (!all->kind)
		all->kind = xstrdup(kind);
	else if (strcmp(all->kind, kind) != 0)
		all->kind = (free(all->kind), xstrdup("several"));
	all->used++;
	ends = cell_measured(all->m, &c, 1);
	take_way(all, ends.from, gbit_s, &c, t);
	take_way(all, ends.to, gbit_s, &c, t);
	cell_free(&c);
}

void
take_results(struct devices *all)
{
	struct table *t = table_open(all->in->rows, all->in->n);

	table_set_names(t, all->in->named);
	while (table_next(t))
		take_row(all, t);
	table_close(t);
	if (!all->used && !all->d->tree->n)
		die("%s: a result without a bandwidth of a GPU, drive or NIC: "
		    "'pcb-stats %s' shows what it has",
		    *all->in->named, *all->in->named);
	if (all->foreign)
		warn("%zu of %zu results name devices that %s does not show",
		     all->foreign, all->rows, all->in->names);
}
