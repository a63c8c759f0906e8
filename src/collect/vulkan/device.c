/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libvulkan.so.1; finds a device, checks its features and opens it. */
#include "collect/vulkan/gpu.h"

#include "collect/host/dynlib.h"
#include "common/base/number.h"

#include <unistd.h>

static struct dynlib libvulkan = {.soname = VULKAN_SONAME};
struct vulkan vulkan;

static const struct dynlib_symbol entry_point[] = {
    {"vkGetInstanceProcAddr", offsetof(struct vulkan, GetInstanceProcAddr)},
};

static const struct dynlib_symbol calls[] = {
#define VULKAN_ROW(name) {"vk" #name, offsetof(struct vulkan, name)},
    VULKAN_CALLS(VULKAN_ROW)
#undef VULKAN_ROW
};

bool
vulkan_check(struct session *s, const char *call, VkResult result)
{
	static const struct {
		VkResult result;
		const char *name;
	} known[] = {
	    {VK_TIMEOUT, "it did not end in time"},
	    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
	    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
	    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
	    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
	    {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"},
	    {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"},
	    {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"},
	    {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"},
	    {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"},
	    {VK_ERROR_INVALID_EXTERNAL_HANDLE,
	     "VK_ERROR_INVALID_EXTERNAL_HANDLE"},
	};
	const char *name = "unknown error";

	if (result == VK_SUCCESS || result == VK_INCOMPLETE)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].result == result)
			name = known[i].name;
	}
	return fail(s, STATUS_TROUBLE, "%s: %s (%d)", call, name, (int)result);
}

static bool
vulkan_load(struct session *s, struct vulkan_device *d)
{
	VkApplicationInfo application = {.sType =
	                                     VK_STRUCTURE_TYPE_APPLICATION_INFO,
	                                 .apiVersion = VK_API_VERSION_1_2};
	VkInstanceCreateInfo info = {.sType =
	                                 VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
	                             .pApplicationInfo = &application};
	const char *why, *missing;
	char **variable = environ;

	while (!geteuid() && *variable) {
		char *name =
		    xasprintf("%.*s", (int)strcspn(*variable, "="), *variable);

		if (strncmp(name, "VK_", 3) != 0 &&
		    strncmp(name, "XDG_", 4) != 0 &&
		    strcmp(name, "HOME") != 0) {
			variable++;
		} else {
			unsetenv(name);
			variable = environ;
		}
		free(name);
	}
	if (!dynlib_open(&libvulkan, &why))
		return fail(s, STATUS_ABSENT, "no Vulkan here: %s", why);
	missing = dynlib_resolve(&libvulkan, entry_point,
	                         ARRAY_LEN(entry_point), &vulkan);
	if (missing)
		return fail(s, STATUS_ABSENT, "%s has no %s", VULKAN_SONAME,
		            missing);
	vulkan.CreateInstance =
	    (PFN_vkCreateInstance)vulkan.GetInstanceProcAddr(
	        NULL, "vkCreateInstance");
	if (!vulkan.CreateInstance ||
	    !VULKAN_DO(s, CreateInstance, &info, NULL, &d->instance)) {
		d->instance = NULL;
		return fail(s, STATUS_ABSENT,
		            "%s finds no driver: install one, such as the "
		            "package mesa-vulkan-drivers",
		            VULKAN_SONAME);
	}
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		PFN_vkVoidFunction f =
		    vulkan.GetInstanceProcAddr(d->instance, calls[i].name);

		if (!f)
			return fail(s, STATUS_ABSENT,
			            "%s has no %s: it is too old",
			            VULKAN_SONAME, calls[i].name);
		/* Types of functions differ: copies the pointer's bytes. */
		memcpy((char *)&vulkan + calls[i].at, &f, sizeof f);
	}
	return true;
}

#define DEVICES_MAX    32
#define EXTENSIONS_MAX 1024

/* A workgroup is one subgroup; every device supports this size. */
#define LANES_MAX 64

/* Required extensions, and drivers that have them. */
static const struct {
	const char *name, *drivers;
} required[] = {
    {VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
     "Mesa's anv, radv, nvk and lavapipe, and NVIDIA's driver"},
    {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
     "Mesa's anv, radv and lavapipe, and NVIDIA's driver"},
    {VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
     "Mesa's anv, radv, nvk and lavapipe, and NVIDIA's driver"},
};

static bool
vulkan_has(const VkExtensionProperties *extension, uint32_t n, const char *name)
{
	while (n && strcmp(extension[n - 1].extensionName, name) != 0)
		n--;
	return n;
}

/* Stores name, type, limits and BDF of the device. */
static void
vulkan_describe_device(struct vulkan_device *d, bool reports_bdf)
{
	VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {
	    .sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
	VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
	    .sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
	    .pNext = reports_bdf ? &pci : NULL};
	VkPhysicalDeviceDriverProperties driver = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
	    .pNext = &host};
	VkPhysicalDeviceSubgroupProperties subgroup = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
	    .pNext = &driver};
	VkPhysicalDeviceProperties2 all = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
	    .pNext = &subgroup};

	vulkan.GetPhysicalDeviceProperties2(d->physical, &all);
	vulkan.GetPhysicalDeviceMemoryProperties(d->physical, &d->heaps);
	*d->bdf = '\0';
	if (reports_bdf)
		snprintf(d->bdf, sizeof d->bdf, "%04x:%02x:%02x.%x",
		         pci.pciDomain & 0xffff, pci.pciBus & 0xff,
		         pci.pciDevice & 0x1f, pci.pciFunction & 7);
	d->vendor = all.properties.vendorID;
	d->software = all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
	d->integrated =
	    all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
	snprintf(d->name, sizeof d->name, "%s", all.properties.deviceName);
	snprintf(d->driver, sizeof d->driver, "%s %s", driver.driverName,
	         driver.driverInfo);
	d->lanes = subgroup.subgroupSize;
	if (d->lanes < 1 || d->lanes > LANES_MAX)
		d->lanes = LANES_MAX;
	d->stamp_ns = (double)all.properties.limits.timestampPeriod;
	d->alignment = host.minImportedHostPointerAlignment
	                   ? host.minImportedHostPointerAlignment
	                   : 1;
}

