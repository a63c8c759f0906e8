/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any CSV with a header row: columns are renamed, scaled or left out. */
#include "import/decimal.h"
#include "import/import.h"

#include "common/base/number.h"
#include "common/stream/columns.h"

#include <stdlib.h>

#define NOWHERE SIZE_MAX

/* What becomes of each column of the input. */
struct targets {
	struct target {
		size_t col;         /* of the result, or NOWHERE */
		const char *factor; /* or NULL */
		bool number;        /* by its name, it has a unit */
	} * target;
	size_t n;
	struct key_set ours; /* what columns are called in the result */
	size_t kind;         /* column of the result */
};

static const char *
our_name(struct job *job, const struct table *t, const char *theirs)
{
	const char *ours = pairs_use(&job->map, theirs);

	if (ours)
		return ours;
	if (!is_name(theirs))
		die("%s: a column cannot be called '%s' here: rename it with "
		    "--map '%s=NAME', or leave it out with --map '%s='",
		    t->file, theirs, theirs, theirs);
	return theirs;
}

static struct target
find_target(struct job *job, const struct table *t, struct key_set *known,
            const char *theirs)
{
	const char *ours = our_name(job, t, theirs);
	struct target target = {.col = NOWHERE};
	size_t before = known->n;

	if (!*ours)
		return target;
	if (key_set_intern_text(known, ours) < before)
		die("%s: two columns would be called '%s'", t->file, ours);
	target.col = result_column(&job->result, ours);
	target.factor = pairs_use(&job->scale, ours);
	target.number = *unit_of(ours);
	return target;
}

/* Looks at the columns that are new. */
static void
update(struct targets *targets, struct job *job, const struct table *t)
{
	targets->target =
	    xreallocarray(targets->target, t->ncols, sizeof *targets->target);
	for (size_t i = targets->n; i < t->ncols; i++) {
		targets->target[i] =
		    find_target(job, t, &targets->ours, t->name[i]);
		targets->n++;
	}
}

static void
take_cell(struct job *job, const struct table *t, size_t i,
          const struct target *target)
{
	const char *text = t->field[i];
	char product[DECIMAL_MAX];
	const char *why = NULL;
	double unused;

	if (target->col == NOWHERE)
		return;
	if (*text && target->factor) {
		why = multiply_decimals(text, target->factor, product);
		text = product;
	} else if (*text && target->number) {
		why = parse_number(text, &unused);
	}
	if (why)
		table_refuse(t, i, why);
	result_text(&job->result, target->col, text);
}

static void
take_row(struct job *job, const struct table *t, const struct targets *targets)
{
	struct result *r = &job->result;
	const char *kind;

	for (size_t i = 0; i < t->ncols; i++)
		take_cell(job, t, i, &targets->target[i]);
	kind = r->column[targets->kind].text;
	if (!*kind)
		result_text(r, targets->kind, "published");
	else if (!is_kind(kind) && !labels_value(&job->labels, "kind"))
		die("%s:%ju: kind: '%s': not " KINDS, t->file, t->line, kind);
	result_end_row(r);
}

/* What was named on the command line is there. */
static void
check_used(const struct job *job, const struct table *t)
{
	const char *theirs = pairs_unused(&job->map);
	const char *ours = pairs_unused(&job->scale);

	if (theirs)
		need_column(t, theirs);
	if (ours)
		die("%s: no column to scale is called '%s'", t->file, ours);
}

static void
read_csv(struct job *job)
{
	struct table *t = table_open(job->file, job->nfiles);
	struct targets targets = {.kind = result_column(&job->result, "kind")};

	add_labels(job);
	while (table_next(t)) {
		if (targets.n < t->ncols)
			update(&targets, job, t);
		take_row(job, t, &targets);
	}
	update(&targets, job, t);
	check_used(job, t);
	job->preamble = t->preamble;
	job->end = t->end;
	job->complete = t->complete;
	t->preamble = t->end = (struct preamble){0};
	free(targets.target);
	key_set_free(&targets.ours);
	table_close(t);
}

const struct importer csv_importer = {
    .name = "csv",
    .help = "any CSV with a header row, its columns renamed",
    .read = read_csv,
    .takes_map = true,
};
