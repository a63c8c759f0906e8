/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libvulkan.so.1 and finds its functions. */
#include "collect/vulkan/loader.h"

#include "collect/host/dynlib.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct dynlib libvulkan = {.soname = VULKAN_SONAME};

static const struct dynlib_symbol entry[] = {
    {"vkGetInstanceProcAddr", offsetof(struct vulkan, GetInstanceProcAddr)},
};

static const struct dynlib_symbol calls[] = {
#define VULKAN_ROW(name) {"vk" #name, offsetof(struct vulkan, name)},
    VULKAN_CALLS(VULKAN_ROW)
#undef VULKAN_ROW
};

/* The name of the first variable VK_*; NULL if there is none. */
static char *
vulkan_find_variable(void)
{
	for (char **entry_of = environ; *entry_of; entry_of++) {
		if (!strncmp(*entry_of, "VK_", 3))
			return xasprintf("%.*s", (int)strcspn(*entry_of, "="),
			                 *entry_of);
	}
	return NULL;
}

static void
vulkan_clear_environment(void)
{
	char *name;

	while (!geteuid() && (name = vulkan_find_variable())) {
		unsetenv(name);
		free(name);
	}
}

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

/* Copies the bytes of the pointer, because types of functions differ. */
static bool
vulkan_find_calls(struct session *s, struct vulkan *vk)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		PFN_vkVoidFunction f =
		    vk->GetInstanceProcAddr(vk->instance, calls[i].name);

		if (!f)
			return fail(s, STATUS_ABSENT,
			            "%s has no %s: it is too old",
			            VULKAN_SONAME, calls[i].name);
		memcpy((char *)vk + calls[i].at, &f, sizeof f);
	}
	return true;
}

static bool
vulkan_make_instance(struct session *s, struct vulkan *vk)
{
	VkApplicationInfo application = {.sType =
	                                     VK_STRUCTURE_TYPE_APPLICATION_INFO,
	                                 .apiVersion = VK_API_VERSION_1_2};
	VkInstanceCreateInfo info = {.sType =
	                                 VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
	                             .pApplicationInfo = &application};

	vk->CreateInstance = (PFN_vkCreateInstance)vk->GetInstanceProcAddr(
	    NULL, "vkCreateInstance");
	if (!vk->CreateInstance ||
	    !VULKAN_DO(s, vk, CreateInstance, &info, NULL, &vk->instance)) {
		vk->instance = NULL;
		return fail(s, STATUS_ABSENT,
		            "%s finds no driver: install one, such as the "
		            "package mesa-vulkan-drivers",
		            VULKAN_SONAME);
	}
	return vulkan_find_calls(s, vk);
}

bool
vulkan_load(struct session *s, struct vulkan *vk)
{
	const char *why, *missing;

	vulkan_clear_environment();
	if (!dynlib_open(&libvulkan, &why))
		return fail(s, STATUS_ABSENT, "no Vulkan here: %s", why);
	missing = dynlib_resolve(&libvulkan, entry, ARRAY_LEN(entry), vk);
	if (missing)
		return fail(s, STATUS_ABSENT, "%s has no %s", VULKAN_SONAME,
		            missing);
	return vulkan_make_instance(s, vk);
}

void
vulkan_unload(struct vulkan *vk)
{
	if (vk->instance && vk->DestroyInstance)
		vk->DestroyInstance(vk->instance, NULL);
	vk->instance = NULL;
}

void
vulkan_load_extensions(struct vulkan *vk, VkDevice device)
{
	vk->GetMemoryHostPointerPropertiesEXT =
	    (PFN_vkGetMemoryHostPointerPropertiesEXT)vk->GetDeviceProcAddr(
	        device, "vkGetMemoryHostPointerPropertiesEXT");
	vk->GetCalibratedTimestampsEXT =
	    (PFN_vkGetCalibratedTimestampsEXT)vk->GetDeviceProcAddr(
	        device, "vkGetCalibratedTimestampsEXT");
}
