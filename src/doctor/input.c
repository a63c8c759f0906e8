/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files of any kind, and joins those of one machine. */
#include "doctor/input.h"

#include "common/base/util.h"
#include "common/sys/datadir.h"

#include <sys/mman.h>

/* A file that was given. */
struct given {
	const char *file, *name; /* the name is for messages */
	FILE *text;              /* a copy, which programs can open by `path` */
	char *path;
	struct pci_tree *tree;
	bool is_stream; /* pcb-csv(5), which take_results reads from `text` */
};

static void
copy_text(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t n;

	while ((n = fread(buffer, 1, sizeof buffer, from)))
		fwrite(buffer, 1, n, to);
}

static FILE *
new_text(void)
{
	int fd = memfd_create("input", 0); /* for pcb-import, too */
	FILE *text = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!text)
		die_sys("input");
	return text;
}

static void
read_given(struct given *g, const char *file, unsigned state)
{
	FILE *from = pci_text_open(file);

	g->file = file;
	g->name = strcmp(file, "-") ? file : "standard input";
	g->text = new_text();
	copy_text(from, g->text);
	pci_text_close(g->name);
	rewind(g->text);
	g->path = xasprintf("/proc/self/fd/%d", fileno(g->text));
	g->tree = pci_tree_read_text(g->text, g->name, state);
	pci_tree_say_lacking(g->tree, g->name);
	rewind(g->text);
}

/* Whether it shows functions, or ways between GPUs. */
static bool
is_shown(const struct given *g)
{
	return g->tree->n || g->tree->facts.n;
}

/* Whether it shows ways between GPUs, or their nodes: enough for a finding. */
static bool
has_ways(const struct facts *facts)
{
	bool has = false;

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->item[i];

		has |= f->kind == FACT_WAY || f->kind == FACT_HOPS ||
		       f->kind == FACT_PEER ||
		       (f->kind == FACT_NODE && !strncmp(f->bdf, "gpu", 3));
	}
	return has;
}

/*
 * Says what pcb-import says of the file itself, in which it found results, or a
 * line that is wrong in them.
 */
static void
say_import(const struct given *g, const char *said, bool found)
{
	for (const char *end; (end = strchr(said, '\n')); said = end + 1) {
		const char *at = strstr(said, g->path);

		if (!at || at > end)
			continue;
		at += strlen(g->path);
		if (found ? strncmp(at, ": read as ", 10) != 0
		          : at[1] >= '0' && at[1] <= '9')
			warn("%s%.*s", g->name, (int)(end - at), at);
	}
}

/* Adds the rows of results in a file; false if it has none. */
static bool
read_results(struct input *in, struct given *g)
{
	char *argv[] = {sibling_program("pcb-import"), "-f", "csv", g->path,
	                NULL};
	char head[16] = "", *said = NULL, *rows;
	size_t n = in->n;

	/* Our own rows need no import. */
	g->is_stream = fgets(head, sizeof head, g->text) &&
	               !strncmp(head, "# pcb-csv:", 10);
	rows = g->is_stream ? xstrdup(g->path) : program_try(argv, &said);
	rewind(g->text);
	free(argv[0]);
	if (said && (rows || !is_shown(g)))
		say_import(g, said, rows);
	free(said);
	if (!rows)
		return false;
	if (!g->is_stream)
		names_read(&in->gpus, g->text, g->name);
	rewind(g->text);
	array_push(in->rows, in->n, rows);
	array_push(in->named, n, xstrdup(g->name));
	return true;
}

/* Whether it shows a tree, not single functions. */
static bool
is_whole(const struct pci_tree *tree)
{
	size_t i = 0;

	while (i < tree->n && !tree->function[i].up)
		i++;
	return i < tree->n;
}

/*
 * Dies if both cannot be of one machine. A log names what errs, and may have
 * gone since.
 */
static void
compare(const struct given *one, const struct given *other_one)
{
	bool more = one->tree->n > other_one->tree->n;
	const struct given *x = more ? other_one : one;
	const struct given *y = more ? one : other_one;
	const struct pci_tree *a = x->tree, *b = y->tree;
	size_t shared = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct pci_function *f = &a->function[i];
		const struct pci_function *other = pci_find(b, f->bdf);

		shared += !!other;
		if (other && f->vendor_id && other->vendor_id &&
		    (f->vendor_id != other->vendor_id ||
		     (f->device_id && other->device_id &&
		      f->device_id != other->device_id)))
			die("%s and %s are of two machines: %s is %04x:%04x "
			    "and %04x:%04x",
			    x->name, y->name, f->bdf, f->vendor_id,
			    f->device_id, other->vendor_id, other->device_id);
		/* Programs of drivers call all GPUs VGA controllers. */
		if (other && f->class_code && other->class_code &&
		    f->class_code >> 24 != other->class_code >> 24 &&
		    !(pci_class_of(f) &&
		      pci_class_of(f) == pci_class_of(other)))
			die("%s and %s are of two machines: %s is of another "
			    "class in each",
			    x->name, y->name, f->bdf);
	}
	if (2 * shared < a->n && !a->facts.log.begun && is_whole(b))
		die("%s and %s are of two machines: of %zu addresses in %s, "
		    "%zu are in %s",
		    x->name, y->name, a->n, x->name, shared, y->name);
}

