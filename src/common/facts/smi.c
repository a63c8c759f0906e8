/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of nvidia-smi: -q, -q -x, and --query-gpu with --format=csv. */
#include "common/base/util.h"
#include "common/facts/facts.h"

#include <math.h>

/* Headings, whose lines have no colon; the first that have words to read. */
enum { GENERATION, WIDTH, OTHER };
static const char *const headings[] = {"PCIe Generation", "Link Width"};

static const struct {
	const char *name;    /* of -q; or "" */
	const char *column;  /* of a table; or "" */
	const char *element; /* of -q -x; or "" */
	size_t heading;      /* above the name; OTHER: any */
	enum fact_kind kind;
} values[] = {
    {"Current", "pcie.link.gen.current", "current_link_gen", GENERATION,
     FACT_GEN},
    {"Max", "pcie.link.gen.max", "max_link_gen", GENERATION, FACT_PAIR_GEN},
    {"Device Max", "pcie.link.gen.gpumax", "max_device_link_gen", GENERATION,
     FACT_MAX_GEN},
    {"Current", "pcie.link.width.current", "current_link_width", WIDTH,
     FACT_LANES},
    {"Max", "pcie.link.width.max", "max_link_width", WIDTH, FACT_MAX_LANES},
    {"Replays Since Reset", "", "replay_counter", OTHER, FACT_REPLAYS},
    {"Replay Number Rollovers", "", "replay_rollover_counter", OTHER,
     FACT_ROLLOVERS},
    {"Performance State", "pstate", "performance_state", OTHER, FACT_PSTATE},
    {"Idle", "clocks_event_reasons.gpu_idle", "clocks_event_reason_gpu_idle",
     OTHER, FACT_IDLE},
    {"Device Id", "pci.device_id", "pci_device_id", OTHER, FACT_DEVICE},
    {"GPU UUID", "uuid", "uuid", OTHER, FACT_UUID},
    {"Product Name", "name", "product_name", OTHER, FACT_TITLE},
    {"", "gpu_name", "", OTHER, FACT_TITLE},
    /* Of newer and older drivers. */
    {"", "pcie.link.gen.gpucurrent", "", OTHER, FACT_GEN},
    {"", "clocks_throttle_reasons.gpu_idle", "clocks_throttle_reason_gpu_idle",
     OTHER, FACT_IDLE},
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
	if (kind == FACT_UUID || kind == FACT_TITLE) {
		char *name = xasprintf(
		    "%s%s",
		    kind == FACT_UUID || strstr(text, "NVIDIA") ? ""
		                                                : "NVIDIA ",
		    text);

		facts_add(facts, facts->smi.bdf, kind, FROM_SMI, (double)NAN,
		          name);
		free(name);
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

/*
 * The header of --format=csv, or what a command line asks for: it must name the
 * bus or a link.
 */
static bool
take_header(struct fact_smi *smi, const char *line)
{
	static const char option[] = "--query-gpu=";
	const char *command = strstr(line, option);
	char field[64], list[1024];
	bool named = false;

	if (command) {
		command += strlen(option);
		snprintf(list, sizeof list, "%.*s",
		         (int)strcspn(command, " \"'`"), command);
		line = list;
	}
	if (!strstr(line, "pci.bus_id") && !strstr(line, "gpu_bus_id") &&
	    !strstr(line, "pcie.link."))
		return false;
	smi->rows = 0;
	for (smi->columns = 0; *line && smi->columns < SMI_COLUMNS;) {
		unsigned char *column = &smi->column[smi->columns++];

		next_field(&line, field);
		/* "power.draw [W]" */
		field[strcspn(field, " ")] = '\0';
		*column = SMI_NOTHING;
		if (!strcmp(field, "pci.bus_id") ||
		    !strcmp(field, "gpu_bus_id"))
			*column = SMI_BUS;
		else if (!strcmp(field, "index"))
			*column = SMI_INDEX;
		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			if (*field && !strcmp(field, values[i].column))
				*column = (unsigned char)i;
		}
		named |=
		    *column == SMI_BUS || (*column < ARRAY_LEN(values) &&
		                           values[*column].heading != OTHER);
	}
	smi->columns = named ? smi->columns : 0;
	return named;
}

/*
 * What follows is of this GPU, or of one without an address: gpu0, gpu1 and so
 * on by its number, if the text is NULL. False if it is no address.
 */
static bool
begin_gpu(struct facts *facts, const char *text, unsigned long n)
{
	struct fact_smi *smi = &facts->smi;
	char bdf[BDF_MAX];

	if (!text)
		snprintf(bdf, sizeof bdf, "gpu%lu", n % 1000);
	else if (!parse_bdf(text, bdf))
		return false;
	memcpy(smi->bdf, bdf, sizeof bdf);
	smi->numbered = !text;
	smi->heading = OTHER;
	smi->wide = false;
	smi->shown++;
	facts_add(facts, bdf, FACT_CLASS, FROM_SMI, (double)NAN, "0x030000");
	return true;
}

/* Whether a field may be in a column; one of a link is a small number. */
static bool
may_be(size_t column, const char *field)
{
	char bdf[BDF_MAX], *end;
	unsigned long number = strtoul(field, &end, 10);
	bool link =
	    column < ARRAY_LEN(values) && values[column].heading != OTHER;

	return column == SMI_BUS ? parse_bdf(field, bdf)
	       : link || column == SMI_INDEX
	           ? (end > field && number <= 99) || strstr(field, "N/A")
	           : true;
}

/* A row below such a header. */
static bool
take_row(struct facts *facts, const char *line)
{
	struct fact_smi *smi = &facts->smi;
	const char *at = line;
	char field[64], bus[64] = "";
	unsigned long index = smi->rows;
	size_t n = 0;

	for (; n < smi->columns && *at; n++) {
		next_field(&at, field);
		if (!may_be(smi->column[n], field))
			return false;
		if (smi->column[n] == SMI_BUS)
			memcpy(bus, field, sizeof bus);
		else if (smi->column[n] == SMI_INDEX)
			index = strtoul(field, NULL, 10);
	}
	if (n < smi->columns || *at)
		return false;
	smi->rows++;
	begin_gpu(facts, *bus ? bus : NULL, index);
	at = line;
	for (size_t i = 0; i < smi->columns; i++) {
		next_field(&at, field);
		if (smi->column[i] < ARRAY_LEN(values))
			add_value(facts, smi->column[i], field);
	}
	return true;
}

/* A log begins, of so many GPUs. */
static void
announce(struct fact_smi *smi, const char *number)
{
	if (smi->attached > smi->shown + smi->lacks)
		smi->lacks = smi->attached - smi->shown;
	smi->attached = strtoul(number, NULL, 10);
	smi->shown = 0;
}

void
facts_take_smi_tag(struct facts *facts, const char *text)
{
	const struct xml *x = &facts->xml.xml;
	char value[64];

	snprintf(value, sizeof value, "%.*s", (int)strcspn(text, "<"), text);
	if (xml_is(x, "attached_gpus"))
		announce(&facts->smi, value);
	if (xml_is(x, "gpu")) {
		xml_value(x, "id", value, sizeof value);
		if (!begin_gpu(facts, value, 0))
			*facts->smi.bdf = '\0';
	}
	if (facts->xml.document != XML_SMI || !*facts->smi.bdf)
		return;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		if (*values[i].element && xml_is(x, values[i].element))
			add_value(facts, i, value);
	}
}

