/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles programs, submits them and waits for them. */
#include "collect/vulkan/gpu.h"

#include <stddef.h>
#include <stdlib.h>

/* A program that takes longer has hung. */
#define WAIT_NS UINT64_C(20000000000)

bool
vulkan_compile(struct session *s, struct vulkan_device *d, const uint32_t *word,
               size_t n, VkPipeline *pipeline)
{
	VkShaderModuleCreateInfo code = {
	    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
	    .codeSize = n * sizeof *word,
	    .pCode = word};
	VkPipelineShaderStageRequiredSubgroupSizeCreateInfo lanes = {
	    .sType =
	        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
	    .requiredSubgroupSize = d->lanes};
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
	    .stage = {.sType =
	                  VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
	              .pNext = d->fixed_lanes ? &lanes : NULL,
	              .stage = VK_SHADER_STAGE_COMPUTE_BIT,
	              .pName = "main"},
	    .layout = d->layout};
	bool ok;

	*pipeline = VK_NULL_HANDLE;
	if (!VULKAN_DO(s, &d->vk, CreateShaderModule, d->device, &code, NULL,
	               &info.stage.module))
		return false;
	ok = VULKAN_DO(s, &d->vk, CreateComputePipelines, d->device,
	               VK_NULL_HANDLE, 1, &info, NULL, pipeline);
	if (!ok)
		*pipeline = VK_NULL_HANDLE;
	d->vk.DestroyShaderModule(d->device, info.stage.module, NULL);
	return ok;
}

void
vulkan_destroy(struct vulkan_device *d, VkPipeline *pipeline)
{
	if (*pipeline)
		d->vk.DestroyPipeline(d->device, *pipeline, NULL);
	*pipeline = VK_NULL_HANDLE;
}

/* Makes all writes visible to later commands and to the host. */
static void
vulkan_barrier(struct vulkan_device *d)
{
	VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
	                       .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
	                       .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
	                                        VK_ACCESS_MEMORY_WRITE_BIT};

	d->vk.CmdPipelineBarrier(
	    d->compute.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
	    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0,
	    1, &all, 0, NULL, 0, NULL);
}

bool
vulkan_begin(struct session *s, struct vulkan_device *d, struct vulkan_queue *q)
{
	VkCommandBufferBeginInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};

	if (!vulkan_wait(s, d, q) ||
	    !VULKAN_DO(s, &d->vk, BeginCommandBuffer, q->commands, &info))
		return false;
	d->vk.CmdResetQueryPool(q->commands, q->stamps, 0, 2);
	return true;
}

bool
vulkan_submit(struct session *s, struct vulkan_device *d,
              struct vulkan_queue *q)
{
	VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
	                     .commandBufferCount = 1,
	                     .pCommandBuffers = &q->commands};

	q->under_way =
	    VULKAN_DO(s, &d->vk, EndCommandBuffer, q->commands) &&
	    VULKAN_DO(s, &d->vk, ResetFences, d->device, 1, &q->fence) &&
	    VULKAN_DO(s, &d->vk, QueueSubmit, q->queue, 1, &info, q->fence);
	return q->under_way;
}

bool
vulkan_wait(struct session *s, struct vulkan_device *d, struct vulkan_queue *q)
{
	if (!q->under_way)
		return true;
	q->under_way = false;
	return VULKAN_DO(s, &d->vk, WaitForFences, d->device, 1, &q->fence,
	                 VK_TRUE, WAIT_NS);
}

void
vulkan_dispatch(struct vulkan_device *d, VkPipeline pipeline,
                const void *arguments, uint32_t size, uint32_t groups)
{
	const struct vulkan *vk = &d->vk;

	vk->CmdBindPipeline(d->compute.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
	                    pipeline);
	vk->CmdPushConstants(d->compute.commands, d->layout,
	                     VK_SHADER_STAGE_COMPUTE_BIT, 0, size, arguments);
	vk->CmdDispatch(d->compute.commands, groups, 1, 1);
	vulkan_barrier(d);
}

void
vulkan_stamp(struct vulkan_device *d, struct vulkan_queue *q, uint32_t n)
{
	d->vk.CmdWriteTimestamp(
	    q->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, q->stamps, n);
}

bool
vulkan_stamps(struct session *s, struct vulkan_device *d,
              const struct vulkan_queue *q, double *ns)
{
	uint64_t stamp[2] = {0};

	if (!VULKAN_DO(s, &d->vk, GetQueryPoolResults, d->device, q->stamps, 0,
	               2, sizeof stamp, stamp, sizeof *stamp,
	               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT))
		return false;
	*ns = (double)((stamp[1] - stamp[0]) & q->stamp_mask) * d->stamp_ns;
	return true;
}

bool
vulkan_now(struct session *s, struct vulkan_device *d, uint64_t *device,
           uint64_t *host)
{
	static const VkCalibratedTimestampInfoEXT clock[] = {
	    {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
	     .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
	    {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
	     .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT},
	};
	uint64_t time[2] = {0}, deviation = 0;

	if (!VULKAN_DO(s, &d->vk, GetCalibratedTimestampsEXT, d->device, 2,
	               clock, time, &deviation))
		return false;
	*device = (uint64_t)((double)time[0] * d->stamp_ns);
	*host = time[1];
	return true;
}

bool
vulkan_use(struct session *s, uint32_t *word, size_t n, VkPipeline *pipeline)
{
	bool ok = vulkan_compile(s, &((struct vulkan_gpu *)s->state)->device,
	                         word, n, pipeline);

	free(word);
	return ok;
}
