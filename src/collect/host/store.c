/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and stores of device memory, by instruction and width. */
#include "collect/host/store.h"

#include "common/base/util.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static bool
always(void)
{
	return true;
}

#if defined(__x86_64__)

/* mov, movnti, AVX, AVX-512 and MOVDIR64B; Intel SDM vol. 2 ---------------- */

/* The builtin also checks that the kernel saves these registers (XCR0). */
static bool
has_avx(void)
{
	return __builtin_cpu_supports("avx");
}

static bool
has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool
has_movdir64b(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & 1u << 28);
}

/*
 * Copies once through a register. CLEAN_UP zeroes upper halves, which would
 * slow down SSE code afterwards.
 */
#define ACCESS(load, store, reg)                                               \
	__asm__ volatile(load " (%1), %%" reg "\n\t" store " %%" reg ", (%0)"  \
	                 :                                                     \
	                 : "r"(to + i), "r"(from + i)                          \
	                 : "memory", CLOBBERED)

#define DEFINE_COPY(name, width, load, store, reg, after)                      \
	static void name(volatile void *target, const volatile void *source,   \
	                 size_t bytes)                                         \
	{                                                                      \
		volatile unsigned char *to = target;                           \
		const volatile unsigned char *from = source;                   \
                                                                               \
		for (size_t i = 0; i < bytes; i += (width))                    \
			ACCESS(load, store, reg);                              \
		after;                                                         \
	}

#define CLEAN_UP __asm__ volatile("vzeroupper" ::: "memory", "xmm0")

#define CLOBBERED "rax"
DEFINE_COPY(copy_4, 4, "movl", "movl", "eax", (void)0)
DEFINE_COPY(copy_8, 8, "movq", "movq", "rax", (void)0)
DEFINE_COPY(copy_nt4, 4, "movl", "movntil", "eax", (void)0)
DEFINE_COPY(copy_nt8, 8, "movq", "movntiq", "rax", (void)0)
#undef CLOBBERED

#define CLOBBERED "xmm0"
DEFINE_COPY(copy_16, 16, "vmovdqu", "vmovdqu", "xmm0", CLEAN_UP)
DEFINE_COPY(copy_32, 32, "vmovdqu", "vmovdqu", "ymm0", CLEAN_UP)
DEFINE_COPY(copy_64, 64, "vmovdqu64", "vmovdqu64", "zmm0", CLEAN_UP)
#undef CLOBBERED

static void
copy_direct(volatile void *target, const volatile void *source, size_t bytes)
{
	volatile unsigned char *to = target;
	const volatile unsigned char *from = source;

	for (size_t i = 0; i < bytes; i += 64)
		__asm__ volatile("movdir64b (%1), %0"
		                 :
		                 : "r"(to + i), "r"(from + i)
		                 : "memory");
}

static const struct store mov = {
    .name = "mov",
    .is_there = always,
    .copy = {copy_4, copy_8},
    .reads = true,
};

static const struct store movnt = {
    .name = "movnt",
    .is_there = always,
    .copy = {copy_nt4, copy_nt8},
};

static const struct store avx = {
    .name = "avx",
    .is_there = has_avx,
    .copy = {copy_4, copy_8, copy_16, copy_32},
    .reads = true,
};

static const struct store avx512 = {
    .name = "avx512",
    .is_there = has_avx512,
    .copy = {copy_4, copy_8, copy_16, copy_32, copy_64},
    .reads = true,
};

static const struct store movdir64b = {
    .name = "movdir64b",
    .is_there = has_movdir64b,
    .copy = {NULL, NULL, NULL, NULL, copy_direct},
};

const struct store *const stores[] = {&mov,    &movnt,     &avx,
                                      &avx512, &movdir64b, NULL};

#else

/* Other processors: in C --------------------------------------------------- */

#define DEFINE_COPY(name, type)                                                \
	static void name(volatile void *target, const volatile void *source,   \
	                 size_t bytes)                                         \
	{                                                                      \
		volatile type *to = target;                                    \
		const volatile type *from = source;                            \
                                                                               \
		for (size_t i = 0; i < bytes / sizeof *to; i++)                \
			to[i] = from[i];                                       \
	}

DEFINE_COPY(copy_4, uint32_t)
DEFINE_COPY(copy_8, uint64_t)

static const struct store mov = {
    .name = "mov",
    .is_there = always,
    .copy = {copy_4, copy_8},
    .reads = true,
};

const struct store *const stores[] = {&mov, NULL};

#endif

/* By name and width -------------------------------------------------------- */

const struct store *
store_find(const char *name)
{
	for (const struct store *const *s = stores; *s; s++) {
		if (!strcmp((*s)->name, name))
			return *s;
	}
	return NULL;
}

size_t
store_width(const struct store *store, uint64_t size, bool writes)
{
	for (size_t i = STORE_WIDTHS; i--;) {
		if (store->copy[i] && (writes || store->reads) && size &&
		    size % (4u << i) == 0)
			return i;
	}
	return STORE_WIDTHS;
}

const struct store *
store_default(void)
{
	const struct store *widest = stores[0];

	for (const struct store *const *s = stores; *s; s++) {
		if (store_width(*s, 4, true) == 0 &&
		    store_width(*s, 4, false) == 0 && (*s)->is_there())
			widest = *s;
	}
	return widest;
}

char *
store_names(void)
{
	char *text = NULL;

	for (const struct store *const *s = stores; *s; s++)
		xappend(&text, ", ", "%s", (*s)->name);
	return text;
}
