#include "common/labels.h"

#include "common/table.h"

#include <stdlib.h>
#include <string.h>

static struct label *
find(const struct labels *labels, const char *name)
{
	for (size_t i = 0; i < labels->n; i++) {
		if (!strcmp(labels->label[i].name, name))
			return &labels->label[i];
	}
	return NULL;
}

const char *
labels_value(const struct labels *labels, const char *name)
{
	const struct label *label = find(labels, name);

	return label ? label->value : NULL;
}

static void
check(const char *text, const char *name, const char *value)
{
	if (!value)
		die_usage("-l %s: NAME=VALUE", text);
	if (!is_name(name))
		die_usage("-l %s: a name is lower-case letters, digits and _",
		          text);
	if (!is_identity(name))
		die_usage("-l %s: '%s' is the name of a measure", text, name);
	if (!strcmp(name, "kind") && !is_kind(value))
		die_usage("-l %s: a kind is measured, virtual, simulated or "
		          "published",
		          text);
}

void
labels_add(struct labels *labels, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	char *name = xstrdup(text);
	struct label *older;

	name[length] = '\0';
	check(text, name, value);
	older = find(labels, name);
	if (older) {
		older->value = value;
		free(name);
		return;
	}
	labels->label =
	    xreallocarray(labels->label, labels->n + 1, sizeof *labels->label);
	labels->label[labels->n++] = (struct label){name, value};
}

void
labels_free(struct labels *labels)
{
	for (size_t i = 0; i < labels->n; i++)
		free(labels->label[i].name);
	free(labels->label);
	*labels = (struct labels){0};
}
