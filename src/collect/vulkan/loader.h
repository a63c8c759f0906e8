/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of the Vulkan API that are used here, found at run time: a
 * build needs only its headers. Their meanings are those of the Vulkan
 * specification.
 */
#ifndef PCB_COLLECT_VULKAN_LOADER_H
#define PCB_COLLECT_VULKAN_LOADER_H

#include "collect/core/session.h"

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
	VkInstance instance; /* NULL: none */
#define VULKAN_MEMBER(name) PFN_vk##name name;
	VULKAN_CALLS(VULKAN_MEMBER)
#undef VULKAN_MEMBER

	/* Functions of device extensions. */
	PFN_vkGetMemoryHostPointerPropertiesEXT
	    GetMemoryHostPointerPropertiesEXT;
	PFN_vkGetCalibratedTimestampsEXT GetCalibratedTimestampsEXT;
};

/*
 * Loads the library and creates an instance of version 1.2. For root, first
 * removes the environment variables VK_*, which name files that the library
 * loads and runs. False after fail(), with STATUS_ABSENT if there is no
 * library. Unload it in either case.
 */
bool vulkan_load(struct session *s, struct vulkan *vk);
void vulkan_unload(struct vulkan *vk);

/* Finds the functions of the extensions, which all devices here have. */
void vulkan_load_extensions(struct vulkan *vk, VkDevice device);

/*
 * Whether a call succeeded; else fails with the call and the specification's
 * name of the error. VULKAN_DO makes the call, too.
 */
bool vulkan_check(struct session *s, const char *call, VkResult result);

#define VULKAN_DO(s, vk, call, ...)                                            \
	vulkan_check(s, "vk" #call, (vk)->call(__VA_ARGS__))

#endif