static bool
vulkan_check_features(struct session *s, struct vulkan_device *d)
{
	struct vulkan_features *has = &d->has;
	const char *missing;

	*has = (struct vulkan_features){
	    .lanes.sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
	    .clock.sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
	    .clock.pNext = &has->lanes,
	    .model.sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
	    .model.pNext = &has->clock,
	    .address.sType =
	        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
	    .address.pNext = &has->model,
	    .all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
	    .all.pNext = &has->address};
	vulkan.GetPhysicalDeviceFeatures2(d->physical, &has->all);
	missing =
	    !has->all.features.shaderInt64      ? "shaderInt64"
	    : !has->address.bufferDeviceAddress ? "bufferDeviceAddress"
	    : !has->model.vulkanMemoryModel ||
	            !has->model.vulkanMemoryModelDeviceScope
	        ? "vulkanMemoryModelDeviceScope"
	    : !has->clock.shaderSubgroupClock && !has->clock.shaderDeviceClock
	        ? "clock that programs can read"
	        : NULL;
	return !missing ||
	       fail(s, STATUS_ABSENT, "%s: its driver (%s) has no %s", d->name,
	            d->driver, missing);
}

#define KINDS                                                                  \
	(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)

/* Finds queues with timestamps that have, of `kinds`, exactly `wanted`. */
static bool
vulkan_find_family(const struct vulkan_device *d, VkQueueFlags kinds,
                   VkQueueFlags wanted, struct vulkan_queue *q)
{
	VkQueueFamilyProperties family[16];
	uint32_t n = ARRAY_LEN(family);

	vulkan.GetPhysicalDeviceQueueFamilyProperties(d->physical, &n, family);
	for (q->family = 0; q->family < n; q->family++) {
		uint32_t bits = family[q->family].timestampValidBits;

		if ((family[q->family].queueFlags & kinds) != wanted || !bits)
			continue;
		q->stamp_mask =
		    bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
		return true;
	}
	return false;
}

