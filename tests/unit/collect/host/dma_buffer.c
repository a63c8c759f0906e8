/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffer of a sweep, and when it is mapped anew. */
#include "collect/host/memory.h"
#include "rig/cmocka.h"

#define BUFFER UINT64_C(65536)
#define WINDOW UINT64_C(4096)

/* A device with one mapped buffer at a time. */
struct device {
	uint64_t size;
	unsigned maps, unmaps;
};

static bool
map(struct session *s, void *to, const struct memory *m)
{
	struct device *device = to;

	assert_int_equal(device->size, 0);
	device->size = m->size;
	device->maps++;
	return true;
}

static void
unmap(void *of, const struct memory *m)
{
	struct device *device = of;

	assert_int_equal(m->size, device->size);
	device->size = 0;
	device->unmaps++;
}

static void
assert_prepared(struct session *s, struct dma_buffer *b, unsigned maps)
{
	const struct device *device = b->device;
	const struct point point = {.size = 64,
	                            .window = WINDOW,
	                            .cache = CACHE_HOST_WARM,
	                            .node = NODE_LOCAL};

	assert_true(dma_buffer_check(s, b, &point));
	assert_true(dma_buffer_prepare(s, b, &point));
	assert_int_equal(device->size, BUFFER);
	assert_int_equal(device->maps, maps);
	assert_int_equal(device->unmaps, maps - 1);
}

/* Of the requested size, and new only on another node. */
TEST(the_buffer_is_that_of_the_point)
{
	static const struct backend_option options[] = {DMA_BUFFER_OPTION_PAGES,
	                                                {NULL, NULL, NULL}};
	const struct request request = {.buffer = BUFFER};
	struct session s = {.request = &request};
	struct device device = {0};
	struct dma_buffer b = {.backend = "test",
	                       .size_max = BUFFER,
	                       .map = map,
	                       .unmap = unmap,
	                       .device = &device};
	int node;

	assert_true(dma_buffer_open(&s, &b, options));
	assert_prepared(&s, &b, 1);
	assert_prepared(&s, &b, 1);
	node = b.memory.node;
	b.memory.node = node + 1;
	assert_prepared(&s, &b, 2);
	assert_int_equal(b.memory.node, node);
	b.size_max = BUFFER - 1;
	assert_false(dma_buffer_check(&s, &b, &b.point));
	assert_string_equal(s.failure.text, "a buffer of 65536 bytes: test "
	                                    "supports at most 65535");
	free(s.failure.text);
	dma_buffer_close(&b);
	assert_int_equal(device.unmaps, 2);
}
