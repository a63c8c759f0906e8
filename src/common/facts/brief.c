/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of inxi and of FreeBSD's pciconf: what one end of a link has and
 * supports, as the kernel's files say it.
 */
#include "common/base/util.h"
#include "common/facts/facts.h"

static void
add_link(struct facts *facts, const unsigned gen[2], const unsigned lanes[2])
{
	static const enum fact_kind kinds[2][2] = {
	    {FACT_GEN, FACT_LANES}, {FACT_MAX_GEN, FACT_MAX_LANES}};

	for (size_t i = 0; i < 2; i++) {
		if (gen[i] && gen[i] < 8)
			facts_add(facts, facts->brief.bdf, kinds[i][0],
			          FROM_SYSFS, "%u", gen[i]);
		if (lanes[i] && lanes[i] <= 32)
			facts_add(facts, facts->brief.bdf, kinds[i][1],
			          FROM_SYSFS, "%u", lanes[i]);
	}
}

/*
 * inxi: "pcie: gen: 3 speed: 8 GT/s lanes: 4 link-max: lanes: 16 ... bus-ID:
 * 01:00.0 chip-ID: 10de:2484 class-ID: 0300", on any number of lines. What
 * link-max lacks is as it is now.
 */
static bool
take_inxi(struct facts *facts, const char *line)
{
	static const char *const keys[] = {
	    "pcie:",   "link-max:", "gen:",     "lanes:",
	    "bus-ID:", "chip-ID:",  "class-ID:"};
	enum { PCIE, MOST, GEN, LANES, BUS, CHIP, CLASS, NKEYS };
	struct fact_brief *b = &facts->brief;
	bool any = false;

	for (const char *at = line, *end; *at; at = end + strspn(end, " ")) {
		char key[16], value[BDF_MAX];
		const char *next;
		size_t n;

		end = at + strcspn(at, " ");
		snprintf(key, sizeof key, "%.*s", (int)(end - at), at);
		n = find_word(key, keys, NKEYS);
		if (n == NKEYS)
			continue;
		next = end + (*end == ' ');
		snprintf(value, sizeof value, "%.*s", (int)strcspn(next, " "),
		         next);
		if (n == PCIE)
			*b = (struct fact_brief){.inside = true};
		else if (n == MOST)
			b->most = 1;
		else if (n == GEN && b->inside)
			b->gen[b->most] = (unsigned)strtoul(value, NULL, 10);
		else if (n == LANES && b->inside)
			b->lanes[b->most] = (unsigned)strtoul(value, NULL, 10);
		else if (n == BUS) {
			bool linked = b->inside;

			b->inside = false;
			*b->bdf = '\0';
			/* What follows is of USB, or of the chipset. */
			if (!linked || !parse_bdf(value, b->bdf))
				continue;
			if (b->most && !b->gen[1])
				b->gen[1] = b->gen[0];
			if (b->most && !b->lanes[1])
				b->lanes[1] = b->lanes[0];
			add_link(facts, b->gen, b->lanes);
		} else if (n == CHIP && *b->bdf && strlen(value) == 9) {
			facts_add(facts, facts->brief.bdf, FACT_VENDOR,
			          FROM_SYSFS, "0x%.4s", value);
			facts_add(facts, facts->brief.bdf, FACT_DEVICE,
			          FROM_SYSFS, "0x%.4s", value + 5);
		} else if (n == CLASS && *b->bdf && strlen(value) == 4)
			facts_add(facts, facts->brief.bdf, FACT_CLASS,
			          FROM_SYSFS, "0x%s00", value);
		any = true;
	}
	return any;
}

/* The number behind words, which it moves *line behind; 0 without. */
static unsigned long
number_behind(const char **line, const char *words)
{
	const char *at = strstr(*line, words);
	char *end;
	unsigned long number;

	if (!at)
		return 0;
	number = strtoul(at + strlen(words), &end, 0);
	*line = end;
	return number;
}

/* The same of a whole line. */
static unsigned long
field(const char *line, const char *name)
{
	return number_behind(&line, name);
}

/* "em0@pci0:8:0:0: class=0x020000 ... vendor=0x8086 device=0x1533" */
static bool
take_selector(struct facts *facts, const char *line)
{
	struct fact_brief *b = &facts->brief;
	unsigned long class = field(line, " class="), chip, at[4];
	const char *place = strstr(line, "@pci");

	if (!place || !class)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		at[i] = number_behind(&place, i ? ":" : "@pci");
		if (*place != ':' || at[i] > (i ? 255 : 0xffff))
			return false;
	}
	*b = (struct fact_brief){.inside = true};
	snprintf(b->bdf, sizeof b->bdf, "%04lx:%02lx:%02lx.%lx", at[0], at[1],
	         at[2] & 0x1f, at[3] & 7);
	facts_add(facts, facts->brief.bdf, FACT_CLASS, FROM_SYSFS, "0x%06lx",
	          class & 0xffffff);
	/* Before FreeBSD 13: chip=0x15338086. */
	chip = field(line, " chip=");
	if (!chip)
		chip = field(line, " device=") << 16 | field(line, " vendor=");
	facts_add(facts, facts->brief.bdf, FACT_VENDOR, FROM_SYSFS, "0x%04lx",
	          chip & 0xffff);
	facts_add(facts, facts->brief.bdf, FACT_DEVICE, FROM_SYSFS, "0x%04lx",
	          chip >> 16 & 0xffff);
	return true;
}

/* "WORDS2.5(8.0)": what is, and what it could be; 0 without. */
static void
read_pair(const char *line, const char *words, const char *inner, double of[2])
{
	const char *at = strstr(line, words);
	char *end;

	of[0] = of[1] = 0;
	if (!at)
		return;
	of[0] = strtod(at + strlen(words), &end);
	if (!strncmp(end, inner, strlen(inner)))
		of[1] = strtod(end + strlen(inner), NULL);
}

/* "link x2(x8) speed 5.0(8.0)", which may be on two lines. */
static bool
take_pciconf(struct facts *facts, const char *line)
{
	double width[2], rate[2];
	unsigned lanes[2], gen[2];

	if (take_selector(facts, line))
		return true;
	if (!facts->brief.inside || !*facts->brief.bdf)
		return false;
	read_pair(line, "link x", "(x", width);
	read_pair(line, "speed ", "(", rate);
	for (size_t i = 0; i < 2; i++) {
		lanes[i] = width[1] > 0 && width[0] <= 32 && width[i] <= 32
		               ? (unsigned)width[i]
		               : 0;
		gen[i] = facts_gen(rate[i]);
	}
	/* A port without a device: x0(x8). */
	if (width[1] > 0 && !lanes[0])
		return true;
	add_link(facts, gen, lanes);
	return lanes[0] || gen[0];
}

bool
facts_take_brief(struct facts *facts, const char *line)
{
	return take_inxi(facts, line) || take_pciconf(facts, line);
}
