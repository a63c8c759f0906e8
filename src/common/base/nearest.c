/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Optimal string alignment distance (Damerau and Levenshtein). */
#include "common/base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A longer word is never near. */
#define WORD_MAX 40

/* Fewer letters would match the start of too many words. */
#define BEGINNING_MIN 2

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool
same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Swaps each pair of neighbours at most once ("optimal string alignment"). */
static unsigned
distance(const char *a, const char *b)
{
	unsigned d[WORD_MAX + 1][WORD_MAX + 1];
	size_t na = strlen(a), nb = strlen(b);

	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			unsigned wrong = !same(a[i - 1], b[j - 1]);

			d[i][j] = least(d[i - 1][j - 1] + wrong,
			                least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

void
nearest_offer(struct nearest *n, const char *word)
{
	size_t length = strlen(n->typed);
	unsigned far, limit = length < 6 ? 1 : (unsigned)length / 3;

	if (!length || length > WORD_MAX || strlen(word) > WORD_MAX)
		return;
	if (length >= BEGINNING_MIN && !strncasecmp(word, n->typed, length) &&
	    n->nlonger++ < NEAREST_LONGER_MAX)
		n->longer[n->nlonger - 1] = word;
	far = distance(n->typed, word);
	if (far <= limit && far < strlen(word) &&
	    (!n->word || far < n->distance)) {
		n->word = word;
		n->distance = far;
	}
}

const char *
nearest_hint(const struct nearest *n)
{
	static char text[NEAREST_LONGER_MAX * (WORD_MAX + 4) + 32];
	const char *const *word = n->word ? &n->word : n->longer;
	size_t words = n->nlonger;
	size_t used = 0;

	if (n->word)
		words = 1;
	else if (words > NEAREST_LONGER_MAX)
		words = NEAREST_LONGER_MAX;
	if (!words)
		return "";
	for (size_t i = 0; i < words; i++)
		used +=
		    (size_t)snprintf(text + used, sizeof text - used, "%s%s",
		                     !i              ? " (did you mean "
		                     : i + 1 < words ? ", "
		                                     : " or ",
		                     word[i]);
	snprintf(text + used, sizeof text - used, "?)");
	return text;
}
