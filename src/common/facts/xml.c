/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/facts/xml.h"

#include "common/base/util.h"

#include <ctype.h>

static bool
is_comment(const struct xml *x)
{
	return x->inside && !strncmp(x->tag, "!--", 3);
}

/* "<" of a tag, not that of "<64us". */
static bool
begins_tag(const char *at)
{
	return *at == '<' && at[1] &&
	       (isalpha((unsigned char)at[1]) || strchr("/!?", at[1]));
}

/* Adds a character to the tag; true if it ends that. */
static bool
take(struct xml *x, char c)
{
	if (is_comment(x)) {
		x->inside = c != '>' || x->n < 5 ||
		            strncmp(x->tag + x->n - 2, "--", 2) != 0;
	} else if (c == '>' && !x->quote) {
		x->inside = false;
		return true;
	} else if (x->quote ? c == x->quote : c == '"' || c == '\'') {
		x->quote = (char)(x->quote ? '\0' : c);
	}
	x->tag[x->n++] = c;
	x->tag[x->n] = '\0';
	x->inside &= x->n < XML_TAG - 1;
	return false;
}

bool
xml_next(struct xml *x, const char **text)
{
	for (const char *at = *text; *at; at++) {
		bool begins = begins_tag(at) && !is_comment(x) &&
		              !(x->inside && x->quote);

		if (x->inside && (begins || take(x, *at))) {
			x->inside = false;
			*text = at + !begins;
			return true;
		}
		if (!begins)
			continue;
		if (!x->tag)
			x->tag = xmalloc(XML_TAG);
		*x->tag = x->quote = '\0';
		x->n = 0;
		x->inside = true;
	}
	/* The end of a line is white space. */
	if (x->inside)
		take(x, ' ');
	*text += strlen(*text);
	return false;
}

bool
xml_is(const struct xml *x, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(x->tag, name, n) &&
	       (!x->tag[n] || strchr(" /", x->tag[n]));
}

bool
xml_is_empty(const struct xml *x)
{
	size_t n = x->n;

	while (n && x->tag[n - 1] == ' ')
		n--;
	return n && x->tag[n - 1] == '/';
}

void
xml_value(const struct xml *x, const char *name, char *value, size_t size)
{
	const char *at = x->tag + strcspn(x->tag, " ");
	size_t n, length = strlen(name);

	*value = '\0';
	for (;;) {
		const char *word = at + strspn(at, " "), *first;
		bool same = !strncmp(word, name, length);

		at = word + strcspn(word, " =");
		same &= at == word + length;
		at += strspn(at, " =");
		if (!*at || (*at != '"' && *at != '\''))
			return;
		first = at + 1;
		for (n = 0; first[n] && first[n] != *at;)
			n++;
		if (same) {
			snprintf(value, size, "%.*s", (int)n, first);
			return;
		}
		at = first + n + (first[n] != '\0');
	}
}
