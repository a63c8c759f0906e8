/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A libvulkan.so.1 that forwards calls to the real one, the file
 * FAKE_VULKAN_REAL, and changes answers by the words in FAKE_VULKAN:
 *
 * without=NAME  no device has this extension
 * lacks=NAME    no device has this feature: shaderInt64, bufferDeviceAddress or
 *               shaderClock
 * two           the first device is listed twice
 * integrated    devices report that they are integrated GPUs
 * pci=BDF       devices are this PCI function
 * refuses=CALL  this call returns VK_ERROR_OUT_OF_DEVICE_MEMORY
 * lost=N        the device is lost with the N-th command list
 * early         the compiler reads the clock before the loads of a long chain
 * crash, hang   the process that creates an instance does so
 */
#include "collect/vulkan/gpu.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	PFN_vkGetInstanceProcAddr find;
	PFN_vkGetDeviceProcAddr find_of_device;
	PFN_vkCreateInstance create;
	PFN_vkEnumeratePhysicalDevices devices;
	PFN_vkEnumerateDeviceExtensionProperties extensions;
	PFN_vkGetPhysicalDeviceProperties2 properties;
	PFN_vkGetPhysicalDeviceFeatures2 features;
	PFN_vkQueueSubmit submit;
	PFN_vkCreateShaderModule module;
	PFN_vkDestroyShaderModule destroy;
	PFN_vkCreateComputePipelines pipelines;
} real;

/* The value of a word, "" if it has none; NULL if it is missing. */
static const char *
word(const char *name)
{
	const char *text = getenv("FAKE_VULKAN");
	size_t length = strlen(name);

	while (text && *text) {
		if (!strncmp(text, name, length) && strchr(" =", text[length]))
			return text[length] == '=' ? text + length + 1 : "";
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return NULL;
}

static VkResult
create(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
       VkInstance *instance)
{
	if (word("crash"))
		abort();
	while (word("hang"))
		pause();
	return real.create(info, allocator, instance);
}

static VkResult
devices(VkInstance instance, uint32_t *n, VkPhysicalDevice *list)
{
	uint32_t room = *n;
	VkResult result = real.devices(instance, n, list);

	if (!word("two") || !*n)
		return result;
	if (list && *n < room)
		list[*n] = list[0];
	++*n;
	return result;
}

/* The list without one name, or with the BDF extension appended. */
static VkResult
extensions(VkPhysicalDevice device, const char *layer, uint32_t *n,
           VkExtensionProperties *list)
{
	const char *without = word("without");
	VkExtensionProperties last = {.extensionName =
	                                  VK_EXT_PCI_BUS_INFO_EXTENSION_NAME};
	VkResult result = real.extensions(device, layer, n, list);

	for (uint32_t i = 0; list && without && i < *n; i++) {
		if (!strncmp(list[i].extensionName, without,
		             strcspn(without, " ")))
			strcpy(list[i].extensionName, "VK_none");
	}
	if (list && word("pci") && *n)
		list[*n - 1] = last;
	return result;
}

/* A BDF, such as 0000:03:00.0. */
static void
set_bdf(VkPhysicalDevicePCIBusInfoPropertiesEXT *pci, const char *text)
{
	uint32_t *part[] = {&pci->pciDomain, &pci->pciBus, &pci->pciDevice,
	                    &pci->pciFunction};
	char *end = (char *)text;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		*part[i] = (uint32_t)strtoul(end + !!i, &end, 16);
}

static void
properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *all)
{
	const char *bdf = word("pci");

	real.properties(device, all);
	if (word("integrated"))
		all->properties.deviceType =
		    VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
	for (VkBaseOutStructure *s = all->pNext; bdf && s; s = s->pNext) {
		VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = (void *)s;

		if (s->sType ==
		    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT)
			set_bdf(pci, bdf);
	}
}

static bool
lacks(const char *name)
{
	const char *value = word("lacks");

	return value && !strncmp(value, name, strlen(name));
}

static void
features(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *all)
{
	real.features(device, all);
	if (lacks("shaderInt64"))
		all->features.shaderInt64 = VK_FALSE;
	for (VkBaseOutStructure *s = all->pNext; s; s = s->pNext) {
		VkPhysicalDeviceBufferDeviceAddressFeatures *address =
		    (void *)s;
		VkPhysicalDeviceShaderClockFeaturesKHR *clock = (void *)s;

		if (s->sType ==
		        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES &&
		    lacks("bufferDeviceAddress"))
			address->bufferDeviceAddress = VK_FALSE;
		if (s->sType ==
		        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR &&
		    lacks("shaderClock")) {
			clock->shaderSubgroupClock = VK_FALSE;
			clock->shaderDeviceClock = VK_FALSE;
		}
	}
}