/* The tree of all files that show functions, at least two. */
static struct pci_tree *
join(const struct input *in, const struct given g[], size_t n, unsigned state)
{
	FILE *text = new_text();
	const struct given *most = g;
	struct pci_tree *tree;
	bool machines = false;

	for (size_t i = 1; i < n; i++) {
		if (g[i].tree->n > most->tree->n)
			most = &g[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_shown(&g[i]))
			continue;
		compare(&g[i], most);
		machines |= g[i].tree->machines;
		copy_text(g[i].text, text);
		fputs("\n\n", text);
	}
	rewind(text);
	tree = pci_tree_read_text(text, in->names, state);
	fclose(text);
	if (tree->machines && !machines)
		die("%s are of two machines: other devices are at the same "
		    "addresses",
		    in->names);
	for (size_t i = 0; i < n; i++) {
		if (*g[i].tree->part)
			memcpy(tree->part, g[i].tree->part, sizeof tree->part);
	}
	return tree;
}

/* Whether the head of a table of results is in it; kernels have other words. */
static bool
has_unit(FILE *text)
{
	static const char *const units[] = {"(GB/s)", "(MB/s)", "[MB/sec]",
	                                    "[Gb/sec]", "BW="};
	char *line = NULL;
	size_t size = 0;
	bool has = false;

	while (!has && getline(&line, &size, text) > 0) {
		for (size_t i = 0; i < ARRAY_LEN(units); i++)
			has |= strstr(line, units[i]) != NULL;
	}
	free(line);
	rewind(text);
	return has;
}

/* pcb-import takes a second for 3 MiB: logs and dumps may be longer. */
#define REPORT_MAX (1L << 20)

static bool
may_have_results(const struct given *g)
{
	long size;

	if (fseek(g->text, 0, SEEK_END) || (size = ftell(g->text)) < 0)
		die_sys("%s", g->name);
	rewind(g->text);
	return !is_shown(g) || size <= REPORT_MAX || has_unit(g->text);
}

struct input
input_read(char *const file[], size_t n, unsigned state, bool results)
{
	struct given *g = xcalloc(n, sizeof *g);
	struct input in = {0};
	size_t shown = 0, named = 0, most = 0;
	bool functions = false;

	for (size_t i = 0; i < n; i++) {
		bool found;

		read_given(&g[i], file[i], state);
		found = results && may_have_results(&g[i]) &&
		        read_results(&in, &g[i]);
		if (is_shown(&g[i])) {
			shown++;
			functions |=
			    g[i].tree->n > 0 || has_ways(&g[i].tree->facts);
			if (!in.most || g[i].tree->n > most)
				in.most = file[i];
			most = g[i].tree->n > most ? g[i].tree->n : most;
			xappend(&in.names, ", ", "%s", g[i].name);
			in.tree = g[i].tree;
		} else if (!found && n > 1) {
			const char *kind = g[i].tree->facts.kind;

			warn("%s: not used: %s", g[i].name,
			     kind ? kind : "no PCI function and no result");
		}
	}
	/* Of what can be named, rather than of a file of words. */
	while (!functions && !in.n && named + 1 < n &&
	       !g[named].tree->facts.kind && !g[named].tree->facts.n)
		named++;
	if (!functions && !in.n)
		pci_refuse_dump(g[named].tree, g[named].file);
	if (shown > 1)
		in.tree = join(&in, g, n, state);
	for (size_t i = 0; i < n; i++) {
		if (!g[i].is_stream)
			fclose(g[i].text);
		free(g[i].path);
		if (g[i].tree != in.tree)
			pci_tree_free(g[i].tree);
	}
	free(g);
	return in;
}

void
input_free(struct input *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->rows[i]);
		free(in->named[i]);
	}
	names_free(&in->gpus);
	free(in->rows);
	free(in->named);
	free(in->names);
	*in = (struct input){0};
}
