/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A GPU reached by Vulkan: what its driver adds to a session. */
#ifndef PCB_COLLECT_VULKAN_GPU_H
#define PCB_COLLECT_VULKAN_GPU_H

#include "collect/gpu/gpu.h"
#include "collect/vulkan/device.h"
#include "collect/vulkan/programs.h"

/* Which clock times a latency: -O clock. */
enum vulkan_clock { CLOCK_AUTO, CLOCK_SUBGROUP, CLOCK_DEVICE };

struct vulkan_gpu {
	struct gpu gpu; /* first: the session's state is both */
	struct vulkan_device device;
	struct program program; /* of all */
	VkPipeline pipeline[NPROGRAMS], spin;
	struct vulkan_buffer order, results, sink;
	struct vulkan_buffer staging; /* that the host sees */
	struct vulkan_buffer window;  /* memory that was imported */
	struct vulkan_buffer scratch; /* of the copy queue */
	double turn_ns, tick_ns;      /* of `spin`, about; 0: not known yet */
};

/* options.c: the table of -O, and what was given. */
extern const struct backend_option vulkan_options[];
bool vulkan_settings_read(struct session *s, struct gpu_settings *set,
                          enum vulkan_clock *clock);

/*
 * probe.c, as `probe` of a backend: without a display function that the kernel
 * has a render node for, the library is not loaded.
 */
void vulkan_probe(const struct request *request, struct findings *list);

/* session.c: the functions by which a session uses the GPU; its programs. */
extern const struct gpu_driver vulkan_gpu_driver;
bool vulkan_prepare_programs(struct session *s);

/* clock.c: as read_ticks and describe_clock of a driver. */
bool vulkan_read_ticks(struct session *s, uint64_t duration,
                       struct gpu_ticks *ticks);
void vulkan_describe_clock(struct session *s);

/* copy.c: transfers by the copy queue, as `copy` of a driver. */
bool vulkan_copy(struct session *s, uint64_t want, struct gpu_total *total);

/* queue.c: compiles a module of n words, which are freed. */
bool vulkan_use(struct session *s, uint32_t *word, size_t n,
                VkPipeline *pipeline);

/*
 * chain.c, as `prove` of a driver: whether a chain of dependent loads takes as
 * many times one load as it has, and finds what the host has written. Where it
 * does not, a software driver's rows say so; else it fails.
 */
bool vulkan_prove_chain(struct session *s);

/*
 * Whether `length` loads in a chain take `length` times one, each less the
 * overhead of the clock; all in units of that.
 */
bool vulkan_chain_holds(double overhead, double one, double chain,
                        unsigned length);

#endif
