/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to an open function, and registers that VFIO answers itself. */
#include "collect/pci/bar.h"

#include "collect/pio/pio.h"
#include "collect/vfio/vfio.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/session.h"
#include "rig/support.h"

#include <fcntl.h>
#include <pci/header.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BDF "0000:01:00.0"

/* Offsets of config space and BAR 2 in the function's file. */
#define CONFIG      0x10000
#define CONFIG_SIZE 0x1000
#define BAR2        0x20000
#define BAR2_SIZE   0x2000

static struct {
	int file; /* of the function */
	int open; /* the first free descriptor */
	int region_error, irq_error;
	uint32_t irq;
	int32_t event;
} kernel;

static int
result(int error)
{
	if (error)
		errno = error;
	return error ? -1 : 0;
}

static int
tell_region(struct vfio_region_info *region)
{
	region->offset = region->size = 0;
	if (region->index == VFIO_PCI_CONFIG_REGION_INDEX) {
		region->offset = CONFIG;
		region->size = CONFIG_SIZE;
	} else if (region->index == VFIO_PCI_BAR2_REGION_INDEX) {
		region->offset = BAR2;
		region->size = BAR2_SIZE;
	}
	return result(kernel.region_error);
}

static int
set_irq(const struct vfio_irq_set *set)
{
	assert_int_equal(set->argsz, sizeof *set + sizeof kernel.event);
	assert_int_equal(set->count, 1);
	kernel.irq = set->index;
	memcpy(&kernel.event, set->data, sizeof kernel.event);
	return result(kernel.irq_error);
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *data = NULL;

	if (request == VFIO_SET_IOMMU)
		return 0;
	va_start(arguments, request);
	data = va_arg(arguments, void *);
	va_end(arguments);
	switch (request) {
	case VFIO_GROUP_GET_STATUS:
		((struct vfio_group_status *)data)->flags =
		    VFIO_GROUP_FLAGS_VIABLE;
		return 0;
	case VFIO_GROUP_SET_CONTAINER:
		return 0;
	case VFIO_GROUP_GET_DEVICE_FD:
		return fcntl(kernel.file, F_DUPFD_CLOEXEC, 0);
	case VFIO_DEVICE_GET_REGION_INFO:
		return tell_region(data);
	default:
		assert_int_equal(request, VFIO_DEVICE_SET_IRQS);
		return set_irq(data);
	}
}

static struct preamble preamble;
static struct session session;
static struct pci_tree *tree;

static void
put32(off_t at, uint32_t value)
{
	assert_int_equal(pwrite(kernel.file, &value, sizeof value, at),
	                 sizeof value);
}

static uint32_t
get32(off_t at)
{
	uint32_t value = 0;

	assert_int_equal(pread(kernel.file, &value, sizeof value, at),
	                 sizeof value);
	return value;
}

static int
begin(void **state)
{
	memset(&kernel, 0, sizeof kernel);
	kernel.file = memfd_create("function", MFD_CLOEXEC);
	assert_int_equal(ftruncate(kernel.file, BAR2 + BAR2_SIZE), 0);
	empty_tree(state);
	make_function(BDF, NULL, 64);
	root_set(".");
	write_text("dev/vfio/vfio", "");
	write_text("dev/vfio/7", "");
	run_shell("mkdir -p groups/7 drivers/vfio-pci && cd devices/" BDF " && "
	          "ln -s ../../groups/7 iommu_group && "
	          "ln -s ../../drivers/vfio-pci driver");
	tree = read_tree(1);
	session = (struct session){.preamble = &preamble};
	kernel.open = fcntl(kernel.file, F_DUPFD_CLOEXEC, 0);
	close(kernel.open);
	return 0;
}

