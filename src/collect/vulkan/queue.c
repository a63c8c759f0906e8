/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers of a device; programs that it compiles, runs and waits for. */
#include "collect/vulkan/gpu.h"

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

	if (!VULKAN_DO(s, AllocateMemory, d->device, &info, NULL, &b->memory)) {
		b->memory = VK_NULL_HANDLE;
		return false;
	}
	if (!VULKAN_DO(s, BindBufferMemory, d->device, b->buffer, b->memory, 0))
		return false;
	b->address = vulkan.GetBufferDeviceAddress(d->device, &address);
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
	if (VULKAN_DO(s, CreateBuffer, d->device, &info, NULL, &b->buffer))
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
	vulkan.GetBufferMemoryRequirements(d->device, b->buffer, &needs);
	if (!vulkan_find_type(
	        s, d, needs.memoryTypeBits,
	        mapped ? SHARED : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &type) ||
	    !vulkan_bind(s, d, b, NULL, needs.size, type))
		return false;
	return !mapped || VULKAN_DO(s, MapMemory, d->device, b->memory, 0,
	                            VK_WHOLE_SIZE, 0, &b->mapped);
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
	    !VULKAN_DO(s, GetMemoryHostPointerPropertiesEXT, d->device, handle,
	               at, &host))
		return false;
	vulkan.GetBufferMemoryRequirements(d->device, b->buffer, &needs);
	return vulkan_find_type(s, d,
	                        host.memoryTypeBits & needs.memoryTypeBits,
	                        SHARED, &type) &&
	       vulkan_bind(s, d, b, &import, size, type);
}

void
vulkan_free(struct vulkan_device *d, struct vulkan_buffer *b)
{
	if (d->device) {
		vulkan.DestroyBuffer(d->device, b->buffer, NULL);
		vulkan.FreeMemory(d->device, b->memory, NULL);
	}
	*b = (struct vulkan_buffer){0};
}

/* A program that takes longer has hung. */
#define WAIT_NS UINT64_C(20000000000)

bool
vulkan_compile(struct session *s, struct vulkan_device *d,
               const struct module *module, VkPipeline *pipeline)
{
	VkSpecializationMapEntry entry[NCONSTANTS];
	VkSpecializationInfo constants = {.mapEntryCount = NCONSTANTS,
	                                  .pMapEntries = entry,
	                                  .dataSize = sizeof module->constant,
	                                  .pData = module->constant};
	VkShaderModuleCreateInfo code = {
	    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
	    .codeSize = module->size,
	    .pCode = module->word};
	VkPipelineShaderStageRequiredSubgroupSizeCreateInfo lanes = {
	    .sType =
	        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
	    .requiredSubgroupSize = d->lanes};
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
	    .stage = {.sType =
	                  VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
	              .pNext = d->has.lanes.subgroupSizeControl ? &lanes : NULL,
	              .stage = VK_SHADER_STAGE_COMPUTE_BIT,
	              .pName = "main",
	              .pSpecializationInfo = &constants},
	    .layout = d->layout};
	bool ok;

	for (uint32_t i = 0; i < NCONSTANTS; i++)
		/* cppcheck-suppress unreadVariable ; read through a pointer */
		entry[i] = (VkSpecializationMapEntry){
		    .constantID = i,
		    .offset = i * sizeof *module->constant,
		    .size = sizeof *module->constant};
	vulkan_destroy(d, pipeline);
	if (!VULKAN_DO(s, CreateShaderModule, d->device, &code, NULL,
	               &info.stage.module))
		return false;
	ok = VULKAN_DO(s, CreateComputePipelines, d->device, VK_NULL_HANDLE, 1,
	               &info, NULL, pipeline);
	if (!ok)
		*pipeline = VK_NULL_HANDLE;
	vulkan.DestroyShaderModule(d->device, info.stage.module, NULL);
	return ok;
}

void
vulkan_destroy(struct vulkan_device *d, VkPipeline *pipeline)
{
	if (d->device)
		vulkan.DestroyPipeline(d->device, *pipeline, NULL);
	*pipeline = VK_NULL_HANDLE;
}

bool
vulkan_begin(struct session *s, struct vulkan_device *d, struct vulkan_queue *q)
{
	VkCommandBufferBeginInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};

	if (!vulkan_wait(s, d, q) ||
	    !VULKAN_DO(s, BeginCommandBuffer, q->commands, &info))
		return false;
	vulkan.CmdResetQueryPool(q->commands, q->stamps, 0, 2);
	return true;
}

bool
vulkan_submit(struct session *s, struct vulkan_device *d,
              struct vulkan_queue *q)
{
	VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
	                     .commandBufferCount = 1,
	                     .pCommandBuffers = &q->commands};

	q->under_way = VULKAN_DO(s, EndCommandBuffer, q->commands) &&
	               VULKAN_DO(s, ResetFences, d->device, 1, &q->fence) &&
	               VULKAN_DO(s, QueueSubmit, q->queue, 1, &info, q->fence);
	return q->under_way;
}

bool
vulkan_wait(struct session *s, struct vulkan_device *d, struct vulkan_queue *q)
{
	if (!q->under_way)
		return true;
	q->under_way = false;
	return VULKAN_DO(s, WaitForFences, d->device, 1, &q->fence, VK_TRUE,
	                 WAIT_NS);
}

void
vulkan_dispatch(struct vulkan_device *d, VkPipeline pipeline,
                const struct gpu_args *args, uint32_t groups)
{
	VkCommandBuffer commands = d->compute.commands;
	VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
	                       .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
	                       .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
	                                        VK_ACCESS_MEMORY_WRITE_BIT};

	vulkan.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
	                       pipeline);
	vulkan.CmdPushConstants(commands, d->layout,
	                        VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *args,
	                        args);
	vulkan.CmdDispatch(commands, groups, 1, 1);
	/* Makes all writes visible to later commands and to the host. */
	vulkan.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
	                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT |
	                              VK_PIPELINE_STAGE_HOST_BIT,
	                          0, 1, &all, 0, NULL, 0, NULL);
}

void
vulkan_stamp(struct vulkan_queue *q, uint32_t n)
{
	vulkan.CmdWriteTimestamp(
	    q->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, q->stamps, n);
}

bool
vulkan_stamps(struct session *s, struct vulkan_device *d,
              const struct vulkan_queue *q, double *ns)
{
	uint64_t stamp[2] = {0};

	if (!VULKAN_DO(s, GetQueryPoolResults, d->device, q->stamps, 0, 2,
	               sizeof stamp, stamp, sizeof *stamp,
	               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT))
		return false;
	*ns = (double)((stamp[1] - stamp[0]) & q->stamp_mask) * d->stamp_ns;
	return true;
}

bool
vulkan_now(struct session *s, struct vulkan_device *d, uint64_t *ns)
{
	static const VkCalibratedTimestampInfoEXT clock = {
	    .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
	    .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT};
	uint64_t time = 0, deviation = 0;

	if (!VULKAN_DO(s, GetCalibratedTimestampsEXT, d->device, 1, &clock,
	               &time, &deviation))
		return false;
	*ns = (uint64_t)((double)time * d->stamp_ns);
	return true;
}
