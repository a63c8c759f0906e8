/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A GPU through Vulkan: what the driver adds to a session. */
#ifndef PCB_COLLECT_VULKAN_GPU_H
#define PCB_COLLECT_VULKAN_GPU_H

#include "collect/gpu/gpu.h"
#include "collect/vulkan/device.h"
#include "collect/vulkan/programs.h"

/* The clock that times latencies: -O clock. */
enum vulkan_clock { CLOCK_AUTO, CLOCK_SUBGROUP, CLOCK_DEVICE };

struct vulkan_gpu {
	struct gpu gpu; /* first: the session's state is both */
	struct vulkan_device device;
	struct program program; /* properties of all programs */
	VkPipeline pipeline[NPROGRAMS], spin;
	struct vulkan_buffer order, results, sink;
	struct vulkan_buffer staging; /* visible to the host */
	struct vulkan_buffer window;  /* imported host memory */
	struct vulkan_buffer scratch; /* for the copy queue */
	double turn_ns, tick_ns;      /* of `spin`, estimated; 0: unknown yet */
};

/* options.c: the table of -O, and the values given. */
extern const struct backend_option vulkan_options[];
bool vulkan_settings_read(struct session *s, struct gpu_settings *set,
                          enum vulkan_clock *clock);

/*
 * probe.c: `probe` of a backend. Loads the library only if the kernel has a
 * render node for a display function.
 */
void vulkan_probe(const struct request *request, struct findings *list);

/* session.c: the driver's functions for a session; its programs. */
extern const struct gpu_driver vulkan_gpu_driver;
bool vulkan_prepare_programs(struct session *s);

/* clock.c: read_ticks and describe_clock of a driver. */
bool vulkan_read_ticks(struct session *s, uint64_t duration,
                       struct gpu_ticks *ticks);
void vulkan_describe_clock(struct session *s);

/* copy.c: `copy` of a driver, by the copy queue. */
bool vulkan_copy(struct session *s, uint64_t want, struct gpu_total *total);

/* queue.c: compiles a module of n words, and frees them. */
bool vulkan_use(struct session *s, uint32_t *word, size_t n,
                VkPipeline *pipeline);

/*
 * chain.c: `prove` of a driver. Fails unless a chain of n dependent loads takes
 * n times as long as one load and finds the data that the host has written;
 * with a software driver the rows record it instead.
 */
bool vulkan_prove_chain(struct session *s);

/*
 * Whether `length` chained loads take `length` times one load, both without the
 * overhead of the clock. All times are in its units.
 */
bool vulkan_chain_holds(double overhead, double one, double chain,
                        unsigned length);

#endif
