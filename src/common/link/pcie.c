/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links: parameters, grammar and raw rate. */
#include "common/link/pcie.h"

#include "common/base/util.h"

#include <ctype.h>
#include <strings.h>

const struct link link_usual = {BUS_PCIE,   .gen = 3,    .lanes = 8,
                                .mps = 256, .mrrs = 512, .rcb = 64};

/* Moves *text behind `word` if the text starts with it. */
static bool
take_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

/* The same for `word` followed by a number of one to four digits. */
static bool
take_number(const char **text, const char *word, unsigned *number)
{
	size_t digits;

	if (!take_word(text, word))
		return false;
	digits = strspn(*text, "0123456789");
	if (digits < 1 || digits > 4 || **text == '0')
		return false;
	for (*number = 0; digits--; ++*text)
		*number = 10 * *number + (unsigned)(**text - '0');
	return true;
}

static bool
is_payload(unsigned bytes)
{
	return bytes >= 128 && bytes <= 4096 && !(bytes & (bytes - 1));
}

const char *
link_check(const struct link *link)
{
	if (link->gen < 1 || link->gen > LAST_GEN)
		return "the generation is 1 to 7";
	if (link->lanes != 12 &&
	    (link->lanes > 32 || __builtin_popcount(link->lanes) != 1))
		return "the lanes are 1, 2, 4, 8, 12, 16 or 32";
	if (!is_payload(link->mps))
		return "mps is a power of two from 128 to 4096";
	if (!is_payload(link->mrrs))
		return "mrrs is a power of two from 128 to 4096";
	if (link->rcb != 64 && link->rcb != 128)
		return "rcb is 64 or 128";
	return NULL;
}

const char *
link_check_mode(const struct link *link)
{
	if (link->gen > 5 && !link->flit)
		return "generation 6 and later have only flit mode";
	if (link->flit && (link->lanes == 12 || link->lanes == 32))
		return "flit mode has no links of 12 or 32 lanes";
	return NULL;
}

void
link_assume(struct link *link)
{
	link->mps = link_usual.mps;
	link->mrrs = link_usual.mrrs;
	link->rcb = link_usual.rcb;
	link->flit = link->gen > 5;
	link->assumed = true;
}

static const char *
parse_express(const char *text, struct link *link)
{
	static const char form[] =
	    "not of the form gen3x8/mps256/mrrs512/rcb64";

	link->bus = BUS_PCIE;
	if (!take_number(&text, "gen", &link->gen) ||
	    !take_number(&text, "x", &link->lanes))
		return form;
	if (!*text) {
		link_assume(link);
		return link_check(link);
	}
	if (!take_number(&text, "/mps", &link->mps) ||
	    !take_number(&text, "/mrrs", &link->mrrs) ||
	    !take_number(&text, "/rcb", &link->rcb))
		return form;
	link->addr32 = take_word(&text, "/a32");
	link->ecrc_up = take_word(&text, "/ecrc-up");
	link->ecrc = !link->ecrc_up && take_word(&text, "/ecrc");
	link->flit = take_word(&text, "/flit");
	if (*text)
		return "after rcb only /a32, /ecrc or /ecrc-up, /flit, in this "
		       "order";
	return link_check(link);
}

/* "16gt/s", "gen4", "4" or "4.0" */
static bool
take_gen(const char **text, struct link *link)
{
	static const char *const rates[] = {"2.5", "5",  "8",  "16",
	                                    "32",  "64", "128"};

	for (unsigned i = 0; i < ARRAY_LEN(rates); i++) {
		const char *p = *text;

		if (take_word(&p, rates[i]) && (take_word(&p, ".0") || true) &&
		    take_word(&p, "gt/s")) {
			*text = p;
			link->gen = i + 1;
			return true;
		}
	}
	return (take_number(text, "gen", &link->gen) ||
	        take_number(text, "", &link->gen)) &&
	       (take_word(text, ".0") || true);
}

/* "x16" or "16x" */
static bool
take_lanes(const char **text, struct link *link)
{
	const char *p = *text + (**text == ' ');

	if (!take_number(&p, "x", &link->lanes) &&
	    (!take_number(&p, "", &link->lanes) || !take_word(&p, "x") ||
	     strspn(p, "0123456789")))
		return false;
	*text = p;
	return true;
}

/* "gen4x16", "x16gen4", "gen4" or "x16"; false leaves *link in any state. */
static bool
take_rate(const char **text, struct link *link)
{
	bool has_lanes = take_lanes(text, link);
	const char *p = *text + (has_lanes && **text == ' ');
	bool has_gen = take_gen(&p, link);

	if (has_gen)
		*text = p;
	return has_lanes || (take_lanes(text, link) | has_gen);
}

/*
 * In small letters, without commas, words around the numbers, and blanks but
 * those between two digits.
 */
static char *
bare_link(const char *text)
{
	static const char *const words[] = {
	    " ",     ",",    "(",     ")",     "pci express",
	    "pci-e", "pcie", "speed", "width", "link"};
	char *bare = xmalloc(strlen(text) + 1), *to = bare, letter;
	size_t i;

	for (bool apart = false; *text; apart = i < ARRAY_LEN(words)) {
		for (i = 0; i < ARRAY_LEN(words); i++) {
			if (!strncasecmp(text, words[i], strlen(words[i])))
				break;
		}
		letter =
		    (char)(*text | (*text >= 'A' && *text <= 'Z' ? 32 : 0));
		if (i == ARRAY_LEN(words)) {
			if (apart && to > bare &&
			    isdigit((unsigned char)to[-1]) &&
			    isdigit((unsigned char)letter))
				*to++ = ' ';
			*to++ = letter;
		}
		text += i == ARRAY_LEN(words) ? 1 : strlen(words[i]);
	}
	*to = '\0';
	return bare;
}

