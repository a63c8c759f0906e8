/* What the programs do that pcb-collect loads, and how long it takes. */
#include "libcuda.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MHZ     1500
#define STEP_NS 32

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
calibrate(const struct ptx_args *args)
{
	static unsigned calibrations;
	uint64_t end = now();
	uint64_t mhz = is("frozen") ? 0 : MHZ;

	calibrations++;
	if (is("restless") || (is("drifting") && calibrations > 16))
		mhz += UINT64_C(50) * (calibrations % 2);
	*(struct ptx_ticks *)memory_at(args->journal) = (struct ptx_ticks){
	    .ns0 = end - args->duration,
	    .ns1 = end,
	    .cycles0 = 1000,
	    .cycles1 = 1000 + args->duration * mhz / 1000,
	    .step = STEP_NS,
	    .sm = 3,
	};
}

static void
overhead(const struct ptx_args *args)
{
	uint32_t *cycles = memory_at(args->journal);

	for (uint32_t i = 0; i < args->count; i++)
		cycles[i] = 33 + i % 2;
}

static void
fill(const struct ptx_args *args)
{
	static unsigned times;
	uint32_t *word = memory_at(args->buffer);
	bool lost = is("deaf") || (times++ && is("tired"));

	for (uint32_t i = 0; !lost && i < args->count; i++)
		word[i] = args->magic + i;
}

static void
sum(const struct ptx_args *args)
{
	const uint32_t *word = memory_at(args->buffer);
	uint32_t *result = memory_at(args->journal);

	for (uint32_t i = 0, n = is("blind") ? 0 : args->count; i < n; i++)
		*result += word[i];
}

/* The transfer that the text is about, as its first line says. */
static bool
about(const struct cuda_module *module, char bench[16], unsigned *size)
{
	const char *comma = strchr(module->text, ',');

	if (strncmp(module->text, "// ", 3) != 0 || !comma)
		return false;
	snprintf(bench, 16, "%.*s", (int)(comma - module->text - 3),
	         module->text + 3);
	*size = (unsigned)strtoul(comma + 1, NULL, 10);
	return *size;
}

/* A place outside of the buffer would be an error of the bus. */
static bool
touch(const struct ptx_args *args, uint32_t unit, unsigned size, bool write)
{
	unsigned char *at = (unsigned char *)memory_at(args->buffer) +
	                    (uint64_t)unit * args->unit;

	if (at < registered || at + size > registered + registered_size)
		return false;
	if (write)
		memset(at, 1, size);
	else if (is("warming"))
		(void)*(volatile unsigned char *)at;
	return true;
}

/* Whether a cache of the device answers, at least what is an ordinary load. */
static bool
is_cached(const struct cuda_module *module)
{
	return is("cached") ||
	       (is("keeping") && strstr(module->text, "ld.volatile.global.u32 "
	                                              "%v0"));
}

static int
transfer_one_by_one(const struct cuda_module *module,
                    const struct ptx_args *args, const char *bench,
                    unsigned size)
{
	const uint32_t *order = memory_at(args->order);
	uint32_t *cycles = memory_at(args->journal);
	bool write = !strcmp(bench, "lat_wrrd");
	FILE *units = open_record("FAKE_CUDA_UNITS");

	for (uint32_t i = 0; i < args->count; i++) {
		bool same = i && order[i] == order[i - 1];

		if (!touch(args, order[i], size, write))
			return LAUNCH_FAILED;
		if (units)
			fprintf(units, "%u %u\n", size, order[i]);
		cycles[i] = (write ? 1800 : 1500) + i % 100;
		if (same && is_cached(module))
			cycles[i] = 400;
	}
	if (units)
		fclose(units);
	return SUCCESS;
}

static int
transfer_by_workers(const struct ptx_args *args, const char *bench,
                    unsigned size)
{
	const uint32_t *order = memory_at(args->order);
	struct ptx_span *span = memory_at(args->journal);
	uint64_t pace = (uint64_t)size * args->workers / BYTES_PER_NS;
	bool write = strcmp(bench, "bw_rd") != 0;

	for (uint32_t i = 0; i < args->count; i++) {
		if (!touch(args, order[i], size, write))
			return LAUNCH_FAILED;
	}
	for (uint32_t i = 0; i < args->workers; i++) {
		struct ptx_span *at = &span[i];

		at->start = 1000000 + i % 7 * STEP_NS;
		if (is("apart"))
			at->start += UINT64_C(2) * i * args->each * pace;
		at->from = at->start + args->lead * pace;
		at->to = at->from + args->each * pace;
		at->end = at->to + args->lead * pace;
	}
	return SUCCESS;
}

static int
transfer(const struct cuda_module *module, const struct ptx_args *args)
{
	char bench[16];
	unsigned size;

	if (!about(module, bench, &size))
		return LAUNCH_FAILED;
	return strncmp(bench, "lat", 3) != 0
	           ? transfer_by_workers(args, bench, size)
	           : transfer_one_by_one(module, args, bench, size);
}

int
run_program(const struct cuda_module *module, const char *entry,
            const struct ptx_args *args)
{
	if (!strcmp(entry, "pcb_calibrate"))
		calibrate(args);
	else if (!strcmp(entry, "pcb_overhead"))
		overhead(args);
	else if (!strcmp(entry, "pcb_fill"))
		fill(args);
	else if (!strcmp(entry, "pcb_sum"))
		sum(args);
	else if (!strcmp(entry, "pcb_transfer"))
		return transfer(module, args);
	return SUCCESS;
}
