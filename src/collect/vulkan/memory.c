/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers in device memory, in host memory, and imported. */
#include "collect/vulkan/device.h"

#include <stddef.h>

#define USAGE                                                                  \
	(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |                                  \
	 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |                           \
	 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

/* Memory that host and device share without flushes. */
#define SHARED                                                                 \
	(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |                                 \
	 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

/* Finds a memory type out of `bits` with these properties. */
static bool
vulkan_find_type(struct session *s, const struct vulkan_device *d,
                 uint32_t bits, VkMemoryPropertyFlags wanted, uint32_t *type)
{
	for (*type = 0; *type < d->heaps.memoryTypeCount; ++*type) {
		VkMemoryPropertyFlags has =
		    d->heaps.memoryTypes[*type].propertyFlags;

		if (bits & 1u << *type && (has & wanted) == wanted)
			return true;
	}
	return fail(s, STATUS_ABSENT,
	            "%s: no type of its memory has properties 0x%x", d->name,
	            (unsigned)wanted);
}

static bool
vulkan_bind(struct session *s, struct vulkan_device *d, struct vulkan_buffer *b,
            const void *next, uint64_t size, uint32_t type)
{
	const struct vulkan *vk = &d->vk;
	VkBufferDeviceAddressInfo address = {
	    .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
	    .buffer = b->buffer};
	VkMemoryAllocateFlagsInfo how = {
	    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
	    .pNext = next,
	    .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
	VkMemoryAllocateInfo info = {.sType =
	                                 VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
	                             .pNext = &how,
	                             .allocationSize = size,
	                             .memoryTypeIndex = type};

	if (!VULKAN_DO(s, vk, AllocateMemory, d->device, &info, NULL,
	               &b->memory)) {
		b->memory = VK_NULL_HANDLE;
		return false;
	}
	if (!VULKAN_DO(s, vk, BindBufferMemory, d->device, b->buffer, b->memory,
	               0))
		return false;
	b->address = vk->GetBufferDeviceAddress(d->device, &address);
	return true;
}

static bool
vulkan_make_buffer(struct session *s, struct vulkan_device *d,
                   struct vulkan_buffer *b, size_t size, const void *next)
{
	uint32_t family[] = {d->compute.family, d->copy.family};
	bool two = d->copies && family[0] != family[1];
	VkBufferCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
	    .pNext = next,
	    .size = size,
	    .usage = USAGE,
	    .sharingMode =
	        two ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
	    .queueFamilyIndexCount = ARRAY_LEN(family),
	    .pQueueFamilyIndices = family};

	*b = (struct vulkan_buffer){0};
	if (VULKAN_DO(s, &d->vk, CreateBuffer, d->device, &info, NULL,
	              &b->buffer))
		return true;
	b->buffer = VK_NULL_HANDLE;
	return false;
}

bool
vulkan_allocate(struct session *s, struct vulkan_device *d,
                struct vulkan_buffer *b, size_t size, bool mapped)
{
	VkMemoryRequirements needs;
	uint32_t type = 0;

	if (!vulkan_make_buffer(s, d, b, size, NULL))
		return false;
	d->vk.GetBufferMemoryRequirements(d->device, b->buffer, &needs);
	if (!vulkan_find_type(
	        s, d, needs.memoryTypeBits,
	        mapped ? SHARED : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &type) ||
	    !vulkan_bind(s, d, b, NULL, needs.size, type))
		return false;
	return !mapped || VULKAN_DO(s, &d->vk, MapMemory, d->device, b->memory,
	                            0, VK_WHOLE_SIZE, 0, &b->mapped);
}

bool
vulkan_import(struct session *s, struct vulkan_device *d,
              struct vulkan_buffer *b, void *at, size_t size)
{
	static const VkExternalMemoryHandleTypeFlagBits handle =
	    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
	VkExternalMemoryBufferCreateInfo external = {
	    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
	    .handleTypes = handle};
	VkMemoryHostPointerPropertiesEXT host = {
	    .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
	VkImportMemoryHostPointerInfoEXT import = {
	    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
	    .handleType = handle,
	    .pHostPointer = at};
	VkMemoryRequirements needs;
	uint32_t type = 0;

	*b = (struct vulkan_buffer){0};
	if ((uintptr_t)at % d->alignment || size % d->alignment)
		return fail(s, STATUS_ABSENT,
		            "%s imports memory at multiples of %ju bytes: "
		            "larger pages may help (-O pages=2M)",
		            d->name, (uintmax_t)d->alignment);
	if (!vulkan_make_buffer(s, d, b, size, &external) ||
	    !VULKAN_DO(s, &d->vk, GetMemoryHostPointerPropertiesEXT, d->device,
	               handle, at, &host))
		return false;
	d->vk.GetBufferMemoryRequirements(d->device, b->buffer, &needs);
	return vulkan_find_type(s, d,
	                        host.memoryTypeBits & needs.memoryTypeBits,
	                        SHARED, &type) &&
	       vulkan_bind(s, d, b, &import, size, type);
}

void
vulkan_free(struct vulkan_device *d, struct vulkan_buffer *b)
{
	if (b->buffer)
		d->vk.DestroyBuffer(d->device, b->buffer, NULL);
	if (b->memory)
		d->vk.FreeMemory(d->device, b->memory, NULL);
	*b = (struct vulkan_buffer){0};
}