/* A line that begins a GPU in -q; grep may have left its link alone. */
static bool
take_start(struct facts *facts, const char *line, const char *colon)
{
	struct fact_smi *smi = &facts->smi;
	bool other = !smi->inside || (smi->numbered && smi->wide);

	if (!strncmp(line, "GPU ", 4) && strlen(line) < 24 &&
	    begin_gpu(facts, line + 4, 0))
		return true;
	if (colon && !smi->inside && !strncmp(line, "Bus Id ", 7))
		return begin_gpu(facts, colon + 3, 0);
	return other &&
	       (!strcmp(line, "GPU Link Info") ||
	        !strcmp(line, headings[GENERATION])) &&
	       begin_gpu(facts, NULL, smi->shown);
}

bool
facts_take_smi(struct facts *facts, const char *line)
{
	struct fact_smi *smi = &facts->smi;
	const char *colon = strstr(line, " : ");
	bool starts = take_start(facts, line, colon);

	if (starts) {
		smi->inside = true;
		smi->columns = 0;
	}
	if (colon && !strncmp(line, "Attached GPUs", 13))
		announce(smi, colon + 3);
	if (take_header(smi, line) || (smi->columns && take_row(facts, line))) {
		smi->inside = false;
		return true;
	}
	if (smi->rows && *line)
		smi->columns = 0;
	if (!smi->inside)
		return strstr(line, "NVSMI LOG") != NULL;
	if (!colon) {
		smi->heading = find_word(line, headings, OTHER);
		smi->wide |= smi->heading == WIDTH;
		return starts || smi->heading < OTHER;
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
