/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency of the DMA reads of an engine of your own, here that of QEMU's edu,
 * through VFIO. Writes one column of CSV; see README.md beside it. What you
 * change is marked YOURS.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* YOURS: registers of BAR 0, an address that the engine reaches, a size. */
enum { SOURCE = 0x80, DESTINATION = 0x88, COUNT = 0x90, COMMAND = 0x98 };
enum { START = 1, DEVICE_MEMORY = 0x40000, IOVA = 0x200000, SIZE = 64 };
enum { BUFFER = 4096, BAR = 4096 };

static volatile uint64_t *
reg(void *bar, size_t offset)
{
	return (volatile uint64_t *)((char *)bar + offset);
}

/* YOURS: starts a read of host memory and waits until it is done. */
static void
read_host(void *bar)
{
	*reg(bar, SOURCE) = IOVA;
	*reg(bar, DESTINATION) = DEVICE_MEMORY;
	*reg(bar, COUNT) = SIZE;
	*reg(bar, COMMAND) = START;
	while (*reg(bar, COMMAND) & START)
		;
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Opens a function that is bound to vfio-pci; maps the buffer at IOVA. */
static int
open_device(const char *bdf)
{
	struct vfio_iommu_type1_dma_map map = {.argsz = sizeof map,
	                                       .flags = VFIO_DMA_MAP_FLAG_READ,
	                                       .iova = IOVA,
	                                       .size = BUFFER};
	char link[64], path[256] = "", group[300];
	int container = open("/dev/vfio/vfio", O_RDWR), fd, device;
	void *buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	snprintf(link, sizeof link, "/sys/bus/pci/devices/%s/iommu_group", bdf);
	if (readlink(link, path, sizeof path - 1) < 0)
		err(3, "%s: no IOMMU group", bdf);
	snprintf(group, sizeof group, "/dev/vfio%s", strrchr(path, '/'));
	fd = open(group, O_RDWR);
	if (container < 0 || fd < 0 || buffer == MAP_FAILED ||
	    ioctl(fd, VFIO_GROUP_SET_CONTAINER, &container) ||
	    ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1_IOMMU))
		err(3, "%s: is %s bound to vfio-pci?", group, bdf);
	map.vaddr = (uintptr_t)buffer;
	device = ioctl(fd, VFIO_GROUP_GET_DEVICE_FD, bdf);
	if (device < 0 || ioctl(container, VFIO_IOMMU_MAP_DMA, &map))
		err(2, "%s", bdf);
	return device;
}

int
main(int argc, char *argv[])
{
	struct vfio_region_info config = {
	    .argsz = sizeof config, .index = VFIO_PCI_CONFIG_REGION_INDEX};
	const uint16_t command = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	int device, n = argc == 3 ? atoi(argv[2]) : 0;
	void *bar;

	if (n < 1)
		errx(2, "usage: engine 0000:03:00.0 COUNT");
	device = open_device(argv[1]);
	bar = mmap(NULL, BAR, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
	if (bar == MAP_FAILED ||
	    ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &config) ||
	    pwrite(device, &command, sizeof command,
	           (off_t)config.offset + PCI_COMMAND) != sizeof command)
		err(2, "%s", argv[1]);
	read_host(bar);
	puts("latency_ns");
	while (n--) {
		double begin = now_ns();

		read_host(bar);
		printf("%.0f\n", now_ns() - begin);
	}
	return fclose(stdout) ? 2 : 0;
}