static int
end(void **state)
{
	assert_int_equal(kernel.open, fcntl(kernel.file, F_DUPFD_CLOEXEC, 0));
	close(kernel.open);
	close(kernel.file);
	pci_tree_free(tree);
	preamble_free(&preamble);
	free(session.failure.text);
	return 0;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/* Other bits of the command register belong to driver or firmware. */
TEST_IN(mastering_is_added, begin, end)
{
	put32(CONFIG + PCI_COMMAND, 0x00100100);
	assert_true(vfio_master(&session, tree->function, kernel.file));
	assert_int_equal(get32(CONFIG + PCI_COMMAND), 0x00100506);
	kernel.region_error = EINVAL;
	assert_false(vfio_master(&session, tree->function, kernel.file));
	assert_failed(&session, STATUS_ABSENT,
	              BDF ": config space: Invalid argument");
}

TEST_IN(a_bar_is_mapped_whole, begin, end)
{
	volatile uint32_t *at;
	size_t size = 0;

	put32(BAR2 + BAR2_SIZE - 4, 0x12345678);
	at = vfio_map_bar(&session, tree->function, kernel.file, 2, 0, &size,
	                  true);
	assert_non_null(at);
	assert_int_equal(size, BAR2_SIZE);
	assert_int_equal(at[BAR2_SIZE / 4 - 1], 0x12345678);
	*at = 77;
	assert_int_equal(get32(BAR2), 77);
	mmio_unmap(at);
	assert_null(vfio_map_bar(&session, tree->function, kernel.file, 4, 0,
	                         &size, true));
	assert_failed(&session, STATUS_ABSENT,
	              BDF ": BAR4: VFIO does not map it: No such "
	                  "device or address");
}

TEST_IN(the_kernel_may_want_it_back, begin, end)
{
	int fd = vfio_watch(kernel.file);

	assert_true(fd >= 0);
	assert_int_equal(kernel.irq, VFIO_PCI_REQ_IRQ_INDEX);
	assert_int_equal(kernel.event, fd);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	assert_true(vfio_check(&session, tree->function, fd));
	assert_int_equal(eventfd_write(fd, 1), 0);
	assert_false(vfio_check(&session, tree->function, fd));
	assert_failed(&session, STATUS_TROUBLE,
	              BDF ": the kernel takes the device away: it "
	                  "was removed, or unbound");
	close(fd);
	kernel.irq_error = EINVAL;
	assert_int_equal(vfio_watch(kernel.file), -1);
}

/* Whether it can be opened; then it must be read at `at`. */
static bool
opens(struct reg_addr addr, off_t at)
{
	struct reader r;
	uint32_t value = 0;

	if (!access_open(&session, access_find("vfio", &addr), tree->function,
	                 &addr, &r))
		return false;
	put32(at, 0x89abcdef);
	assert_true(r.method->read(&r, &value));
	assert_int_equal(value, 0x89abcdef);
	access_close(&r);
	put32(at, 0);
	return true;
}

/* Capabilities: MSI, VPD; in extended space AER and power budgeting. */
static void
make_capabilities(uint32_t msi_flags)
{
	put32(CONFIG + PCI_CAPABILITY_LIST, 0x50);
	put32(CONFIG + 0x50, msi_flags << 16 | 0x70 << 8 | PCI_CAP_ID_MSI);
	put32(CONFIG + 0x70, PCI_CAP_ID_VPD);
	put32(CONFIG + 0x100, 0x20010000 | PCI_EXT_CAP_ID_AER);
	put32(CONFIG + 0x200, 0x30010000 | PCI_EXT_CAP_ID_PB);
	put32(CONFIG + 0x300, 0x00010000 | PCI_EXT_CAP_ID_DSN);
}

static void
assert_copied(uint64_t offset, bool copied)
{
	struct reg_addr addr = {.bar = CONFIG_SPACE, .offset = offset};
	char text[80];

	make_capabilities(PCI_MSI_FLAGS_64BIT);
	assert_int_equal(opens(addr, CONFIG + (off_t)offset), !copied);
	if (!copied)
		return;
	snprintf(text, sizeof text,
	         BDF ": register 0x%02x: VFIO answers from a copy, not the "
	             "device",
	         (unsigned)offset);
	assert_failed(&session, STATUS_TROUBLE, text);
}

/* A register that VFIO keeps in memory has no device latency. */
TEST_IN(copies_are_no_registers, begin, end)
{
	static const uint64_t copied[] = {0x00, 0x04, 0x10, 0x24,  0x30, 0x3c,
	                                  0x54, 0x58, 0x74, 0x100, 0x200};
	static const uint64_t real[] = {0x08, 0x0c,  0x28,  0x2c,  0x34,
	                                0x38, 0x40,  0x50,  0x5c,  0x70,
	                                0x78, 0x104, 0x204, 0x300, 0xffc};
	static const struct reg_addr high = {.bar = CONFIG_SPACE,
	                                     .offset = 0x58};

	for (size_t i = 0; i < ARRAY_LEN(copied); i++)
		assert_copied(copied[i], true);
	for (size_t i = 0; i < ARRAY_LEN(real); i++)
		assert_copied(real[i], false);
	/* A 32-bit address has no upper half. */
	make_capabilities(0);
	assert_true(opens(high, CONFIG + 0x58));
}

TEST_IN(registers_are_where_the_file_has_them, begin, end)
{
	assert_true(opens((struct reg_addr){.bar = 2, .offset = 8}, BAR2 + 8));
	assert_true(opens((struct reg_addr){.bar = 2, .offset = BAR2_SIZE - 4},
	                  BAR2 + BAR2_SIZE - 4));
	assert_false(
	    opens((struct reg_addr){.bar = 2, .offset = BAR2_SIZE}, 0));
	assert_failed(&session, STATUS_ABSENT,
	              BDF " has no register BAR2+0x2000: there "
	                  "are 8192 bytes");
	assert_false(opens((struct reg_addr){.bar = 4, .offset = 0}, 0));
	assert_failed(&session, STATUS_ABSENT,
	              BDF " has no register BAR4+0x0: there are "
	                  "0 bytes");
}

/* Regions ---------------------------------------------------------------- */

static void
assert_says(struct vfio_iommu *iommu, int error, const char *text)
{
	static const struct pci_function function = {.bdf = "0000:03:00.0"};
	struct session s = {0};

	errno = error;
	assert_false(vfio_failed(&s, &function, iommu, "attach"));
	assert_failed(&s, STATUS_ABSENT, text);
}

/*
 * If firmware requires memory mapped for a device, older kernels return EPERM,
 * as for unsafe interrupts, and since 6.6 EINVAL.
 */
TEST(memory_of_the_firmware)
{
	char group[] = "3", device[] = "vfio0";
	struct vfio_iommu by_group = {.ops = &vfio_type1_ops, .group = group};
	struct vfio_iommu by_device = {.ops = &vfio_iommufd_ops,
	                               .device = device};

	assert_says(&by_group, EPERM,
	            "0000:03:00.0: VFIO group 3: attach: Operation not "
	            "permitted (the firmware reserves memory for the device, "
	            "see RMRR in dmesg, or interrupts are not safe from "
	            "the devices of this machine: see allow_unsafe_interrupts "
	            "of vfio_iommu_type1)");
	assert_says(&by_device, EINVAL,
	            "0000:03:00.0: VFIO device vfio0: attach: Invalid "
	            "argument (see dmesg: VFIO cannot use a device "
	            "for which the firmware reserves memory, RMRR)");
}
