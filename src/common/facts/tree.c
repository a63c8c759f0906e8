/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of lspci -t, a drawing:
 *   -[0000:00]-+-00.0
 *              +-01.0-[01-03]----00.0-[02-03]--+-04.0-[03]----00.0
 *              |                               \-08.0-[04]--
 *              \-1f.3
 * A line goes on with the branch in whose column it begins. paste_next() has
 * removed what is before that, and a backslash.
 */
#include "common/base/util.h"
#include "common/facts/facts.h"
#include "common/facts/paste.h"

#include <ctype.h>

#define HEX "0123456789abcdef"

/* "01.0", then what may follow. */
static bool
is_slot(const char *at)
{
	return strspn(at, HEX) == 2 && at[2] == '.' && at[3] >= '0' &&
	       at[3] <= '7' && (!at[4] || strchr(" -", at[4]));
}

/* "NVIDIA Corporation AD102GL [RTX 6000 Ada Generation]": a chip, a product */
static bool
is_nvidia_gpu(const char *title)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char vendor[] = "NVIDIA Corporation ";
	const char *at = strstr(title, vendor);
	size_t n;

	if (!at || strstr(title, "Switch"))
		return false;
	at += strlen(vendor);
	n = strspn(at, letters);
	at += n;
	if (!n || n > 2 || strspn(at, "0123456789") < 2)
		return false;
	at += strspn(at, "0123456789");
	return !strncmp(at + strspn(at, letters), " [", 2);
}

/* The class of a device with such a name; or "". */
static const char *
class_of(const char *title)
{
	static const char *const words[][2] = {
	    {" NVMe ", "0x010802"},    {" Ethernet ", "0x020000"},
	    {"[ConnectX", "0x020000"}, {" Gigabit Network ", "0x020000"},
	    {"[AMD/ATI]", "0x030000"},
	};

	if (strstr(title, "Audio") || strstr(title, "USB"))
		return "";
	if (is_nvidia_gpu(title))
		return "0x030000";
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strstr(title, words[i][0]))
			return words[i][1];
	}
	return "";
}

/* Of -v, -n or -nn: "NVIDIA Corporation AD102 [GeForce RTX 4090] [10de:2684]"
 */
static void
take_title(struct facts *facts, const char *bdf, const char *title)
{
	const char *last = strrchr(title, '[');
	const char *ids = last && are_ids(last + 1) ? last + 1 : title;

	if (are_ids(ids)) {
		facts_add(facts, bdf, FACT_VENDOR, FROM_LSPCI, "0x%.4s", ids);
		facts_add(facts, bdf, FACT_DEVICE, FROM_LSPCI, "0x%.4s",
		          ids + 5);
	}
	if (are_ids(title))
		return;
	facts_add(facts, bdf, FACT_TITLE, FROM_LSPCI, "%.255s", title);
	facts_add(facts, bdf, FACT_CLASS, FROM_LSPCI, "%s", class_of(title));
}

/* A function, and what is behind it in the line. */
static void
take_slot(struct facts *facts, struct branch *here, const char **at)
{
	char text[32], bdf[BDF_MAX];

	snprintf(text, sizeof text, "%x:%02x:%.4s", here->domain, here->bus,
	         *at);
	*at += strlen("00.0");
	if (!parse_bdf(text, bdf))
		return;
	if (!*here->above)
		snprintf(text, sizeof text, "pci%04x:%02x", here->domain,
		         here->bus);
	facts_add(facts, bdf, FACT_ABOVE, FROM_LSPCI, "%s",
	          *here->above ? here->above : text);
	if (!strncmp(*at, "-[", 2)) {
		facts_add(facts, bdf, FACT_CLASS, FROM_LSPCI, "0x060400");
		memcpy(here->above, bdf, sizeof here->above);
	} else if (**at == ' ' && (*at)[1]) {
		take_title(facts, bdf, *at + 1);
	}
}

/* "[0000:00]", "[01]" or "[01-03]"; false if it is none. */
static bool
take_bus(struct branch *here, const char **at)
{
	const char *bus = *at + 1;
	size_t n = strspn(bus, HEX);

	if (bus[n] == ':' && n >= 4 && n <= 8) {
		here->domain = (unsigned)strtoul(bus, NULL, 16);
		bus += n + 1;
		n = strspn(bus, HEX);
	}
	if (n != 2)
		return false;
	here->bus = (unsigned)strtoul(bus, NULL, 16);
	bus += n;
	if (*bus == '-' && strspn(bus + 1, HEX) == 2)
		bus += 3;
	*at = bus + 1;
	return *bus == ']';
}

/* Reads a line from `at` on, which is below `here`. */
static void
take_line(struct facts *facts, struct branch here, const char *at,
          const char *line, size_t column)
{
	struct fact_branches *tree = &facts->tree;

	for (;;) {
		at += strspn(at, "-");
		if (*at == '+' && tree->n < BRANCHES) {
			here.column = column + (size_t)(at - line);
			tree->branch[tree->n++] = here;
			at++;
		} else if (is_slot(at)) {
			take_slot(facts, &here, &at);
		} else if (*at != '[' || !take_bus(&here, &at)) {
			return;
		}
	}
}

bool
facts_take_tree(struct facts *facts, const char *line, size_t column)
{
	struct fact_branches *tree = &facts->tree;
	const char *at = line + strspn(line, "-+");
	struct branch here = {0};

	if (column == NO_COLUMN || at == line)
		return false;
	if (*at == '[' && strspn(at + 1, HEX) >= 4 && take_bus(&here, &at) &&
	    *at == '-') {
		tree->n = 0;
		if (!facts->kind)
			facts->kind = "lspci -t without a device";
		take_line(facts, here, at, line, column);
		return true;
	}
	if (at > line + 2 || !is_slot(at))
		return false;
	for (size_t i = tree->n; i--;) {
		const struct branch *b = &tree->branch[i];

		/* People move the first line. */
		if (column + 1 < b->column || column > b->column + 1)
			continue;
		tree->n = i + 1;
		take_line(facts, *b, at, line, column + (*line == '-'));
		return true;
	}
	return false;
}
