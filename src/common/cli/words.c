/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks words up in what tools/help-words makes of the manual pages. */
#include "common/cli/words.h"

#include "common/base/embed.h"
#include "common/base/util.h"
#include "common/stream/columns.h"

EMBED(help_words, "help-words");

/* Valid until exit. */
static struct entry {
	char *page; /* such as "pcb-diff(1)" */
	char **word, **line;
	size_t nwords, nlines;
} * entries;
static size_t nentries;

/* A line with tabs begins an entry: the page and the words. */
static void
load(void)
{
	char *rest = nentries ? NULL : xstrdup(help_words);
	char *line;

	while ((line = strsep(&rest, "\n"))) {
		if (strchr(line, '\t')) {
			struct entry new = {.page = strsep(&line, "\t")};

			while (line)
				array_push(new.word, new.nwords,
				           strsep(&line, "\t"));
			array_push(entries, nentries, new);
		} else if (nentries) {
			struct entry *last = &entries[nentries - 1];

			array_push(last->line, last->nlines, line);
		}
	}
}

/* Whether two columns are the same but for unit and percentile. */
static bool
is_like(const char *a, const char *b)
{
	const char *unit_a = unit_of(a), *unit_b = unit_of(b);

	if (*a == 'p' && *b == 'p' && is_statistic(a) && is_statistic(b)) {
		a += 1 + strspn(a + 1, "0123456789_");
		b += 1 + strspn(b + 1, "0123456789_");
	}
	while (a < unit_a && b < unit_b && *a == *b) {
		a++;
		b++;
	}
	a += *a == '_' && a + 1 == unit_a;
	b += *b == '_' && b + 1 == unit_b;
	return a >= unit_a && b >= unit_b;
}

enum likeness { EXACT, BUT_FOR_UNIT, LIKE };

static bool
has(const struct entry *e, const char *word, enum likeness likeness)
{
	size_t length = strlen(word);

	for (size_t i = 0; i < e->nwords; i++) {
		const char *own = e->word[i];

		if (likeness == EXACT  ? !strcasecmp(own, word)
		    : likeness == LIKE ? is_like(own, word)
		                       : !strncasecmp(own, word, length) &&
		                             own[length] == '_' &&
		                             own + length + 1 == unit_of(own))
			return true;
	}
	return false;
}

static void
print_entry(const struct entry *e, size_t end)
{
	for (size_t i = 0; i < e->nwords; i++)
		printf("%s%s", i ? ", " : "", e->word[i]);
	printf(", of %s:\n", e->page);
	for (size_t i = 0; i < e->nlines; i++) {
		const char *line = e->line[i];

		printf("  ");
		if (*line == ' ')
			puts(line);
		else
			print_wrapped(2, end, line);
	}
}

bool
words_explain(const char *word, const char *program, bool all, size_t end)
{
	size_t length = strlen(program);
	char *column = xstrdup(word); /* p99.9 is p99_9 in names */
	bool any = false;

	for (char *c = column; (c = strchr(c, '.'));)
		*c = '_';
	load();
	for (int pass = 0; pass < (all ? 6 : 2) && (pass % 2 || !any); pass++) {
		enum likeness likeness = (enum likeness)(pass / 2);

		for (struct entry *e = entries; e < entries + nentries; e++) {
			bool own = !strncmp(e->page, program, length) &&
			           e->page[length] == '(';

			if (own != pass % 2 && e->nlines &&
			    has(e, likeness == EXACT ? word : column,
			        likeness) &&
			    (all || !strstr(e->page, "(7)"))) {
				print_entry(e, end);
				any = true;
			}
		}
	}
	free(column);
	return any;
}

bool
words_example(const char *program, const char *command)
{
	char *key = xasprintf("%s %s", program, command);
	bool any = false;

	load();
	for (struct entry *e = entries; e < entries + nentries; e++) {
		if (has(e, key, EXACT)) {
			printf("Example: %s\n", *e->line);
			any = true;
		}
	}
	free(key);
	return any;
}

void
words_offer(struct nearest *n)
{
	load();
	for (struct entry *e = entries; e < entries + nentries; e++) {
		for (size_t i = 0; i < e->nwords; i++) {
			if (!strchr(e->word[i], ' '))
				nearest_offer(n, e->word[i]);
		}
	}
}

char *
words_owners(const char *option)
{
	char *owners = NULL;

	load();
	for (struct entry *e = entries; e < entries + nentries; e++) {
		char *name =
		    xasprintf("%.*s", (int)strcspn(e->page, "("), e->page);

		if (has(e, option, EXACT) && (!owners || !strstr(owners, name)))
			xappend(&owners, ", ", "%s", name);
		free(name);
	}
	return owners;
}
