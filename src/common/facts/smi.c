/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of nvidia-smi: -q, and --query-gpu with --format=csv. */
#include "common/base/util.h"
#include "common/facts/facts.h"

#include <math.h>

/* Headings, whose lines have no colon; the first that have words to read. */
enum { GENERATION, WIDTH, OTHER };
static const char *const headings[] = {"PCIe Generation", "Link Width"};

static const struct {
	const char *name;   /* of -q; of a column */
	const char *column; /* or NULL */
	size_t heading;     /* above it in -q; OTHER: any */
	enum fact_kind kind;
} values[] = {
    {"Current", "pcie.link.gen.current", GENERATION, FACT_GEN},
    {"Max", "pcie.link.gen.max", GENERATION, FACT_PAIR_GEN},
    {"Device Max", "pcie.link.gen.gpumax", GENERATION, FACT_MAX_GEN},
    {"Current", "pcie.link.width.current", WIDTH, FACT_LANES},
    {"Max", "pcie.link.width.max", WIDTH, FACT_MAX_LANES},
    {"Replays Since Reset", NULL, OTHER, FACT_REPLAYS},
    {"Replay Number Rollovers", NULL, OTHER, FACT_ROLLOVERS},
    {"Performance State", "pstate", OTHER, FACT_PSTATE},
    {"Idle", "clocks_event_reasons.gpu_idle", OTHER, FACT_IDLE},
    {"Device Id", "pci.device_id", OTHER, FACT_DEVICE},
    {"GPU UUID", "uuid", OTHER, FACT_UUID},
    /* Of newer and older drivers. */
    {"", "pcie.link.gen.gpucurrent", OTHER, FACT_GEN},
    {"", "clocks_throttle_reasons.gpu_idle", OTHER, FACT_IDLE},
};

/* "0x26B110DE": the device, then the vendor */
static void
add_ids(struct facts *facts, const char *text)
{
	unsigned long ids = strtoul(text, NULL, 16);
	char word[16];

	if (ids <= 0xffff || ids > UINT32_MAX)
		return;
	snprintf(word, sizeof word, "0x%04lx", ids & 0xffff);
	facts_add(facts, facts->smi.bdf, FACT_VENDOR, FROM_SMI, (double)NAN,
	          word);
	snprintf(word, sizeof word, "0x%04lx", ids >> 16);
	facts_add(facts, facts->smi.bdf, FACT_DEVICE, FROM_SMI, (double)NAN,
	          word);
}

static void
add_value(struct facts *facts, size_t value, const char *text)
{
	enum fact_kind kind = values[value].kind;
	unsigned long number = strtoul(text, NULL, 10);
	char word[16];

	if (kind == FACT_DEVICE) {
		add_ids(facts, text);
		return;
	}
	if (kind == FACT_UUID) {
		facts_add(facts, facts->smi.bdf, kind, FROM_SMI, (double)NAN,
		          text);
		return;
	}
	snprintf(word, sizeof word, "%lu", number);
	if (kind == FACT_PSTATE)
		snprintf(word, sizeof word, "%.3s", text);
	else if (kind == FACT_IDLE)
		snprintf(word, sizeof word, "%d", *text == 'A');
	else if (!number && kind != FACT_REPLAYS)
		return;
	/* "N/A", "[N/A]", "[Not Supported]" */
	if (kind == FACT_PSTATE ? *text != 'P'
	    : kind == FACT_IDLE ? strncmp(text, "Active", 6) != 0 &&
	                              strncmp(text, "Not Active", 10) != 0
	    : kind == FACT_REPLAYS || kind == FACT_ROLLOVERS
	        ? strspn(text, "0123456789") == 0
	        : number > 32)
		return;
	facts_add(facts, facts->smi.bdf, kind, FROM_SMI, (double)NAN, word);
}

/* The field of a row at *text, without blanks around; moves behind it. */
static void
next_field(const char **text, char field[64])
{
	size_t n;

	*text += strspn(*text, " ");
	n = strcspn(*text, ",");
	snprintf(field, 64, "%.*s", (int)(n < 63 ? n : 63), *text);
	*text += n + ((*text)[n] == ',');
	for (n = strlen(field); n && field[n - 1] == ' ';)
		field[--n] = '\0';
}

/* The header of --format=csv, which must name the bus. */
static bool
take_header(struct fact_smi *smi, const char *line)
{
	char field[64];
	bool named = false;

	if (!strstr(line, "pci.bus_id") && !strstr(line, "gpu_bus_id"))
		return false;
	for (smi->columns = 0; *line && smi->columns < SMI_COLUMNS;) {
		unsigned char *column = &smi->column[smi->columns++];

		next_field(&line, field);
		*column = SMI_NOTHING;
		if (!strcmp(field, "pci.bus_id") ||
		    !strcmp(field, "gpu_bus_id")) {
			*column = SMI_BUS;
			named = true;
		}
		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			if (values[i].column &&
			    !strcmp(field, values[i].column))
				*column = (unsigned char)i;
		}
	}
	smi->columns = named ? smi->columns : 0;
	return named;
}

/* A row below such a header. */
static bool
take_row(struct facts *facts, const char *line)
{
	struct fact_smi *smi = &facts->smi;
	const char *at = line;
	char field[64];

	*smi->bdf = '\0';
	for (size_t i = 0; i < smi->columns; i++) {
		next_field(&at, field);
		if (smi->column[i] == SMI_BUS && !parse_bdf(field, smi->bdf))
			*smi->bdf = '\0';
	}
	if (!*smi->bdf || *at) {
		smi->columns = 0;
		return false;
	}
	at = line;
	for (size_t i = 0; i < smi->columns; i++) {
		next_field(&at, field);
		if (smi->column[i] < ARRAY_LEN(values))
			add_value(facts, smi->column[i], field);
	}
	return true;
}

bool
facts_take_smi(struct facts *facts, const char *line)
{
	struct fact_smi *smi = &facts->smi;
	const char *colon = strstr(line, " : ");
	char bdf[BDF_MAX];

	if (!strncmp(line, "GPU ", 4) && strlen(line) < 24 &&
	    parse_bdf(line + 4, bdf)) {
		memcpy(smi->bdf, bdf, sizeof bdf);
		smi->inside = true;
		smi->heading = OTHER;
		smi->columns = 0;
		smi->shown++;
		return true;
	}
	if (colon && !strncmp(line, "Attached GPUs", 13)) {
		if (smi->attached > smi->shown + smi->lacks)
			smi->lacks = smi->attached - smi->shown;
		smi->attached = strtoul(colon + 3, NULL, 10);
		smi->shown = 0;
	}
	if (take_header(smi, line) || (smi->columns && take_row(facts, line))) {
		smi->inside = false;
		return true;
	}
	if (!smi->inside)
		return strstr(line, "NVSMI LOG") != NULL;
	if (!colon) {
		smi->heading = find_word(line, headings, OTHER);
		return smi->heading < OTHER;
	}
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		size_t n = strlen(values[i].name);

		if (n && n == (size_t)(colon - line) &&
		    !strncmp(line, values[i].name, n) &&
		    (values[i].heading == OTHER ||
		     values[i].heading == smi->heading))
			add_value(facts, i, colon + 3);
	}
	return true;
}
