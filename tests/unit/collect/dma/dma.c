/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The buffer of a sweep, which an IOMMU that is played here maps. */
#include "collect/dma/dma.h"
#include "collect/vfio/vfio_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* That of backend.h is meant. */
#undef fail

#define IOVA   UINT64_C(0x100000)
#define ROOM   UINT64_C(0x100000)
#define BUFFER UINT64_C(65536)
#define WINDOW UINT64_C(4096)

static struct {
	uint64_t size; /* of what is mapped */
	unsigned maps, unmaps;
} iommu;

static bool
map(const struct vfio_iommu *to, void *at, uint64_t size, uint64_t iova)
{
	(void)to;
	(void)at;
	assert_int_equal(iommu.size, 0);
	assert_int_equal(iova, IOVA);
	iommu.size = size;
	iommu.maps++;
	return true;
}

static void
unmap(const struct vfio_iommu *of, uint64_t size, uint64_t iova)
{
	(void)of;
	assert_int_equal(size, iommu.size);
	assert_int_equal(iova, IOVA);
	iommu.size = 0;
	iommu.unmaps++;
}

static const struct vfio_way way = {.name = "fake", .map = map, .unmap = unmap};

static void
assert_prepared(struct session *s, struct dma *d, uint64_t size, unsigned maps)
{
	const struct point point = {.size = 64,
	                            .window = WINDOW,
	                            .cache = CACHE_HOST_WARM,
	                            .node = NODE_LOCAL};

	assert_true(dma_check(s, d, &point));
	assert_true(dma_prepare(s, d, &point, "test"));
	assert_int_equal(iommu.size, size);
	assert_int_equal(iommu.maps, maps);
	assert_int_equal(iommu.unmaps, maps - 1);
}

/* As large as was asked for, and made anew on another node only. */
static void
the_buffer_is_that_of_the_point(void **state)
{
	const struct pci_function function = {.bdf = "0000:01:00.0"};
	const struct request request = {.buffer = BUFFER};
	struct vfio_iommu fake = {.way = &way};
	struct session s = {.request = &request};
	struct dma d = {.backend = "test",
	                .function = &function,
	                .kind = "virtual",
	                .iommu = &fake,
	                .iova = IOVA,
	                .room = ROOM,
	                .page = 4096};
	int node;

	(void)state;
	assert_prepared(&s, &d, BUFFER, 1);
	assert_prepared(&s, &d, BUFFER, 1);
	node = d.buffer.node;
	d.buffer.node = node + 1;
	assert_prepared(&s, &d, BUFFER, 2);
	assert_int_equal(d.buffer.node, node);
	d.room = BUFFER - 1;
	assert_false(dma_check(&s, &d, &d.point));
	assert_string_equal(s.failure.text, "a buffer of 65536 bytes: test "
	                                    "takes 65535 at most");
	free(s.failure.text);
	memory_free(&d.buffer);
	order_free(&d.order);
	series_make(&s, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_buffer_is_that_of_the_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
