/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any CSV with a header row: renames, scales or drops columns. */
#include "import/decimal.h"
#include "import/import.h"

#include "common/base/number.h"
#include "common/stream/columns.h"

#define NOWHERE SIZE_MAX

/* The use of each column of the input. */
struct csv_columns {
	struct csv_column {
		size_t col;         /* in the result, or NOWHERE */
		const char *factor; /* or NULL */
		bool number;        /* its name has a unit */
	} * column;
	size_t n;
	struct key_set ours; /* names in the result */
	size_t kind;         /* index in the result */
};

/* Examines new columns. */
static void
update(struct csv_columns *columns, struct job *job, const struct table *t)
{
	columns->column =
	    xreallocarray(columns->column, t->ncols, sizeof *columns->column);
	for (; columns->n < t->ncols; columns->n++) {
		struct csv_column *column = &columns->column[columns->n];
		const char *theirs = t->name[columns->n];
		const char *ours = preamble_get(&job->map, theirs);
		size_t before = columns->ours.n;

		*column = (struct csv_column){.col = NOWHERE};
		if (!ours && !is_name(theirs))
			die("%s: a column cannot be called '%s' here: rename "
			    "it with --map '%s=NAME', or leave it out with "
			    "--map '%s='",
			    t->file, theirs, theirs, theirs);
		if (!ours)
			ours = theirs;
		if (!*ours)
			continue;
		if (key_set_intern_text(&columns->ours, ours) < before)
			die("%s: two columns would be called '%s'", t->file,
			    ours);
		column->col = result_column(&job->result, ours);
		column->factor = preamble_get(&job->scale, ours);
		column->number = *unit_of(ours);
	}
}

static void
take_cell(struct job *job, const struct table *t, size_t i,
          const struct csv_column *column)
{
	const char *text = t->field[i];
	char product[DECIMAL_MAX];
	const char *why = NULL;
	double unused;

	if (column->col == NOWHERE)
		return;
	if (*text && column->factor) {
		why = multiply_decimals(text, column->factor, product);
		text = product;
	} else if (*text && column->number) {
		why = parse_number(text, &unused);
	}
	if (why)
		table_refuse(t, i, why);
	result_cell(&job->result, column->col, text);
}

static void
take_row(struct job *job, const struct table *t,
         const struct csv_columns *columns)
{
	struct result *r = &job->result;
	const char *kind;

	for (size_t i = 0; i < t->ncols; i++) {
		if (t->changed == ANY_COLUMN || t->changed == i)
			take_cell(job, t, i, &columns->column[i]);
	}
	kind = r->column[columns->kind].text;
	if (!*kind)
		result_cell(r, columns->kind, "imported");
	else if (!is_kind(kind) && !labels_value(&job->labels, "kind"))
		die("%s:%ju: kind: '%s': not " KINDS, t->file, t->line, kind);
	result_end_row(r);
}

static void
read_csv(struct job *job)
{
	struct table *t = open_csv(job->file, job->nfiles);
	struct csv_columns columns = {.kind =
	                                  result_column(&job->result, "kind")};

	t->verbatim = job->map.n;
	add_labels(job);
	while (table_next(t)) {
		if (columns.n < t->ncols)
			update(&columns, job, t);
		take_row(job, t, &columns);
	}
	update(&columns, job, t);
	/* Columns named on the command line must exist. */
	for (size_t i = 0; i < job->map.n; i++)
		need_given_column(t, job->map.entry[i].key);
	for (size_t i = 0; i < job->scale.n; i++) {
		size_t known = columns.ours.n;
		const char *name = job->scale.entry[i].key;

		if (key_set_intern_text(&columns.ours, name) < known)
			continue;
		if (!job->map.n)
			need_given_column(t, name);
		die("%s: no column to scale is called '%s': --scale takes the "
		    "names that --map gives",
		    t->file, name);
	}
	job->preamble = t->preamble;
	job->end = t->end;
	job->complete = t->complete;
	t->preamble = t->end = (struct preamble){0};
	free(columns.column);
	key_set_free(&columns.ours);
	table_close(t);
}

const struct importer csv_importer = {
    .name = "csv",
    .help = "any CSV with a header row, its columns renamed",
    .read = read_csv,
};
