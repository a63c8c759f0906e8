/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a device's link from the output of lspci -vv. */
#include "import/lspci.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUSES 256u

/* The bridge above a bus. */
struct bridge {
	bool seen, ecrc; /* ecrc: the bridge sends ECRC */
	unsigned primary;
};

/* State of the parser. */
struct listing {
	const char *vendor;   /* name of the vendor in the wanted functions */
	const char *model;    /* name of the card, by that vendor */
	bool named;           /* a function with that name was found */
	bool wanted;          /* the current function is wanted */
	unsigned long domain; /* of the current function */
	unsigned bus;
	unsigned primary, secondary; /* of a bridge; secondary 0: no bridge */
	bool ecrc;                   /* it sends ECRC */
	struct bridge above[BUSES];  /* by bus, within the domain */
	char label[8];               /* current register: "LnkSta:" */
	struct link link;            /* parts read so far; 0: missing */
	unsigned found;
	bool disagree;
	char text[LINK_TEXT_MAX]; /* link of the last wanted function */
};

/* The vendor of cards whose names start like this, or NULL. */
static const char *
vendor_of(const char *device)
{
	static const struct {
		const char *card, *vendor;
	} vendors[] = {{"nfp", ": Netronome "}};

	for (size_t i = 0; i < ARRAY_LEN(vendors); i++) {
		if (!strncmp(device, vendors[i].card, strlen(vendors[i].card)))
			return vendors[i].vendor;
	}
	return NULL;
}

/* "6000" of "nfp6000"; without digits the whole name. */
static const char *
model_of(const char *device)
{
	const char *digits = device + strcspn(device, "0123456789");

	return *digits ? digits : device;
}

/* Characters that may follow a value, besides the end of the text. */
static const char behind_value[] = ", \r\n";

/*
 * The number at the start of a text, if `end` and one of these characters
 * follow; else 0, which no part of a link is.
 */
static unsigned
leading_number(const char *text, const char *end)
{
	size_t n = strspn(text, "0123456789");
	char digits[8] = "";
	uint64_t value;

	if (n >= sizeof digits || strncmp(text + n, end, strlen(end)) != 0 ||
	    !strchr(behind_value, text[n + strlen(end)]))
		return 0;
	memcpy(digits, text, n);
	return parse_integer(digits, &value) ? 0 : (unsigned)value;
}

/* The generation of the rate at the start of a text, or 0. */
static unsigned
leading_rate(const char *text)
{
	static const char *const rates[] = {"2.5GT/s", "5GT/s",  "8GT/s",
	                                    "16GT/s",  "32GT/s", "64GT/s"};

	for (unsigned i = 0; i < ARRAY_LEN(rates); i++) {
		size_t n = strlen(rates[i]);

		if (!strncmp(text, rates[i], n) &&
		    strchr(behind_value, text[n]))
			return i + 1;
	}
	return 0;
}

/* The text behind the word, if the line shows that register and contains it. */
static const char *
behind(const struct listing *l, const char *line, const char *label,
       const char *word)
{
	const char *at = strcmp(l->label, label) ? NULL : strstr(line, word);

	return at ? at + strlen(word) : NULL;
}

/* Reads the parts of the link in a line. */
static void
read_parts(struct listing *l, const char *line)
{
	struct link *link = &l->link;
	const struct {
		const char *label, *word, *end;
		unsigned *part;
	} parts[] = {{"DevCtl:", "MaxPayload ", " bytes", &link->mps},
	             {"DevCtl:", "MaxReadReq ", " bytes", &link->mrrs},
	             {"LnkCtl:", "RCB ", " bytes", &link->rcb},
	             {"LnkSta:", "Width x", "", &link->lanes}};
	const char *at;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		at = behind(l, line, parts[i].label, parts[i].word);
		if (at)
			*parts[i].part = leading_number(at, parts[i].end);
	}
	at = behind(l, line, "LnkSta:", "Speed ");
	if (at)
		link->gen = leading_rate(at);
	if (behind(l, line, "AERCap:", "GenEn+"))
		l->ecrc = true;
}

/* The number of a bus behind a word; 0 if the word is missing. */
static unsigned
bus_behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? (unsigned)strtoul(at + strlen(word), NULL, 16) & (BUSES - 1)
	          : 0;
}

/* "Bus: primary=00, secondary=03, ..." */
static void
read_buses(struct listing *l, const char *line)
{
	if (!strstr(line, "\tBus: "))
		return;
	l->primary = bus_behind(line, "primary=");
	l->secondary = bus_behind(line, "secondary=");
}