/* A software driver has no queue for copies alone; any queue serves then. */
static bool
vulkan_find_queues(struct session *s, struct vulkan_device *d)
{
	if (!vulkan_find_family(d, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_COMPUTE_BIT,
	                        &d->compute))
		return fail(s, STATUS_ABSENT,
		            "%s: no queue that computes writes timestamps",
		            d->name);
	if (!d->copies ||
	    vulkan_find_family(d, KINDS, VK_QUEUE_TRANSFER_BIT, &d->copy))
		return true;
	d->copy = d->compute;
	return d->software ||
	       fail(s, STATUS_ABSENT,
	            "-O engine=ce: %s has no queue that only copies, with "
	            "timestamps",
	            d->name);
}

static bool
vulkan_create(struct session *s, struct vulkan_device *d)
{
	static const float priority = 1;
	const char *names[ARRAY_LEN(required)];
	struct vulkan_features *has = &d->has;
	VkDeviceQueueCreateInfo queue[2] = {
	    {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
	     .queueFamilyIndex = d->compute.family,
	     .queueCount = 1,
	     .pQueuePriorities = &priority}};
	bool two = d->copies && d->copy.family != d->compute.family;
	VkDeviceCreateInfo info = {.sType =
	                               VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
	                           .pNext = &has->all,
	                           .queueCreateInfoCount = two ? 2 : 1,
	                           .pQueueCreateInfos = queue,
	                           .enabledExtensionCount = ARRAY_LEN(names),
	                           .ppEnabledExtensionNames = names};

	/* Only what is used: a feature may slow down everything. */
	has->all.features = (VkPhysicalDeviceFeatures){.shaderInt64 = VK_TRUE};
	has->address.bufferDeviceAddressCaptureReplay = VK_FALSE;
	has->address.bufferDeviceAddressMultiDevice = VK_FALSE;
	has->model.vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
	has->lanes.computeFullSubgroups = VK_FALSE;
	if (!has->lanes.subgroupSizeControl)
		has->clock.pNext = NULL;
	queue[1] = queue[0];
	queue[1].queueFamilyIndex = d->copy.family;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		names[i] = required[i].name;
	if (!VULKAN_DO(s, CreateDevice, d->physical, &info, NULL, &d->device)) {
		d->device = NULL;
		return false;
	}
	vulkan.GetMemoryHostPointerPropertiesEXT =
	    (PFN_vkGetMemoryHostPointerPropertiesEXT)vulkan.GetDeviceProcAddr(
	        d->device, "vkGetMemoryHostPointerPropertiesEXT");
	vulkan.GetCalibratedTimestampsEXT =
	    (PFN_vkGetCalibratedTimestampsEXT)vulkan.GetDeviceProcAddr(
	        d->device, "vkGetCalibratedTimestampsEXT");
	return true;
}

static bool
vulkan_create_commands(struct session *s, struct vulkan_device *d,
                       struct vulkan_queue *q)
{
	VkCommandPoolCreateInfo pool = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	    .queueFamilyIndex = q->family};
	VkCommandBufferAllocateInfo buffer = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
	    .commandBufferCount = 1};
	VkFenceCreateInfo fence = {.sType =
	                               VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkQueryPoolCreateInfo stamps = {
	    .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
	    .queryType = VK_QUERY_TYPE_TIMESTAMP,
	    .queryCount = 2};

	vulkan.GetDeviceQueue(d->device, q->family, 0, &q->queue);
	if (!VULKAN_DO(s, CreateCommandPool, d->device, &pool, NULL, &q->pool))
		return false;
	buffer.commandPool = q->pool;
	return VULKAN_DO(s, AllocateCommandBuffers, d->device, &buffer,
	                 &q->commands) &&
	       VULKAN_DO(s, CreateFence, d->device, &fence, NULL, &q->fence) &&
	       VULKAN_DO(s, CreateQueryPool, d->device, &stamps, NULL,
	                 &q->stamps);
}

