/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of a device, and the constants that make each of them. */
#include "collect/vulkan/gpu.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

/* The build compiles programs.comp for each LANE and CLOCK. */
#include "collect/vulkan/program_16_1.h"
#include "collect/vulkan/program_16_3.h"
#include "collect/vulkan/program_4_1.h"
#include "collect/vulkan/program_4_3.h"
#include "collect/vulkan/program_8_1.h"
#include "collect/vulkan/program_8_3.h"

/* A chain may differ by this part from the sum of its loads. */
#define TOLERANCE 0.25

/* Words of data that one invocation can have in flight. */
#define WORDS_MOST 64

static struct module
make(const struct program *p, unsigned bytes_per_lane, uint32_t number)
{
#define MODULE(words)                                                          \
	{                                                                      \
		.word = (words), .size = sizeof(words)                         \
	}
	static const struct module modules[2][3] = {
	    {MODULE(program_4_1), MODULE(program_8_1), MODULE(program_16_1)},
	    {MODULE(program_4_3), MODULE(program_8_3), MODULE(program_16_3)}};
	struct module module =
	    modules[p->scope == SPIRV_SUBGROUP][bytes_per_lane / 8];

	module.constant[CONSTANT_LANES] = p->lanes;
	module.constant[CONSTANT_PROGRAM] = number;
	return module;
}

static unsigned
rows_of(const struct gpu_transfer *t)
{
	return (unsigned)div_round_up(t->size,
	                              (uint64_t)t->lanes * t->bytes_per_lane);
}

const char *
program_check(const struct gpu_transfer *t, uint64_t offset)
{
	unsigned lane = t->bytes_per_lane;

	if (!t->size)
		return "a transfer of 0 bytes";
	if (t->engine == ENGINE_CE)
		return gpu_is_latency(t)
		           ? "the copy queue measures bandwidth only"
		           : NULL;
	if (lane != 4 && lane != 8 && lane != 16)
		return "a lane takes 4, 8 or 16 bytes";
	if (t->size % lane || offset % lane)
		return "size and offset must be multiples of 4 bytes and of "
		       "what a lane takes";
	if (rows_of(t) * (lane / 4) > WORDS_MOST)
		return "too large: a lane of the subgroup holds 256 bytes";
	if (t->wrrd == WRRD_SECTOR && offset % 64 + t->size > 32)
		return "wrrd=sector writes within the first 32 bytes of a line";
	return NULL;
}

struct module
program_transfer(const struct program *p, const struct gpu_transfer *t)
{
	bool fence = t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE;
	unsigned row = p->lanes * t->bytes_per_lane;
	struct module m =
	    make(p, t->bytes_per_lane,
	         gpu_is_latency(t) ? NUMBER_LATENCY : NUMBER_BANDWIDTH);

	m.constant[CONSTANT_READS] = gpu_reads(t);
	m.constant[CONSTANT_WRITES] = gpu_writes(t);
	m.constant[CONSTANT_BARRIER] = gpu_writes(t) && fence;
	m.constant[CONSTANT_ROWS] = t->size / row;
	m.constant[CONSTANT_LEFT] = t->size % row / t->bytes_per_lane;
	m.constant[CONSTANT_BESIDE] = t->wrrd == WRRD_SECTOR ? 32 : 0;
	m.constant[CONSTANT_STEP_SHIFT] = GPU_STEP_SHIFT;
	m.constant[CONSTANT_SPAN] = sizeof(struct gpu_span);
	return m;
}

struct module
program_chain(const struct program *p, unsigned length)
{
	struct module m = make(p, 4, NUMBER_CHAIN);

	m.constant[CONSTANT_LENGTH] = length;
	return m;
}

bool
program_chain_holds(double overhead, double one, double chain, unsigned length)
{
	double alone = one - overhead;
	double ratio = alone > 0 ? (chain - overhead) / (alone * length) : 0;

	return ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE;
}

struct module
program_support(const struct program *p, unsigned which)
{
	static const uint32_t number[NPIPELINES] = {
	    [GPU_OVERHEAD] = NUMBER_OVERHEAD, [GPU_LOAD] = NUMBER_LOAD,
	    [GPU_FILL] = NUMBER_FILL,         [GPU_SUM] = NUMBER_SUM,
	    [PROGRAM_SPIN] = NUMBER_SPIN,
	};

	return make(p, 4, number[which]);
}
