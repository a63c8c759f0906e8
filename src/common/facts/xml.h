/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tags of XML in the lines of a text, as programs write them. */
#ifndef PCB_COMMON_FACTS_XML_H
#define PCB_COMMON_FACTS_XML_H

#include <stdbool.h>
#include <stddef.h>

#define XML_TAG 8192 /* a longer tag or comment ends there */

/* Zero before the first line; the owner frees `tag`. */
struct xml {
	char *tag;   /* the last, without < and >; or NULL */
	size_t n;    /* its bytes so far */
	char quote;  /* that ends the value; 0: outside of values */
	bool inside; /* it goes on in the next line */
};

/*
 * Moves *text behind the next tag in a line, or to the line's end: then false.
 * A tag without its end ends where the next one begins. Comments are no tags.
 */
bool xml_next(struct xml *x, const char **text);

/* Whether the last tag has this name; that of an end tag begins with "/". */
bool xml_is(const struct xml *x, const char *name);

/* Whether the last tag is of an element with nothing inside: "<pci/>". */
bool xml_is_empty(const struct xml *x);

/* Copies the value of an attribute of the last tag, cut to `size`; or "". */
void xml_value(const struct xml *x, const char *name, char *value, size_t size);

#endif
