/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of benches in which the CPU reads: table and values. */
#include "collect/pio/options.h"

#include "collect/pio/reg_addr.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/pci/tree.h"

#include <stdlib.h>
#include <string.h>

/* Upper bound of CPUs. */
#define LOAD_MAX 65536

#define PIO_BENCHES (BENCH_BIT(LAT_CFG) | BENCH_BIT(LAT_MMIO))

const char *const hold_names[NHOLDS] = {
    [HOLD_IDLE] = "idle",   [HOLD_GOVERNOR] = "governor",
    [HOLD_POWER] = "power", [HOLD_PRIORITY] = "priority",
    [HOLD_ASPM] = "aspm",
};

static const char *
pio_parse_holds(const char *text, unsigned *holds)
{
	char *copy = xstrdup(text);
	char *rest = copy;
	const char *item, *why = NULL;

	*holds = 0;
	while (!why && (item = strsep(&rest, ","))) {
		size_t id = 0;

		while (id < NHOLDS && strcmp(item, hold_names[id]) != 0)
			id++;
		if (id == NHOLDS)
			why = "not aspm, idle, governor, power or priority";
		else
			*holds |= 1u << id;
	}
	free(copy);
	return why;
}

static const char *
pio_check_holds(const char *text)
{
	unsigned holds;

	return pio_parse_holds(text, &holds);
}

static const char *
pio_check_cross(const char *text)
{
	struct reg_addr addr;
	char bdf[BDF_MAX];

	return reg_addr_parse_of(text, bdf, &addr);
}

static const char *
pio_check_load(const char *text)
{
	uint64_t load;
	const char *why = parse_integer(text, &load);

	if (!why && (!load || load > LOAD_MAX))
		why = "not within 1 to 65536";
	return why;
}

const struct bench_option pio_bench_options[] = {
    {.name = "path", .help = "with -d BDF: the bridges above it, too"},
    {.name = "hold",
     .argument = "LIST",
     .help = "hold these during the run: aspm (off), idle, governor, power, "
             "priority",
     .words = "aspm idle governor power priority",
     .check = pio_check_holds,
     .is_list = true},
    {.name = "cross-traffic",
     .argument = "BDF[:REGISTER]",
     .help = "read this register before each sample",
     .check = pio_check_cross},
    {.name = "load-threads",
     .argument = "N",
     .help = "let N other CPUs read the same registers",
     .check = pio_check_load},
    {.name = NULL},
};

unsigned
pio_holds(const struct request *request)
{
	const char *text = bench_option(request, "hold");
	unsigned holds = 0;

	if (text)
		pio_parse_holds(text, &holds);
	return holds;
}

uint64_t
pio_load(const struct request *request)
{
	const char *text = bench_option(request, "load-threads");
	uint64_t load = 0;

	if (text)
		parse_integer(text, &load);
	return load;
}

/* The full BDF, with the register if that is another one than measured. */
static char *
pio_cross_cell(const char *text)
{
	struct reg_addr addr = {.bar = CONFIG_SPACE, .offset = NO_OFFSET};
	char bdf[BDF_MAX], at[REG_ADDR_TEXT_MAX];

	reg_addr_parse_of(text, bdf, &addr);
	if (addr.offset == NO_OFFSET)
		return xstrdup(bdf);
	reg_addr_format(&addr, at);
	return xasprintf("%s:%s", bdf, at);
}

static char *
pio_load_cell(const char *text)
{
	uint64_t load = 0;

	parse_integer(text, &load);
	return xasprintf("%ju", (uintmax_t)load);
}

const struct option_column pio_columns[] = {
    {"cross-traffic", "cross_traffic", PIO_BENCHES, pio_cross_cell},
    {"load-threads", "load", PIO_BENCHES, pio_load_cell},
    {0},
};
