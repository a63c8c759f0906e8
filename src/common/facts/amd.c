/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of rocm-smi and amd-smi, which number GPUs and say their addresses, if
 * at all, apart.
 */
#include "common/base/util.h"
#include "common/facts/facts.h"

static const struct {
	const char *key;     /* of rocm-smi; of amd-smi, in capitals */
	enum fact_kind kind; /* NFACTS: its address */
	const char *section; /* of amd-smi, above it; or NULL: any */
} values[] = {
    {"pcie clock level", FACT_GEN, NULL},
    {"PCIe Replay Count", FACT_REPLAYS, NULL},
    {"PCI Bus", NFACTS, NULL},
    {"(Topology) Numa Affinity", FACT_NODE, NULL},
    {"BDF", NFACTS, NULL},
    {"Device ID", FACT_DEVICE, NULL},
    {"GPU ID", FACT_DEVICE, NULL},
    {"DEVICE_ID", FACT_DEVICE, "ASIC"},
    {"Card Series", FACT_TITLE, NULL},
    {"Card series", FACT_TITLE, NULL},
    {"MARKET_NAME", FACT_TITLE, "ASIC"},
    {"MAX_PCIE_WIDTH", FACT_MAX_LANES, NULL},
    {"MAX_PCIE_LANES", FACT_MAX_LANES, NULL},
    {"MAX_PCIE_SPEED", FACT_MAX_GEN, NULL},
    {"WIDTH", FACT_LANES, "PCIE"},
    {"SPEED", FACT_GEN, "PCIE"},
    {"CURRENT_LANES", FACT_LANES, "PCIE"},
    {"CURRENT_SPEED", FACT_GEN, "PCIE"},
    {"REPLAY_COUNT", FACT_REPLAYS, "PCIE"},
    {"REPLAY_ROLL_OVER_COUNT", FACT_ROLLOVERS, "PCIE"},
};

static void
add(struct facts *facts, enum fact_kind kind, unsigned long number)
{
	char name[BDF_MAX];

	snprintf(name, sizeof name, "gpu%zu", facts->amd.gpu);
	facts_add(facts, name, kind, FROM_AMD,
	          kind == FACT_VENDOR || kind == FACT_DEVICE ? "0x%04lx"
	                                                     : "%lu",
	          number);
}

/* "1 (8.0GT/s, x16)" of rocm-smi; "32 GT/s", or "32000 MT/s" */
static void
add_rate(struct facts *facts, enum fact_kind kind, const char *text)
{
	const char *level = strchr(text, '('), *lanes = strchr(text, 'x');
	double rate = strtod(level ? level + 1 : text, NULL);
	unsigned gen = facts_gen(rate > 1000 ? rate / 1000 : rate);
	unsigned long width = level && lanes ? strtoul(lanes + 1, NULL, 10) : 0;

	if (!gen)
		return;
	add(facts, kind, gen);
	/* The lanes of the lowest level are those of a table. */
	if (width && width <= 32 && gen > 1)
		add(facts, FACT_LANES, width);
}

static void
add_value(struct facts *facts, enum fact_kind kind, const char *text)
{
	struct fact_amd *amd = &facts->amd;
	bool count = kind == FACT_REPLAYS || kind == FACT_ROLLOVERS;
	unsigned long number =
	    strtoul(text, NULL, kind == FACT_DEVICE ? 16 : 10);
	char word[BDF_MAX], gpu[BDF_MAX];

	snprintf(gpu, sizeof gpu, "gpu%zu", amd->gpu);
	if (kind == NFACTS) {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "),
		         text);
		parse_bdf(word, amd->bdf[amd->gpu]);
		facts_add(facts, gpu, FACT_CLASS, FROM_AMD, "0x038000");
	} else if (kind == FACT_TITLE) {
		facts_add(facts, gpu, kind, FROM_AMD, "AMD %s", text);
	} else if (kind == FACT_NODE) {
		if (*text == '-' || (*text >= '0' && *text <= '9'))
			facts_add(facts, gpu, kind, FROM_AMD, "%ld",
			          strtol(text, NULL, 10));
	} else if (kind == FACT_GEN || kind == FACT_MAX_GEN) {
		add_rate(facts, kind, text);
	} else if (kind == FACT_DEVICE && number && number < 0xffff) {
		add(facts, FACT_VENDOR, 0x1002);
		add(facts, FACT_DEVICE, number);
	} else if (*text >= '0' && *text <= '9' &&
	           (count || (number && number <= 32))) {
		add(facts, kind, number);
	}
}

/* "KEY: VALUE" of a GPU; false if it is none that matters. */
static bool
take_value(struct facts *facts, const char *text)
{
	struct fact_amd *amd = &facts->amd;
	const char *colon = strstr(text, ": ");
	size_t n;

	if (!colon)
		return false;
	n = (size_t)(colon - text);
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		if (n != strlen(values[i].key) ||
		    strncmp(text, values[i].key, n) != 0 ||
		    (values[i].section &&
		     strcmp(amd->section, values[i].section) != 0))
			continue;
		add_value(facts, values[i].kind, colon + 2);
		return true;
	}
	return false;
}

bool
facts_take_amd(struct facts *facts, const char *line)
{
	struct fact_amd *amd = &facts->amd;
	char number[4];
	int n = 0;

	if ((sscanf(line, "GPU[%3[0-9]]%n", number, &n) == 1 ||
	     sscanf(line, "GPU %3[0-9] :%n", number, &n) == 1) &&
	    n && line[n]) {
		line += (size_t)n + strspn(line + n, " :");
		amd->gpu = strtoul(number, NULL, 10) % AMD_GPUS;
		*amd->section = '\0';
		return take_value(facts, line);
	}
	/* "GPU 0:" in early versions */
	if ((sscanf(line, "GPU: %3[0-9]%n", number, &n) == 1 ||
	     sscanf(line, "GPU %3[0-9]:%n", number, &n) == 1) &&
	    n && !line[n]) {
		amd->gpu = strtoul(number, NULL, 10) % AMD_GPUS;
		snprintf(amd->section, sizeof amd->section, "GPU");
		return true;
	}
	if (!strncmp(line, "CPU: ", 5))
		*amd->section = '\0';
	if (!*amd->section)
		return false;
	n = (int)strlen(line);
	if (n && line[n - 1] == ':') {
		snprintf(amd->section, sizeof amd->section, "%.*s", n - 1,
		         line);
		return false;
	}
	return take_value(facts, line);
}

void
facts_place_amd(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		struct fact *f = &facts->item[i];
		size_t gpu = strtoul(f->bdf + 3, NULL, 10);

		if (f->source == FROM_AMD && f->kind < FACT_WAY &&
		    !strncmp(f->bdf, "gpu", 3) && gpu < AMD_GPUS &&
		    *facts->amd.bdf[gpu])
			memcpy(f->bdf, facts->amd.bdf[gpu], sizeof f->bdf);
	}
}
