/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU through Vulkan. The functions of that API that are used here are found
 * at run time: a build needs only its headers. Their meanings are those of the
 * Vulkan specification.
 */
#ifndef PCB_COLLECT_VULKAN_GPU_H
#define PCB_COLLECT_VULKAN_GPU_H

#include "collect/core/backend.h"
#include "collect/gpu/gpu.h"
#include "common/pci/tree.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#define VULKAN_SONAME "libvulkan.so.1"

/* CALL(name without vk): functions of an instance. */
#define VULKAN_CALLS(CALL)                                                     \
	CALL(DestroyInstance)                                                  \
	CALL(EnumeratePhysicalDevices)                                         \
	CALL(EnumerateDeviceExtensionProperties)                               \
	CALL(GetPhysicalDeviceProperties2)                                     \
	CALL(GetPhysicalDeviceFeatures2)                                       \
	CALL(GetPhysicalDeviceMemoryProperties)                                \
	CALL(GetPhysicalDeviceQueueFamilyProperties)                           \
	CALL(CreateDevice)                                                     \
	CALL(DestroyDevice)                                                    \
	CALL(DeviceWaitIdle)                                                   \
	CALL(GetDeviceProcAddr)                                                \
	CALL(GetDeviceQueue)                                                   \
	CALL(CreateBuffer)                                                     \
	CALL(DestroyBuffer)                                                    \
	CALL(GetBufferMemoryRequirements)                                      \
	CALL(GetBufferDeviceAddress)                                           \
	CALL(AllocateMemory)                                                   \
	CALL(FreeMemory)                                                       \
	CALL(BindBufferMemory)                                                 \
	CALL(MapMemory)                                                        \
	CALL(CreateShaderModule)                                               \
	CALL(DestroyShaderModule)                                              \
	CALL(CreatePipelineLayout)                                             \
	CALL(DestroyPipelineLayout)                                            \
	CALL(CreateComputePipelines)                                           \
	CALL(DestroyPipeline)                                                  \
	CALL(CreateCommandPool)                                                \
	CALL(DestroyCommandPool)                                               \
	CALL(AllocateCommandBuffers)                                           \
	CALL(BeginCommandBuffer)                                               \
	CALL(EndCommandBuffer)                                                 \
	CALL(CmdBindPipeline)                                                  \
	CALL(CmdPushConstants)                                                 \
	CALL(CmdDispatch)                                                      \
	CALL(CmdPipelineBarrier)                                               \
	CALL(CmdCopyBuffer)                                                    \
	CALL(CmdResetQueryPool)                                                \
	CALL(CmdWriteTimestamp)                                                \
	CALL(CreateQueryPool)                                                  \
	CALL(DestroyQueryPool)                                                 \
	CALL(GetQueryPoolResults)                                              \
	CALL(CreateFence)                                                      \
	CALL(DestroyFence)                                                     \
	CALL(ResetFences)                                                      \
	CALL(WaitForFences)                                                    \
	CALL(QueueSubmit)

struct vulkan {
	PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
	PFN_vkCreateInstance CreateInstance;
#define VULKAN_MEMBER(name) PFN_vk##name name;
	VULKAN_CALLS(VULKAN_MEMBER)
#undef VULKAN_MEMBER

	/* Functions of device extensions. */
	PFN_vkGetMemoryHostPointerPropertiesEXT
	    GetMemoryHostPointerPropertiesEXT;
	PFN_vkGetCalibratedTimestampsEXT GetCalibratedTimestampsEXT;
};

/* Set once a device is open. */
extern struct vulkan vulkan;

/*
 * Whether a call succeeded; else fails with the call and the specification's
 * name of the error. VULKAN_DO makes the call, too.
 */
bool vulkan_check(struct session *s, const char *call, VkResult result);

