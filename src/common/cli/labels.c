/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and looks up labels of -l. */
#include "common/cli/labels.h"

#include "common/base/util.h"
#include "common/stream/columns.h"

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
check(const char *text, const struct label *label)
{
	if (!label->value)
		die_usage("-l '%s': not NAME=VALUE", text);
	if (!is_name(label->name))
		die_usage("-l '%s': " NAME_RULE, text);
	if (!is_identity(label->name))
		die_usage("-l '%s': '%s' is a value column", text, label->name);
	if (!strcmp(label->name, "kind") && !is_kind(label->value))
		die_usage("-l '%s': a kind is " KINDS, text);
}

void
labels_add(struct labels *labels, const char *text)
{
	size_t length = strcspn(text, "=");
	struct label *label, *first;

	labels->label =
	    xreallocarray(labels->label, labels->n + 1, sizeof *labels->label);
	label = &labels->label[labels->n++];
	label->name = xasprintf("%.*s", (int)length, text);
	label->value = text[length] ? text + length + 1 : NULL;
	check(text, label);
	first = find(labels, label->name);
	if (first != label) {
		first->value = label->value;
		free(label->name);
		labels->n--;
	}
}

void
labels_free(struct labels *labels)
{
	for (size_t i = 0; i < labels->n; i++)
		free(labels->label[i].name);
	free(labels->label);
	*labels = (struct labels){0};
}
