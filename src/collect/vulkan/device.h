/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open device: memory, programs, queues. */
#ifndef PCB_COLLECT_VULKAN_DEVICE_H
#define PCB_COLLECT_VULKAN_DEVICE_H

#include "collect/vulkan/loader.h"
#include "common/pci/tree.h"

/* A buffer in device memory or host memory. */
struct vulkan_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint64_t address; /* device address */
	void *mapped;     /* NULL: not visible to the host */
};

/* A queue and its command list. */
struct vulkan_queue {
	VkQueue queue;
	uint32_t family;
	uint64_t stamp_mask; /* valid bits of timestamps */
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkFence fence;
	VkQueryPool stamps; /* two */
	bool under_way;     /* submitted and not waited for */
};

struct vulkan_device {
	struct vulkan vk;
	VkPhysicalDevice physical;
	VkDevice device; /* NULL: not open */
	struct vulkan_queue compute;
	struct vulkan_queue copy; /* only if `copies` */
	bool copies;
	VkPipelineLayout layout;
	VkPhysicalDeviceMemoryProperties heaps;

	unsigned number; /* index in the library's list */
	uint32_t vendor; /* PCI vendor ID */
	VkPhysicalDeviceType type;
	char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
	char driver[VK_MAX_DRIVER_INFO_SIZE + VK_MAX_DRIVER_NAME_SIZE + 2];
	char bdf[BDF_MAX]; /* "" if no PCI function */
	unsigned lanes;    /* of a subgroup */
	bool fixed_lanes;  /* a pipeline can require this number */
	bool subgroup_clock, device_clock;
	double stamp_ns;    /* of a timestamp unit */
	uint64_t alignment; /* of imported host memory */
};

/*
 * Opens the device with this BDF or index. NULL chooses the first that is not a
 * software driver, else the first. False after fail(), STATUS_ABSENT if there
 * is none or its driver lacks a feature; the reason names drivers with that.
 * `copies` requests a queue for copies, too. Close it in either case.
 */
bool vulkan_device_open(struct session *s, struct vulkan_device *d,
                        const char *which, bool copies);
void vulkan_device_close(struct vulkan_device *d);

/* Whether the device could be opened, without opening it. */
bool vulkan_device_check(struct session *s, struct vulkan_device *d,
                         const char *which);

/* Whether the driver runs on the CPU; whether the device shares its memory. */
bool vulkan_is_software(const struct vulkan_device *d);
bool vulkan_is_integrated(const struct vulkan_device *d);

/*
 * memory.c. Allocates device memory, or with `mapped` host memory; imports
 * existing host memory, in whole pages. Free it also after a failure.
 */
bool vulkan_allocate(struct session *s, struct vulkan_device *d,
                     struct vulkan_buffer *b, size_t size, bool mapped);
bool vulkan_import(struct session *s, struct vulkan_device *d,
                   struct vulkan_buffer *b, void *at, size_t size);
void vulkan_free(struct vulkan_device *d, struct vulkan_buffer *b);

/*
 * queue.c. Makes a pipeline of a module of n words; destroy takes
 * VK_NULL_HANDLE.
 */
bool vulkan_compile(struct session *s, struct vulkan_device *d,
                    const uint32_t *word, size_t n, VkPipeline *pipeline);
void vulkan_destroy(struct vulkan_device *d, VkPipeline *pipeline);

/*
 * Begins a list of commands once the last one is done; vulkan_submit runs it,
 * vulkan_wait waits for its end.
 */
bool vulkan_begin(struct session *s, struct vulkan_device *d,
                  struct vulkan_queue *q);
bool vulkan_submit(struct session *s, struct vulkan_device *d,
                   struct vulkan_queue *q);
bool vulkan_wait(struct session *s, struct vulkan_device *d,
                 struct vulkan_queue *q);

/* Appends a program to the compute queue, followed by a barrier. */
void vulkan_dispatch(struct vulkan_device *d, VkPipeline pipeline,
                     const void *arguments, uint32_t size, uint32_t groups);

/* Appends timestamp 0 or 1; stores the ns between them, once done. */
void vulkan_stamp(struct vulkan_device *d, struct vulkan_queue *q, uint32_t n);
bool vulkan_stamps(struct session *s, struct vulkan_device *d,
                   const struct vulkan_queue *q, double *ns);

/* Reads the device's clock and the host's raw clock together, in ns. */
bool vulkan_now(struct session *s, struct vulkan_device *d, uint64_t *device,
                uint64_t *host);

#endif