/* Reads name, limits and BDF of a device. */
static bool
vulkan_look_at(struct session *s, struct vulkan_device *d,
               VkPhysicalDevice physical, unsigned number)
{
	static VkExtensionProperties list[EXTENSIONS_MAX];
	uint32_t n = EXTENSIONS_MAX;

	d->physical = physical;
	d->number = number;
	if (!VULKAN_DO(s, EnumerateDeviceExtensionProperties, physical, NULL,
	               &n, list))
		return false;
	vulkan_describe_device(
	    d, vulkan_has(list, n, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME));
	d->extensions = 0;
	while (d->extensions < ARRAY_LEN(required) &&
	       vulkan_has(list, n, required[d->extensions].name))
		d->extensions++;
	return true;
}

/* Whether the device has this BDF or index; NULL: any but a software driver. */
static bool
vulkan_is_wanted(const struct vulkan_device *d, const char *which)
{
	uint64_t number;
	char bdf[BDF_MAX];

	if (!which)
		return !d->software;
	if (!parse_integer(which, &number))
		return d->number == number;
	return parse_bdf(which, bdf) && !strcmp(bdf, d->bdf);
}

static bool
vulkan_find_device(struct session *s, struct vulkan_device *d,
                   const char *which)
{
	VkPhysicalDevice list[DEVICES_MAX];
	uint32_t n = DEVICES_MAX;

	if (!VULKAN_DO(s, EnumeratePhysicalDevices, d->instance, &n, list))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!vulkan_look_at(s, d, list[i], i))
			return false;
		if (vulkan_is_wanted(d, which))
			return true;
	}
	if (n && !which)
		return vulkan_look_at(s, d, list[0], 0);
	return fail(s, STATUS_ABSENT, "vulkan%s%s: no such device; %s lists %u",
	            which ? ":" : "", which ? which : "", VULKAN_SONAME,
	            (unsigned)n);
}

bool
vulkan_device_check(struct session *s, struct vulkan_device *d,
                    const char *which)
{
	if (!vulkan_load(s, d) || !vulkan_find_device(s, d, which))
		return false;
	if (d->extensions < ARRAY_LEN(required))
		return fail(s, STATUS_ABSENT,
		            "%s: its driver (%s) has no %s; %s have it",
		            d->name, d->driver, required[d->extensions].name,
		            required[d->extensions].drivers);
	return vulkan_check_features(s, d) && vulkan_find_queues(s, d);
}

bool
vulkan_device_open(struct session *s, struct vulkan_device *d,
                   const char *which, bool copies)
{
	VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
	                             .size = sizeof(struct gpu_args)};
	VkPipelineLayoutCreateInfo layout = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
	    .pushConstantRangeCount = 1,
	    .pPushConstantRanges = &range};
	uint64_t number;
	char bdf[BDF_MAX];

	if (which && parse_integer(which, &number) && !parse_bdf(which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "vulkan:%s: not a device (such as 03:00.0, or 0)",
		            which);
	d->copies = copies;
	return vulkan_device_check(s, d, which) && vulkan_create(s, d) &&
	       vulkan_create_commands(s, d, &d->compute) &&
	       (!copies || vulkan_create_commands(s, d, &d->copy)) &&
	       VULKAN_DO(s, CreatePipelineLayout, d->device, &layout, NULL,
	                 &d->layout);
}

/* Handles of what has not been made are null, and do nothing. */
static void
vulkan_destroy_commands(struct vulkan_device *d, const struct vulkan_queue *q)
{
	vulkan.DestroyQueryPool(d->device, q->stamps, NULL);
	vulkan.DestroyFence(d->device, q->fence, NULL);
	vulkan.DestroyCommandPool(d->device, q->pool, NULL);
}

void
vulkan_device_close(struct vulkan_device *d)
{
	if (d->device) {
		vulkan_destroy_commands(d, &d->compute);
		vulkan_destroy_commands(d, &d->copy);
		vulkan.DestroyPipelineLayout(d->device, d->layout, NULL);
		vulkan.DestroyDevice(d->device, NULL);
	}
	d->device = NULL;
	if (d->instance && vulkan.DestroyInstance)
		vulkan.DestroyInstance(d->instance, NULL);
	d->instance = NULL;
}
