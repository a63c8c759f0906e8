/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The range of each parameter, and the parsers of their texts. */
#include "common/sim/params.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

/* The index of a word in a comma-separated list of allowed ones. */
static const char *
parse_word(const char *words, const char *text, uint64_t *value)
{
	size_t length = strlen(text);

	for (uint64_t i = 0; length; i++) {
		size_t word = strcspn(words, ",");

		if (word == length && !strncmp(words, text, length)) {
			*value = i;
			return NULL;
		}
		if (!words[word])
			break;
		words += word + 1;
	}
	return "no such word";
}

static const char *
parse_interface(const char *text, uint64_t *value)
{
	return parse_word("engine,command", text, value)
	           ? "neither engine nor command"
	           : NULL;
}

static const char *
parse_switch(const char *text, uint64_t *value)
{
	return parse_word("off,on", text, value) ? "neither on nor off" : NULL;
}

/* A power of two: a page or a boundary. */
static const char *
parse_power(const char *text, uint64_t *value)
{
	uint64_t size = 0;
	const char *why = parse_size(text, &size);

	if (why)
		return why;
	if (!size || (size & (size - 1)))
		return "not a power of two";
	*value = size;
	return NULL;
}

/* The size of a region, or 0. */
static const char *
parse_region(const char *text, uint64_t *value)
{
	return strcmp(text, "0") ? parse_power(text, value)
	                         : parse_size(text, value);
}

/* Parser and range of each number. */
static const struct range {
	const char *(*parse)(const char *text, uint64_t *value);
	uint64_t least, most;
	const char *text;
} any_time = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
  million = {parse_count, 0, 1000000, "not within 0 to 1M"},
  some = {parse_count, 1, 65536, "not within 1 to 65536"},
  few = {parse_count, 1, 64, "not within 1 to 64"},
  drift = {parse_count, 0, 100000, "not within 0 to 100K"},
  ranges[SIM_NUMBERS] = {
      [SIM_INTERFACE] = {parse_interface, 0, 1, ""},
      [SIM_TICK] = {parse_time, 1, MILLISECOND, "not within 1ps to 1ms"},
      [SIM_CHUNK] = {parse_size, 4, 65536, "not within 4 to 64K"},
      [SIM_DLLP] = {parse_size, 0, 1024, "not within 0 to 1K"},
      [SIM_DATA_CREDITS] = {parse_count, 256, 65536, "not within 256 to 65536"},
      [SIM_COMBINE] = {parse_size, 0, 8192, "not within 0 to 8K"},
      [SIM_ALIGN] = {parse_power, 1, 64, "not within 1 to 64"},
      [SIM_CUT_WRITE] = {parse_power, 128, 4096, "not within 128 to 4K"},
      [SIM_LLC] = {parse_size, LINE, UINT64_C(4) << 30, "not within 64 to 4G"},
      [SIM_IOTLB_WAYS] = {parse_count, 0, 64, "not within 0 to 64"},
      [SIM_SPLIT] = {parse_count, 0, 64, "not within 0 to 64"},
      [SIM_DDIO_WAYS] = {parse_count, 0, 64, "not within 0 to 64"},
      [SIM_IOMMU] = {parse_switch, 0, 1, ""},
      [SIM_PAGE] = {parse_power, 4096, UINT64_C(1) << 30,
                    "not within 4K to 1G"},
      [SIM_WALK_ALONE] = {parse_region, 0, UINT64_C(1) << 39,
                          "not within 0 to 512G"},
      [SIM_WALK_CACHED] = {parse_count, 0, 100, "not within 0 to 100"},
      [SIM_STALL1] = {parse_time, 0, 1000 * MILLISECOND,
                      "not within 0ns to 1s"},
};

static const struct range *
range_of(enum sim_param param)
{
	switch (param) {
	case SIM_INFLIGHT:
	case SIM_WORKERS:
	case SIM_CREDITS:
	case SIM_IOTLB:
		return &some;
	case SIM_WAYS:
	case SIM_WALKS:
		return &few;
	case SIM_DRIFT:
		return &drift;
	case SIM_STALL1_ODDS:
	case SIM_STALL2_ODDS:
	case SIM_STALL3_ODDS:
		return &million;
	case SIM_STALL1_SPREAD:
	case SIM_STALL2:
	case SIM_STALL2_SPREAD:
	case SIM_STALL3:
	case SIM_STALL3_SPREAD:
		return &ranges[SIM_STALL1];
	default:
		return ranges[param].parse ? &ranges[param] : &any_time;
	}
}

static const char *
set_link(struct sim_params *params, const char *text)
{
	struct link link = params->link;
	const char *why = link_parse_brief(text, &link);

	if (!why && link.bus != BUS_PCIE)
		why = "only PCI Express is simulated";
	if (!why)
		why = link_check_mode(&link);
	if (!why)
		params->link = link;
	return why;
}

static const char *
set_number(struct sim_params *params, enum sim_param param, const char *text)
{
	const struct range *range = range_of(param);
	uint64_t *value = &params->number[param];
	const char *why = range->parse(text, value);

	if (!why && (*value < range->least || *value > range->most))
		why = range->text;
	return why;
}

enum sim_param
sim_param_find(const char *name)
{
	enum sim_param i = SIM_INTERFACE;

	while (i < SIM_NPARAMS && strcmp(sim_options[i].name, name) != 0)
		i++;
	return i;
}

const char *
sim_param_set(struct sim_params *params, enum sim_param param, const char *text)
{
	const char *why = param == SIM_LINK ? set_link(params, text)
	                                    : set_number(params, param, text);

	if (!why)
		params->text[param] = text;
	return why;
}

/* Units of sizes in the notation of IEC 80000-13. */
static const struct {
	const char *unit, *suffix;
} size_units[] = {{"B", ""}, {"KiB", "K"}, {"MiB", "M"}, {"GiB", "G"}};

static const char *
size_suffix(const char *unit)
{
	for (size_t i = 0; i < ARRAY_LEN(size_units); i++) {
		if (!strcmp(unit, size_units[i].unit))
			return size_units[i].suffix;
	}
	return NULL;
}

static bool
is_time_unit(const char *unit)
{
	static const char *const units[] = {"ps", "ns", "us", "ms"};

	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (!strcmp(unit, units[i]))
			return true;
	}
	return false;
}

const char *
sim_param_value(enum sim_param param, const char *value, const char *unit,
                char **text)
{
	const char *(*parse)(const char *, uint64_t *) =
	    param == SIM_LINK ? NULL : range_of(param)->parse;
	const char *suffix = "";

	if (parse == parse_time) {
		if (!is_time_unit(unit))
			return "the unit of a time is ps, ns, us or ms";
		suffix = unit;
	} else if (parse == parse_size || parse == parse_power ||
	           parse == parse_region) {
		suffix = size_suffix(unit);
		if (!suffix)
			return "the unit of a size is B, KiB, MiB or GiB";
	} else if (*unit) {
		return "this has no unit";
	}
	*text = xasprintf("%s%s", value, suffix);
	return NULL;
}