static VkResult
submit(VkQueue queue, uint32_t n, const VkSubmitInfo *info, VkFence fence)
{
	static unsigned long done;
	const char *lost = word("lost");

	if (lost && ++done >= strtoul(lost, NULL, 10))
		return VK_ERROR_DEVICE_LOST;
	return real.submit(queue, n, info, fence);
}

/* The module created last. */
static uint32_t *code;
static size_t words;

static VkResult
module(VkDevice device, const VkShaderModuleCreateInfo *info,
       const VkAllocationCallbacks *allocator, VkShaderModule *to)
{
	free(code);
	code = malloc(info->codeSize);
	if (!code)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memcpy(code, info->pCode, info->codeSize);
	words = info->codeSize / sizeof *code;
	return real.module(device, info, allocator, to);
}

/*
 * Gives the module's last clock reading, which ends a chain, the result of the
 * one before.
 */
static void
read_early(void)
{
	uint32_t *clock[2] = {NULL};

	for (size_t i = 5; i < words && code[i] >> 16; i += code[i] >> 16) {
		if ((code[i] & 0xffff) != 5056 /* OpReadClockKHR */)
			continue;
		clock[0] = clock[1];
		clock[1] = code + i;
	}
	if (!clock[0])
		return;
	clock[1][0] = 4u << 16 | 83; /* OpCopyObject */
	clock[1][3] = clock[0][2];
}

static VkResult
pipelines(VkDevice device, VkPipelineCache cache, uint32_t n,
          const VkComputePipelineCreateInfo *info,
          const VkAllocationCallbacks *allocator, VkPipeline *to)
{
	const uint32_t *constant = info->stage.pSpecializationInfo->pData;
	VkComputePipelineCreateInfo early = *info;
	VkShaderModuleCreateInfo changed = {
	    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
	    .codeSize = words * sizeof *code,
	    .pCode = code};
	VkResult result;

	if (!word("early") || constant[CONSTANT_PROGRAM] != NUMBER_CHAIN ||
	    constant[CONSTANT_LENGTH] != PROGRAM_CHAIN)
		return real.pipelines(device, cache, n, info, allocator, to);
	read_early();
	result = real.module(device, &changed, allocator, &early.stage.module);
	if (result)
		return result;
	result = real.pipelines(device, cache, n, &early, allocator, to);
	real.destroy(device, early.stage.module, allocator);
	return result;
}

static void
open_real(void)
{
	const char *file = getenv("FAKE_VULKAN_REAL");
	void *handle = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
	void *symbol = handle ? dlsym(handle, "vkGetInstanceProcAddr") : NULL;

	memcpy(&real.find, &symbol, sizeof symbol);
}

static VkResult
refuse(void)
{
	return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static bool
refuses(const char *name)
{
	const char *value = word("refuses");
	size_t length = strlen(name);

	return value && !strncmp(value, name, length) &&
	       (!value[length] || value[length] == ' ');
}

static PFN_vkVoidFunction
find_of_device(VkDevice device, const char *name)
{
	return refuses(name) ? (PFN_vkVoidFunction)refuse
	                     : real.find_of_device(device, name);
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name);

PFN_vkVoidFunction
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
	static const struct {
		const char *name;
		PFN_vkVoidFunction mine;
		void *theirs;
	} calls[] = {
	    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)find_of_device,
	     &real.find_of_device},
	    {"vkCreateInstance", (PFN_vkVoidFunction)create, &real.create},
	    {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)devices,
	     &real.devices},
	    {"vkEnumerateDeviceExtensionProperties",
	     (PFN_vkVoidFunction)extensions, &real.extensions},
	    {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)properties,
	     &real.properties},
	    {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)features,
	     &real.features},
	    {"vkQueueSubmit", (PFN_vkVoidFunction)submit, &real.submit},
	    {"vkCreateShaderModule", (PFN_vkVoidFunction)module, &real.module},
	    {"vkCreateComputePipelines", (PFN_vkVoidFunction)pipelines,
	     &real.pipelines},
	};
	PFN_vkVoidFunction found;

	if (!real.find)
		open_real();
	if (!strcmp(name, "vkDestroyShaderModule") && real.find)
		real.destroy =
		    (PFN_vkDestroyShaderModule)real.find(instance, name);
	if (refuses(name))
		return (PFN_vkVoidFunction)refuse;
	found = real.find ? real.find(instance, name) : NULL;
	for (size_t i = 0; found && i < sizeof calls / sizeof *calls; i++) {
		if (strcmp(calls[i].name, name) != 0)
			continue;
		memcpy(calls[i].theirs, &found, sizeof found);
		return calls[i].mine;
	}
	return found;
}