#define VULKAN_DO(s, call, ...)                                                \
	vulkan_check(s, "vk" #call, vulkan.call(__VA_ARGS__))

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

/* What a device has, then what it is opened with. */
struct vulkan_features {
	VkPhysicalDeviceSubgroupSizeControlFeaturesEXT lanes;
	VkPhysicalDeviceShaderClockFeaturesKHR clock;
	VkPhysicalDeviceVulkanMemoryModelFeatures model;
	VkPhysicalDeviceBufferDeviceAddressFeatures address;
	VkPhysicalDeviceFeatures2 all; /* leads to the others */
};

struct vulkan_device {
	VkInstance instance; /* NULL: none */
	VkPhysicalDevice physical;
	VkDevice device; /* NULL: not open */
	struct vulkan_queue compute;
	struct vulkan_queue copy; /* only if `copies` */
	bool copies;
	VkPipelineLayout layout;
	VkPhysicalDeviceMemoryProperties heaps;
	struct vulkan_features has;

	unsigned number;           /* index in the library's list */
	uint32_t vendor;           /* PCI vendor ID */
	bool software, integrated; /* a driver on the CPU; a GPU in the CPU */
	char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
	char driver[VK_MAX_DRIVER_INFO_SIZE + VK_MAX_DRIVER_NAME_SIZE + 2];
	char bdf[BDF_MAX];  /* "" if no PCI function */
	unsigned lanes;     /* of a subgroup */
	size_t extensions;  /* of those required, how many are there in a row */
	double stamp_ns;    /* of a timestamp unit */
	uint64_t alignment; /* of imported host memory */
};

/*
 * Loads the library and opens the device with this BDF or index. For root,
 * first removes the environment variables VK_*, which name files that the
 * library loads and runs. NULL chooses the first that is not a
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

/*
 * queue.c. Allocates device memory, or with `mapped` host memory; imports
 * existing host memory, in whole pages. Free it also after a failure.
 */
bool vulkan_allocate(struct session *s, struct vulkan_device *d,
                     struct vulkan_buffer *b, size_t size, bool mapped);
bool vulkan_import(struct session *s, struct vulkan_device *d,
                   struct vulkan_buffer *b, void *at, size_t size);
void vulkan_free(struct vulkan_device *d, struct vulkan_buffer *b);

/* Constants of programs.comp, by their constant_id. */
enum program_constant {
	CONSTANT_LANES,
	CONSTANT_PROGRAM,
	CONSTANT_READS,
	CONSTANT_WRITES,
	CONSTANT_BARRIER,
	CONSTANT_ROWS,
	CONSTANT_LEFT,
	CONSTANT_BESIDE,
	CONSTANT_LENGTH,
	CONSTANT_STEP_SHIFT,
	CONSTANT_SPAN,
	NCONSTANTS
};

/* Values of CONSTANT_PROGRAM. */
enum program_number {
	NUMBER_LATENCY,
	NUMBER_BANDWIDTH,
	NUMBER_OVERHEAD,
	NUMBER_LOAD,
	NUMBER_FILL,
	NUMBER_SUM,
	NUMBER_SPIN,
	NUMBER_CHAIN
};

/* A program: words of SPIR-V, and its constants. */
struct module {
	const uint32_t *word;
	size_t size; /* bytes */
	uint32_t constant[NCONSTANTS];
};

/*
 * Makes a pipeline of a module in place of the old one; destroy takes
 * VK_NULL_HANDLE.
 */
bool vulkan_compile(struct session *s, struct vulkan_device *d,
                    const struct module *module, VkPipeline *pipeline);
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
                     const struct gpu_args *args, uint32_t groups);

/* Appends timestamp 0 or 1; stores the ns between them, once done. */
void vulkan_stamp(struct vulkan_queue *q, uint32_t n);
bool vulkan_stamps(struct session *s, struct vulkan_device *d,
                   const struct vulkan_queue *q, double *ns);

/* Reads the device's clock, in ns. */
bool vulkan_now(struct session *s, struct vulkan_device *d, uint64_t *ns);

/*
 * programs.c: the programs of a device, from programs.comp. Their push
 * constants are a struct gpu_args. A worker is a workgroup of one subgroup.
 */

/*
 * Most iterations of a program: llvmpipe stops all loops of a program after
 * 65535 in total.
 */
#define PROGRAM_TURNS 65000

/* Loads of program_chain. */
#define PROGRAM_CHAIN 8

/* Scopes of clocks, in SPIR-V. */
enum { SPIRV_DEVICE = 1, SPIRV_SUBGROUP = 3 };

struct program {
	unsigned lanes; /* invocations per subgroup */
	uint32_t scope; /* of the clock */
};

/* Results of program_spin and program_chain. */
struct program_ticks {
	uint32_t from, to; /* lower half of the clock */
};
struct program_link {
	uint32_t cycles, last; /* the index that the last load returned */
};

/* NULL, or why this number of lanes cannot do the transfer (a constant). */
const char *program_check(const struct gpu_transfer *t, uint64_t offset);

/* The module of a transfer that has passed program_check. */
struct module program_transfer(const struct program *p,
                               const struct gpu_transfer *t);

/*
 * `count` times, from the order's next unit on: `length` dependent loads, each
 * of which returns the index of the next unit. Stores a program_link each.
 */
struct module program_chain(const struct program *p, unsigned length);

/*
 * Whether `length` chained loads take `length` times one load, both without the
 * overhead of the clock. All times are in its units.
 */
bool program_chain_holds(double overhead, double one, double chain,
                         unsigned length);

/*
 * GPU_OVERHEAD and those that follow it in enum gpu_program, but GPU_LOAD reads
 * `count` times; PROGRAM_SPIN computes for `count` turns, without memory, and
 * stores a program_ticks.
 */
enum { PROGRAM_SPIN = NPROGRAMS, NPIPELINES };
struct module program_support(const struct program *p, unsigned which);

/* backend.c: a session with a GPU. */
struct vulkan_gpu {
	struct gpu gpu; /* first: the session's state is both */
	struct vulkan_device device;
	struct program program; /* properties of all programs */
	VkPipeline pipeline[NPIPELINES];
	struct vulkan_buffer order, results, sink;
	struct vulkan_buffer staging; /* visible to the host */
	struct vulkan_buffer window;  /* imported host memory */
	struct vulkan_buffer scratch; /* for the copy queue */
	double turn_ns, tick_ns; /* of the spin, estimated; 0: unknown yet */
};

/* The driver's functions; its programs and its areas of memory. */
extern const struct gpu_driver vulkan_gpu_driver;
bool vulkan_prepare_programs(struct session *s);

#endif
