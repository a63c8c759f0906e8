/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the object in a line into texts, with the library jansson. */
#include "common/stream/json_line.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void
free_texts(char ***text, size_t n)
{
	while (n)
		free((*text)[--n]);
	free(*text);
	*text = NULL;
}

/* A string, number, true, false or null as text; NULL for lists and objects. */
static char *
scalar_text(const json_t *value)
{
	char number[NUMBER_MAX];

	switch (json_typeof(value)) {
	case JSON_STRING:
		return xstrdup(json_string_value(value));
	case JSON_INTEGER:
		return xasprintf("%" JSON_INTEGER_FORMAT,
		                 json_integer_value(value));
	case JSON_REAL:
		*print_double(number, json_real_value(value)) = '\0';
		return xstrdup(number);
	case JSON_TRUE:
	case JSON_FALSE:
		return xstrdup(json_is_true(value) ? "true" : "false");
	case JSON_NULL:
		return xstrdup("");
	default:
		return NULL;
	}
}

/* ["a","b"] as "a b"; NULL if an item is no scalar. */
static char *
list_text(const json_t *list)
{
	char *text = xstrdup("");
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		char *one = scalar_text(item);

		if (!one) {
			free(text);
			return NULL;
		}
		xappend(&text, " ", "%s", one);
		free(one);
	}
	return text;
}

/* Returns NULL, or what is wrong. */
static const char *
take_members(struct json_line *j, json_t *object)
{
	size_t max = json_object_size(object);
	const char *name;
	json_t *value;

	j->name = xreallocarray(NULL, max + 1, sizeof *j->name);
	j->value = xreallocarray(NULL, max + 1, sizeof *j->value);
	json_object_foreach(object, name, value)
	{
		char *text = json_is_array(value) ? list_text(value)
		                                  : scalar_text(value);

		if (!text)
			return "an object in a row: a cell is a text, a number "
			       "or a list of these";
		j->name[j->n] = xstrdup(name);
		j->value[j->n++] = text;
	}
	return NULL;
}

/* The object with the members: the line's own, or the one inside it. */
static json_t *
members_of(struct json_line *j, json_t *line)
{
	static const char *const names[] = {
	    [JSON_PREAMBLE] = "preamble", [JSON_END] = "end"};

	for (size_t i = JSON_PREAMBLE; i < ARRAY_LEN(names); i++) {
		json_t *inner = json_object_get(line, names[i]);

		j->kind = (enum json_kind)i;
		if (json_is_object(inner) && json_object_size(line) == 1)
			return inner;
	}
	j->kind = JSON_ROW;
	return line;
}

/* Sets `renamed`, and stores the names of this row. */
static void
compare_names(struct json_line *j)
{
	size_t same = 0;

	while (same < j->n && same < j->nrow_names &&
	       !strcmp(j->name[same], j->row_name[same]))
		same++;
	j->renamed = same < j->n || same < j->nrow_names;
	if (!j->renamed)
		return;
	free_texts(&j->row_name, j->nrow_names);
	j->row_name = xreallocarray(NULL, j->n + 1, sizeof *j->row_name);
	for (j->nrow_names = 0; j->nrow_names < j->n; j->nrow_names++)
		j->row_name[j->nrow_names] = xstrdup(j->name[j->nrow_names]);
}

static void
forget_members(struct json_line *j)
{
	free_texts(&j->name, j->n);
	free_texts(&j->value, j->n);
	j->n = 0;
}

const char *
json_line_parse(struct json_line *j, const char *line, size_t length)
{
	json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	const char *why = "not a JSON object on one line, as jq -c writes it";

	forget_members(j);
	if (json_is_object(object))
		why = take_members(j, members_of(j, object));
	json_decref(object);
	if (!why && j->kind == JSON_ROW)
		compare_names(j);
	return why;
}

void
json_line_free(struct json_line *j)
{
	forget_members(j);
	free_texts(&j->row_name, j->nrow_names);
	j->nrow_names = 0;
}
