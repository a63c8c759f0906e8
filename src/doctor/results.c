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
	table_set_names(t, in->named);
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
	for (size_t i = 2; i < m->nnodes; i++) {
		struct machine_node *node = &m->node[i];
		size_t number = i - 2;

		node->class = strstr(node->name, "nvme") ? CLASS_NVME
		              : number < bdf.n || !strncmp(node->name, "gpu", 3)
		                  ? CLASS_GPU
		                  : CLASS_NIC;
		node->number = number;
		if (number < bdf.n)
			node->short_name = xasprintf("gpu%zu", number);
		else if (node->class == CLASS_GPU)
			node->number = strtoul(node->name + 3, NULL, 10);
	}
	while (bdf.n)
		free(bdf.item[--bdf.n]);
	while (other.n)
		free(other.item[--other.n]);
	free(bdf.item);
	free(other.item);
	return m;
}

/* The best of each file, to see whether files differ. */
static void
take_file(struct measure *w, const char *file, double gbit_s)
{
	if (w->file && w->file != file)
		w->least =
		    w->least > 0 ? fmin(w->least, w->in_file) : w->in_file;
	w->in_file = w->file == file ? fmax(w->in_file, gbit_s) : gbit_s;
	w->file = file;
}

/* A file says that P2P does not work: copies then go through memory. */
static bool
cannot_peer(const struct devices *all, const struct flow *f)
{
	const struct facts *facts = &all->d->tree->facts;
	const char *from, *to;

	if (f->from == MACHINE_NONE || f->to == MACHINE_NONE)
		return false;
	from = machine_name(all->m, f->from);
	to = machine_name(all->m, f->to);
	return facts_deny_peers(facts, from, to) ||
	       facts_deny_peers(facts, to, from);
}

static void
take_way(struct devices *all, size_t node, double gbit_s, const struct cell *c,
         const struct table *t)
{
	const struct flow *f = c->flow;
	bool parts = c->n > 1 && f[1].from == MACHINE_NONE;
	bool staged = parts || cannot_peer(all, f);
	enum way way = staged                    ? WAY_PEER
	               : f->from == MACHINE_NONE ? WAY_TO
	               : f->to == MACHINE_NONE   ? WAY_FROM
	                                         : WAY_PEER;
	size_t at = node == MACHINE_NONE ? SIZE_MAX : all->at[node];
	struct measure *w = at < all->n ? &all->item[at].way[way] : NULL;
	bool both = c->n > (parts ? 2 : 1);

	if (!w)
		return;
	/* What is printed of both directions at once is their sum. */
	gbit_s /= both ? 2 : 1;
	if (staged)
		w->staged = fmax(w->staged, gbit_s);
	else
		take_file(w, t->file, gbit_s);
	/* Both at once say less than one. */
	if (staged ||
	    (w->gbit_s > 0 && (both != w->both ? both : gbit_s <= w->gbit_s)))
		return;
	*w = (struct measure){
	    .gbit_s = gbit_s,
	    .staged = w->staged,
	    .both = both,
	    .file = w->file,
	    .in_file = w->in_file,
	    .least = w->least,
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

/* Whether a row names a device that is not there, and its name. */
static bool
is_foreign(struct devices *all, const struct table *t)
{
	for (size_t i = 0; i < ARRAY_LEN(end_columns); i++) {
		const char *text = optional_text(t, end_columns[i]);
		char name[32];

		plain_name(text, name);
		if (!*name || machine_find(all->m, name) != MACHINE_NONE)
			continue;
		if (!all->stranger)
			all->stranger = xstrdup(text);
		return true;
	}
	return false;
}

/* The only drive or NIC, if the row names one as the kernel does. */
static size_t
only_device(const struct devices *all, const char *name)
{
	enum pci_class class = strstr(name, "nvme") ? CLASS_NVME : CLASS_NIC;
	static const char *const nics[] = {"mlx", "eth",  "en",
	                                   "ib",  "bnxt", "irdma"};
	size_t only = MACHINE_NONE;
	bool is_nic = false;

	for (size_t i = 0; i < ARRAY_LEN(nics); i++)
		is_nic |= !strncmp(name, nics[i], strlen(nics[i]));
	for (size_t i = 0; (is_nic || class == CLASS_NVME) && i < all->n; i++) {
		if (all->m->node[all->item[i].node].class != class)
			continue;
		if (only != MACHINE_NONE)
			return MACHINE_NONE;
		only = all->item[i].node;
	}
	return only;
}

/* A transfer between it and memory. */
static bool
cell_of_only(const struct devices *all, const struct flow_rules *rules,
             const struct table *t, struct cell *c)
{
	const char *bench = optional_text(t, "bench");
	bool reads = !strcmp(bench, "bw_rd");
	size_t node = only_device(all, optional_text(t, "device"));

	*c = (struct cell){.n = 1};
	c->flow[0] = (struct flow){.from = reads ? MACHINE_NONE : node,
	                           .to = reads ? node : MACHINE_NONE,
	                           .reads = reads};
	if (node == MACHINE_NONE || (!reads && strcmp(bench, "bw_wr") != 0) ||
	    flow_complete(all->m, c->flow))
		return false;
	flows_share(all->m, rules, c->flow, 1);
	c->gbit_s = c->flow->gbit_s;
	return true;
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

	/* What a GPU does in its own memory is no transfer. */
	if (!*optional_text(t, column) ||
	    (*optional_text(t, "peer") &&
	     !strcmp(optional_text(t, "peer"), optional_text(t, "device"))))
		return;
	gbit_s = table_number(t, need_column(t, column));
	all->rows++;
	if (gbit_s <= 0) {
		all->zero++;
		return;
	}
	if (!cell_of_row(&c, all->m, &rules, t) &&
	    !cell_of_only(all, &rules, t, &c)) {
		all->foreign += is_foreign(all, t);
		return;
	}
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
	struct table *t;

	names_check(&all->in->gpus, all->m);
	t = table_open(all->in->rows, all->in->n);
	table_set_names(t, all->in->named);
	while (table_next(t))
		take_row(all, t);
	table_close(t);
	if (!all->used && !all->d->tree->n)
		die("%s: a result without a bandwidth of a GPU, drive or NIC: "
		    "'pcb-stats %s' shows what it has",
		    *all->in->named, *all->in->named);
	if (all->foreign)
		warn("%zu of %zu results name devices, such as %s, that %s "
		     "does not show%s",
		     all->foreign, all->rows, all->stranger, all->in->names,
		     all->d->tree->sysfs
		         ? ""
		         : ": let pcb-import write an address as 'device'");
	if (all->zero)
		warn("%zu of %zu results are 0: these transfers failed",
		     all->zero, all->rows);
	if (all->rows > all->used + all->foreign + all->zero)
		warn("%zu of %zu results are not compared: they are of no "
		     "transfer between a device and memory or another one",
		     all->rows - all->used - all->foreign - all->zero,
		     all->rows);
}
