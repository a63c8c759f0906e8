/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of the Vulkan API that are used here, found when the program
 * runs: only its headers are needed to build. Meanings are those of the Vulkan
 * specification.
 */
#ifndef PCB_COLLECT_VULKAN_LOADER_H
#define PCB_COLLECT_VULKAN_LOADER_H

#include "collect/core/session.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#define VULKAN_SONAME "libvulkan.so.1"

/* CALL(name without vk): those that an instance has. */
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

	/* Of extensions, which devices have. */
	PFN_vkGetMemoryHostPointerPropertiesEXT
	    GetMemoryHostPointerPropertiesEXT;
	PFN_vkGetCalibratedTimestampsEXT GetCalibratedTimestampsEXT;
};

/*
 * Loads the library and makes an instance of version 1.2. The superuser's
 * environment loses its variables VK_* before: they name files that the
 * library loads and runs. False after fail(), STATUS_ABSENT where there is no
 * library. Close it also then.
 */
bool vulkan_load(struct session *s, struct vulkan *vk);
void vulkan_unload(struct vulkan *vk);

/* Takes the functions of the device's extensions; all devices here have them.
 */
void vulkan_load_extensions(struct vulkan *vk, VkDevice device);

/*
 * Whether a call's result is no error; else fails, naming the call and the
 * error as the specification does. VULKAN_DO makes the call, too.
 */
bool vulkan_check(struct session *s, const char *call, VkResult result);

#define VULKAN_DO(s, vk, call, ...)                                            \
	vulkan_check(s, "vk" #call, (vk)->call(__VA_ARGS__))

#endif