/* Two tabs start a register, three continue it. */
static void
read_register(struct listing *l, const char *line)
{
	size_t tabs = strspn(line, "\t");
	size_t n = strcspn(line + tabs, ":") + 1;

	if (tabs < 3)
		memset(l->label, 0, sizeof l->label);
	if (tabs == 2 && n < sizeof l->label)
		memcpy(l->label, line + tabs, n);
	read_parts(l, line);
	read_buses(l, line);
}

/* Whether the root port above a bus sends ECRC. */
static bool
root_adds_ecrc(const struct listing *l, unsigned bus)
{
	const struct bridge *top = NULL;

	for (unsigned n = 0; n < BUSES && bus && l->above[bus].seen; n++) {
		top = &l->above[bus];
		bus = top->primary;
	}
	return top && top->ecrc;
}

/* Compares a function's link with that of the one before. */
static void
end_function(struct listing *l)
{
	char text[LINK_TEXT_MAX] = "";

	if (l->secondary)
		l->above[l->secondary] =
		    (struct bridge){true, l->ecrc, l->primary};
	if (!l->wanted)
		return;
	l->link.flit = l->link.gen > 5; /* always in flit mode */
	l->link.ecrc = l->ecrc && root_adds_ecrc(l, l->bus);
	l->link.ecrc_up = l->ecrc && !l->link.ecrc;
	if (!link_check(&l->link))
		link_format(&l->link, text);
	if (l->found++ && strcmp(text, l->text) != 0)
		l->disagree = true;
	memcpy(l->text, text, sizeof text);
}

/* "03:00.0" or "0000:03:00.0"; another domain resets the bridges. */
static void
read_place(struct listing *l, const char *line)
{
	char *end = NULL, *last = NULL;
	unsigned long first = strtoul(line, &end, 16), second = 0, domain = 0;

	if (*end == ':')
		second = strtoul(end + 1, &last, 16);
	if (last && *last == ':') {
		domain = first;
		first = second;
	}
	if (domain != l->domain)
		memset(l->above, 0, sizeof l->above);
	l->domain = domain;
	l->bus = (unsigned)first & (BUSES - 1);
}

/*
 * A line without indentation starts another function. If the vendor has
 * several, those with the card's name count.
 */
static void
begin_function(struct listing *l, const char *line)
{
	const char *name = strstr(line, l->vendor);
	bool named = name && strstr(name, l->model);

	end_function(l);
	l->link = (struct link){.bus = BUS_PCIE};
	l->primary = l->secondary = 0;
	l->ecrc = false;
	read_place(l, line);
	if (named && !l->named) {
		l->named = true;
		l->disagree = false;
		l->found = 0;
	}
	l->wanted = l->named ? named : name != NULL;
}

bool
read_lspci(FILE *f, const char *device, char text[LINK_TEXT_MAX])
{
	struct listing l = {.vendor = vendor_of(device),
	                    .model = model_of(device)};
	char *line = NULL;
	size_t size = 0;

	while (l.vendor && getline(&line, &size, f) > 0) {
		if (!strchr("\t \r\n", *line))
			begin_function(&l, line);
		else
			read_register(&l, line);
	}
	end_function(&l);
	free(line);
	if (l.disagree || !feof(f))
		*l.text = '\0';
	memcpy(text, l.text, sizeof l.text);
	return !l.disagree;
}

/*
 * Whether sys-dma-addrs.txt, with the addresses of the buffer's parts, exists
 * and has none from 4 GiB on: requests then have headers of 3 DW (PCIe Base
 * Specification 2.2.4.1).
 */
static bool
dma_below_4g(const char *directory)
{
	char *file = xasprintf("%s/sys-dma-addrs.txt", directory);
	FILE *f = fopen(file, "re");
	char line[64];
	bool below = false, above = false;

	free(file);
	while (f && fgets(line, sizeof line, f)) {
		above |= strtoull(line, NULL, 16) >= UINT64_C(1) << 32;
		below = !above;
	}
	if (f)
		fclose(f);
	return below;
}

static void
read_file(const char *file, const char *device, char text[LINK_TEXT_MAX])
{
	FILE *f = fopen(file, "re");

	if (!f) {
		if (errno != ENOENT)
			warn_sys("%s", file);
		return;
	}
	if (!read_lspci(f, device, text))
		warn("%s: functions of the card's vendor have different "
		     "links: the column link is left empty",
		     file);
	if (!feof(f))
		warn_sys("%s", file);
	fclose(f);
}

void
lspci_link(const char *directory, const char *device, char text[LINK_TEXT_MAX])
{
	char *file;

	*text = '\0';
	if (!directory || !vendor_of(device))
		return;
	file = xasprintf("%s/sys-lspci.txt", directory);
	read_file(file, device, text);
	free(file);
	if (*text && dma_below_4g(directory)) {
		struct link link;

		link_parse(text, &link);
		link.addr32 = true;
		link_format(&link, text);
	}
}
