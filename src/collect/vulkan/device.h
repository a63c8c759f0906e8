/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device that is open: its memory, its programs, its queue. */
#ifndef PCB_COLLECT_VULKAN_DEVICE_H
#define PCB_COLLECT_VULKAN_DEVICE_H

#include "collect/vulkan/loader.h"
#include "common/pci/function.h"

/* A buffer with memory of its own or of the host. */
struct vulkan_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint64_t address; /* in the device's view */
	void *mapped;     /* NULL: the host does not see it */
};

/* A queue, and the list of commands that goes into it. */
struct vulkan_queue {
	VkQueue queue;
	uint32_t family;
	uint64_t stamp_mask; /* bits of timestamps that count */
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkFence fence;
	VkQueryPool stamps; /* two */
	bool under_way;     /* commands that were not waited for */
};

struct vulkan_device {
	struct vulkan vk;
	VkPhysicalDevice physical;
	VkDevice device; /* NULL: not open */
	struct vulkan_queue compute;
	struct vulkan_queue copy; /* where `copies` are asked for */
	bool copies;
	VkPipelineLayout layout;
	VkPhysicalDeviceMemoryProperties heaps;

	unsigned number; /* of the device, as the library lists them */
	uint32_t vendor; /* its PCI ID */
	VkPhysicalDeviceType type;
	char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
	char driver[VK_MAX_DRIVER_INFO_SIZE + VK_MAX_DRIVER_NAME_SIZE + 2];
	char bdf[BDF_MAX]; /* "" where it is no PCI function */
	unsigned lanes;    /* of a subgroup */
	bool fixed_lanes;  /* a pipeline can ask for so many */
	bool subgroup_clock, device_clock;
	double stamp_ns;    /* of a unit of timestamps */
	uint64_t alignment; /* of host memory that is imported */
};

/*
 * Opens the device with this BDF or this number. NULL chooses the first that is
 * not a software driver, or else the first. STATUS_ABSENT if there is none, or
 * where its driver lacks what is needed, with its name and who has it. `copies`
 * asks for a queue that only copies, too. Close it also after a failure.
 */
bool vulkan_device_open(struct session *s, struct vulkan_device *d,
                        const char *which, bool copies);
void vulkan_device_close(struct vulkan_device *d);

/* The same without opening it: whether it could be. */
bool vulkan_device_check(struct session *s, struct vulkan_device *d,
                         const char *which);

/* Whether the driver computes on the CPU, or the device shares its memory. */
bool vulkan_is_software(const struct vulkan_device *d);
bool vulkan_is_integrated(const struct vulkan_device *d);

/*
 * memory.c. Memory of the device; or of the host, which is mapped; or host
 * memory that there is, in whole pages. Free it also after a failure.
 */
bool vulkan_allocate(struct session *s, struct vulkan_device *d,
                     struct vulkan_buffer *b, size_t size, bool mapped);
bool vulkan_import(struct session *s, struct vulkan_device *d,
                   struct vulkan_buffer *b, void *at, size_t size);
void vulkan_free(struct vulkan_device *d, struct vulkan_buffer *b);

/*
 * queue.c. A pipeline of a module of n words; destroy takes VK_NULL_HANDLE.
 */
bool vulkan_compile(struct session *s, struct vulkan_device *d,
                    const uint32_t *word, size_t n, VkPipeline *pipeline);
void vulkan_destroy(struct vulkan_device *d, VkPipeline *pipeline);

/* Begins a list of commands when the last is done; vulkan_submit starts it,
 * vulkan_wait waits. */
bool vulkan_begin(struct session *s, struct vulkan_device *d,
                  struct vulkan_queue *q);
bool vulkan_submit(struct session *s, struct vulkan_device *d,
                   struct vulkan_queue *q);
bool vulkan_wait(struct session *s, struct vulkan_device *d,
                 struct vulkan_queue *q);

/* Appends a program to the queue that computes, with a barrier to what comes
 * after it. */
void vulkan_dispatch(struct vulkan_device *d, VkPipeline pipeline,
                     const void *arguments, uint32_t size, uint32_t groups);

/* Appends timestamp 0 or 1; the time between them in ns, when they are done. */
void vulkan_stamp(struct vulkan_device *d, struct vulkan_queue *q, uint32_t n);
bool vulkan_stamps(struct session *s, struct vulkan_device *d,
                   const struct vulkan_queue *q, double *ns);

/* The device's clock now, in ns, and that of the host (raw) with it. */
bool vulkan_now(struct session *s, struct vulkan_device *d, uint64_t *device,
                uint64_t *host);

#endif