/* Parses one part after the first; false if the text is none. */
static bool
take_part(const char **text, struct link *link)
{
	const struct {
		const char *word;
		bool *flag;
	} flags[] = {{"a32", &link->addr32},
	             {"ecrc", &link->ecrc},
	             {"flit", &link->flit}};

	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (take_word(text, flags[i].word))
			return *flags[i].flag = true;
	}
	return take_number(text, "mps", &link->mps) ||
	       take_number(text, "mrrs", &link->mrrs) ||
	       take_number(text, "rcb", &link->rcb);
}

const char *
link_parse_brief(const char *text, struct link *link)
{
	struct link made = *link, whole;
	const char *why, *p;
	char *bare;
	bool good;

	if (!*text)
		return "empty";
	if (!link_parse(text, &whole) && !whole.assumed) {
		*link = whole;
		return NULL;
	}
	p = bare = bare_link(text);
	good = take_rate(&p, &made) || take_part(&p, &made);
	if (made.gen > 5)
		made.flit = true;
	while (good && *p)
		good = *p++ == '/' && take_part(&p, &made);
	free(bare);
	if (!good)
		return "not a link such as gen4x16, x16 or "
		       "gen3x8/mps256/mrrs512/rcb64";
	why = link_check(&made);
	if (!why)
		*link = made;
	return why;
}

static const char *
parse_parallel(const char *text, struct link *link)
{
	link->bus = take_word(&text, "pcix") ? BUS_PCIX : BUS_PCI;
	if (!take_number(&text, link->bus == BUS_PCI ? "pci" : "",
	                 &link->width) ||
	    !take_number(&text, "/", &link->mhz) || *text)
		return "not of the form pci32/33 or pcix64/133";
	if (link->width != 32 && link->width != 64)
		return "the width is 32 or 64";
	if (link->bus == BUS_PCI && link->mhz != 33 && link->mhz != 66)
		return "the clock of PCI is 33 or 66";
	if (link->bus == BUS_PCIX && link->mhz != 66 && link->mhz != 100 &&
	    link->mhz != 133)
		return "the clock of PCI-X is 66, 100 or 133";
	return NULL;
}

const char *
link_parse(const char *text, struct link *link)
{
	struct link made = {.bus = BUS_UNKNOWN};
	const char *why = NULL;

	if (!strncmp(text, "pci", 3))
		why = parse_parallel(text, &made);
	else if (*text)
		why = parse_express(text, &made);
	if (!why)
		*link = made;
	return why;
}

void
link_format(const struct link *link, char text[LINK_TEXT_MAX])
{
	switch (link->bus) {
	case BUS_PCIE:
		if (link->assumed) {
			snprintf(text, LINK_TEXT_MAX, "gen%ux%u", link->gen,
			         link->lanes);
			break;
		}
		snprintf(text, LINK_TEXT_MAX,
		         "gen%ux%u/mps%u/mrrs%u/rcb%u%s%s%s", link->gen,
		         link->lanes, link->mps, link->mrrs, link->rcb,
		         link->addr32 ? "/a32" : "",
		         link->ecrc      ? "/ecrc"
		         : link->ecrc_up ? "/ecrc-up"
		                         : "",
		         link->flit ? "/flit" : "");
		break;
	case BUS_PCI:
		snprintf(text, LINK_TEXT_MAX, "pci%u/%u", link->width,
		         link->mhz);
		break;
	case BUS_PCIX:
		snprintf(text, LINK_TEXT_MAX, "pcix%u/%u", link->width,
		         link->mhz);
		break;
	case BUS_UNKNOWN:
		*text = '\0';
		break;
	}
}

/* 2.5, 5 and 8 GT/s, then double the rate of the generation before. */
double
link_gt_s(const struct link *link)
{
	return link->gen < 3 ? 2.5 * link->gen : 8u << (link->gen - 3);
}

double
link_raw_gbit_s(const struct link *link)
{
	double line = link_gt_s(link) * link->lanes;

	if (link->gen < 3)
		return line * 8 / 10;
	return link->gen < 6 ? line * 128 / 130 : line;
}

uint64_t
link_byte_fs(const struct link *link)
{
	return (uint64_t)(8e6 / link_raw_gbit_s(link) + 0.5);
}

const char *
link_encoding(const struct link *link)
{
	if (link->gen < 3)
		return "8b/10b";
	return link->gen < 6 ? "128b/130b" : "1b/1b";
}

unsigned
link_ack_limit(const struct link *link)
{
	static const unsigned delays[] = {0, 19, 70, 115};
	unsigned tenths; /* factor of the table */

	if (link->mps <= 256)
		tenths = link->lanes <= 4 ? 14 : link->lanes == 8 ? 25 : 30;
	else
		tenths = link->lanes <= 8 ? 10 : 20;
	return (link->mps + 28) * tenths / (10 * link->lanes) +
	       delays[link->gen < 3 ? link->gen : 3];
}
