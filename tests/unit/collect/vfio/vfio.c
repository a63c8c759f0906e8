/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions through VFIO on a fake kernel, by group and by iommufd; their
 * registers, and those that VFIO answers itself.
 */
#include "collect/vfio/vfio.h"

#include "collect/pci/bar.h"
#include "collect/pio/pio.h"
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

#define FIRST  "0000:01:00.0"
#define SECOND "0000:01:00.1"

/* Offsets of config space and BAR 2 in a function's file. */
#define CONFIG      0x10000
#define CONFIG_SIZE 0x1000
#define BAR2        0x20000
#define BAR2_SIZE   0x2000

/* Memory mapped for a device, or nothing. */
struct given {
	uint64_t at, size, iova;
	uint32_t flags, space;
};

static struct {
	int function; /* its file */
	bool iommufd;
	int open_error, device_error; /* of opened files */
	int bind_error, function_error, map_error;
	uint32_t group_flags;
	unsigned containers, iommufds, spaces, binds;
	uint32_t attached; /* the address space */
	struct given given, taken;
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

/* Replaces the C library's: files of VFIO are in memory. */
int
open(const char *path, int flags, ...)
{
	int error = 0;

	if (!strcmp(path, "/dev/iommu"))
		error = kernel.iommufd ? 0 : ENOENT;
	else if (!strncmp(path, "/dev/vfio/devices/", 18))
		error = kernel.device_error;
	else if (!strncmp(path, "/dev/vfio/", 10))
		error = kernel.open_error;
	else
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
	if (error)
		return result(error);
	kernel.iommufds += !strcmp(path, "/dev/iommu");
	kernel.containers += !strcmp(path, "/dev/vfio/vfio");
	if (!strncmp(path, "/dev/vfio/devices/", 18))
		return fcntl(kernel.function, F_DUPFD_CLOEXEC, 0);
	return memfd_create(strrchr(path, '/') + 1, MFD_CLOEXEC);
}

static bool
is(int fd, const char *name)
{
	char path[32], to[64] = "";

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return readlink(path, to, sizeof to - 1) > 0 &&
	       !strncmp(to, "/memfd:", 7) &&
	       !strncmp(to + 7, name, strlen(name)) &&
	       to[7 + strlen(name)] == ' ';
}

/* The number of open descriptors of this file. */
static unsigned
count(const char *name)
{
	unsigned n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += is(fd, name);
	return n;
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

static int
ask_device(unsigned long request, void *data)
{
	const struct vfio_device_bind_iommufd *bind = data;

	if (request == VFIO_DEVICE_BIND_IOMMUFD) {
		assert_true(is(bind->iommufd, "iommu"));
		kernel.binds++;
		return result(kernel.bind_error);
	}
	if (request == VFIO_DEVICE_GET_REGION_INFO)
		return tell_region(data);
	if (request == VFIO_DEVICE_SET_IRQS)
		return set_irq(data);
	assert_int_equal(request, VFIO_DEVICE_ATTACH_IOMMUFD_PT);
	kernel.attached = ((struct vfio_device_attach_iommufd_pt *)data)->pt_id;
	return 0;
}

static int
ask_group(unsigned long request, void *data)
{
	switch (request) {
	case VFIO_GROUP_GET_STATUS:
		((struct vfio_group_status *)data)->flags = kernel.group_flags;
		return 0;
	case VFIO_GROUP_SET_CONTAINER:
		assert_true(is(*(int *)data, "vfio"));
		return 0;
	default:
		assert_int_equal(request, VFIO_GROUP_GET_DEVICE_FD);
		if (kernel.function_error)
			return result(kernel.function_error);
		return fcntl(kernel.function, F_DUPFD_CLOEXEC, 0);
	}
}

static int
ask_container(unsigned long request, void *data)
{
	const struct vfio_iommu_type1_dma_map *m = data;
	const struct vfio_iommu_type1_dma_unmap *u = data;

	if (request == VFIO_IOMMU_UNMAP_DMA) {
		kernel.taken = (struct given){.size = u->size, .iova = u->iova};
		return 0;
	}
	assert_int_equal(request, VFIO_IOMMU_MAP_DMA);
	kernel.given = (struct given){m->vaddr, m->size, m->iova, m->flags, 0};
	return result(kernel.map_error);
}

static int
ask_iommufd(unsigned long request, void *data)
{
	const struct iommu_ioas_map *m = data;
	const struct iommu_ioas_unmap *u = data;

	switch (request) {
	case IOMMU_IOAS_ALLOC:
		((struct iommu_ioas_alloc *)data)->out_ioas_id =
		    ++kernel.spaces;
		return 0;
	case IOMMU_IOAS_UNMAP:
		assert_int_equal(u->size, sizeof *u);
		kernel.taken = (struct given){
		    .size = u->length, .iova = u->iova, .space = u->ioas_id};
		return 0;
	default:
		assert_int_equal(request, IOMMU_IOAS_MAP);
		kernel.given = (struct given){m->user_va, m->length, m->iova,
		                              m->flags, m->ioas_id};
		return result(kernel.map_error);
	}
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *data = NULL;
	int type = 0;

	va_start(arguments, request);
	if (request == VFIO_SET_IOMMU)
		type = va_arg(arguments, int);
	else
		data = va_arg(arguments, void *);
	va_end(arguments);
	if (is(fd, "function"))
		return ask_device(request, data);
	if (is(fd, "iommu"))
		return ask_iommufd(request, data);
	if (!is(fd, "vfio"))
		return ask_group(request, data);
	if (request != VFIO_SET_IOMMU)
		return ask_container(request, data);
	assert_int_equal(type, VFIO_TYPE1v2_IOMMU);
	return 0;
}

/* Two functions in group 7, one at a time. */
static struct preamble preamble;
static struct session session;
static struct pci_tree *tree;

static int
begin(void **state)
{
	memset(&kernel, 0, sizeof kernel);
	kernel.function = memfd_create("function", MFD_CLOEXEC);
	assert_int_equal(ftruncate(kernel.function, BAR2 + BAR2_SIZE), 0);
	kernel.group_flags = VFIO_GROUP_FLAGS_VIABLE;
	empty_tree(state);
	make_function(FIRST, NULL, 64);
	make_function(SECOND, NULL, 64);
	run_shell("mkdir -p groups/7 drivers/vfio-pci && for f in 0 1; do "
	          "cd devices/0000:01:00.$f && mkdir -p vfio-dev/vfio$f && "
	          "ln -s ../../groups/7 iommu_group && "
	          "ln -s ../../drivers/vfio-pci driver && cd ../..; done");
	tree = read_tree(2);
	session = (struct session){.preamble = &preamble};
	return 0;
}

static int
end(void **state)
{
	assert_int_equal(count("function"), 1);
	assert_int_equal(count("vfio") + count("iommu") + count("7"), 0);
	close(kernel.function);
	pci_tree_free(tree);
	preamble_free(&preamble);
	free(session.failure.text);
	return 0;
}

static int
get(const char *bdf, struct vfio_iommu **iommu)
{
	*iommu = NULL;
	return vfio_open(&session, pci_find(tree, bdf), iommu);
}

static void
release(int fd, struct vfio_iommu *iommu)
{
	close(fd);
	vfio_put(iommu);
}

static void
assert_refused(const char *text)
{
	struct vfio_iommu *iommu;

	assert_int_equal(get(FIRST, &iommu), -1);
	vfio_put(iommu);
	assert_failed(&session, STATUS_ABSENT, text);
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST_IN(a_group_is_opened_once, begin, end)
{
	struct vfio_iommu *one, *two, *again;
	int first = get(FIRST, &one), second = get(SECOND, &two);
	int third = get(FIRST, &again);

	assert_true(first >= 0 && second >= 0 && third >= 0);
	assert_ptr_equal(one, two);
	assert_ptr_equal(one, again);
	assert_int_equal(kernel.containers, 1);
	assert_string_equal(preamble_get(&preamble, "vfio"),
	                    FIRST "=group " SECOND "=group");
	release(first, one);
	release(third, again);
	assert_int_equal(count("7"), 1);
	release(second, two);
	assert_int_equal(count("7"), 0);
	first = get(SECOND, &one);
	assert_true(first >= 0);
	assert_int_equal(kernel.containers, 2);
	release(first, one);
}

TEST_IN(all_devices_have_one_address_space, begin, end)
{
	struct vfio_iommu *one, *two, *again;
	int first, second, third;

	kernel.iommufd = true;
	first = get(FIRST, &one);
	second = get(SECOND, &two);
	third = get(FIRST, &again);
	assert_true(first >= 0 && second >= 0 && third >= 0);
	assert_ptr_not_equal(one, two);
	assert_ptr_equal(one, again);
	assert_int_equal(kernel.iommufds, 1);
	assert_int_equal(kernel.spaces, 1);
	assert_int_equal(kernel.binds, 2);
	assert_int_equal(kernel.attached, 1);
	assert_string_equal(preamble_get(&preamble, "vfio"),
	                    FIRST "=iommufd " SECOND "=iommufd");
	release(first, one);
	release(second, two);
	release(third, again);
}

/* A user who may open only the group uses that. */
TEST_IN(a_device_that_may_not_be_opened_comes_by_its_group, begin, end)
{
	struct vfio_iommu *iommu;
	int fd;

	kernel.iommufd = true;
	kernel.device_error = EACCES;
	fd = get(FIRST, &iommu);
	assert_true(fd >= 0);
	assert_int_equal(count("iommu"), 0);
	assert_string_equal(preamble_get(&preamble, "vfio"), FIRST "=group");
	release(fd, iommu);
}

TEST_IN(what_refuses_is_said_and_left_closed, begin, end)
{
	struct vfio_iommu *iommu;
	int fd;

	kernel.open_error = EACCES;
	assert_refused(FIRST ": VFIO group 7: /dev/vfio/vfio: Permission "
	                     "denied (root, or whoever owns the group, or "
	                     "both /dev/iommu and /dev/vfio/devices/vfio0)");
	kernel.open_error = 0;
	kernel.group_flags = 0;
	assert_refused(FIRST ": VFIO group 7: all functions of the group must "
	                     "be bound to vfio-pci or to nothing");
	kernel.group_flags = VFIO_GROUP_FLAGS_VIABLE;
	kernel.function_error = EBUSY;
	assert_refused(FIRST ": VFIO group 7: function: Device or resource "
	                     "busy (another program has it)");
	kernel.function_error = 0;
	kernel.iommufd = true;
	kernel.bind_error = EINVAL;
	assert_refused(FIRST ": VFIO device vfio0: bind: Device or resource "
	                     "busy (another program has it)");
	assert_int_equal(count("7") + count("iommu"), 0);
	kernel.bind_error = 0;
	fd = get(FIRST, &iommu);
	assert_true(fd >= 0);
	release(fd, iommu);
}

/* A reset of the function would reset them, whoever uses them. */
TEST_IN(virtual_functions_are_not_lost, begin, end)
{
	run_shell("echo 2 >devices/" FIRST "/sriov_numvfs");
	assert_refused(FIRST ": its 2 virtual functions would be lost: 'echo "
	                     "0 > ./devices/" FIRST "/sriov_numvfs'");
	assert_int_equal(kernel.containers, 0);
}

static void
assert_given(struct given given, uint32_t flags, uint32_t space)
{
	assert_int_equal(given.at, 0x5000);
	assert_int_equal(given.size, 0x2000);
	assert_int_equal(given.iova, 0x700000000);
	assert_int_equal(given.flags, flags);
	assert_int_equal(given.space, space);
}

TEST_IN(memory_is_given_and_taken, begin, end)
{
	static const uint64_t size = 0x2000, iova = 0x700000000;
	void *at = (void *)(uintptr_t)0x5000; /* NOLINT(*-int-to-ptr) */
	struct vfio_iommu *iommu;

	for (int fd, way = 0; way < 2; way++) {
		kernel.iommufd = way;
		kernel.map_error = 0;
		fd = get(FIRST, &iommu);
		assert_true(vfio_map(&session, iommu, at, size, iova));
		assert_given(kernel.given, way ? 7 : 3, way ? 1 : 0);
		vfio_unmap(iommu, size, iova);
		assert_int_equal(kernel.taken.size, size);
		assert_int_equal(kernel.taken.iova, iova);
		assert_int_equal(kernel.taken.space, way);
		kernel.map_error = ENOMEM;
		assert_false(vfio_map(&session, iommu, at, size, iova));
		assert_non_null(strstr(session.failure.text, "ulimit -l"));
		release(fd, iommu);
	}
}

/* Registers --------------------------------------------------------------- */

static void
put32(off_t at, uint32_t value)
{
	assert_int_equal(pwrite(kernel.function, &value, sizeof value, at),
	                 sizeof value);
}

static uint32_t
get32(off_t at)
{
	uint32_t value = 0;

	assert_int_equal(pread(kernel.function, &value, sizeof value, at),
	                 sizeof value);
	return value;
}

/* Other bits of the command register belong to driver or firmware. */
TEST_IN(mastering_is_added, begin, end)
{
	put32(CONFIG + PCI_COMMAND, 0x00100100);
	assert_true(vfio_master(&session, tree->function, kernel.function));
	assert_int_equal(get32(CONFIG + PCI_COMMAND), 0x00100506);
	kernel.region_error = EINVAL;
	assert_false(vfio_master(&session, tree->function, kernel.function));
	assert_failed(&session, STATUS_ABSENT,
	              FIRST ": config space: Invalid argument");
}

TEST_IN(a_bar_is_mapped_whole, begin, end)
{
	volatile uint32_t *at;
	size_t size = 0;

	put32(BAR2 + BAR2_SIZE - 4, 0x12345678);
	at = vfio_map_bar(&session, tree->function, kernel.function, 2, 0,
	                  &size, true);
	assert_non_null(at);
	assert_int_equal(size, BAR2_SIZE);
	assert_int_equal(at[BAR2_SIZE / 4 - 1], 0x12345678);
	*at = 77;
	assert_int_equal(get32(BAR2), 77);
	mmio_unmap(at);
	assert_null(vfio_map_bar(&session, tree->function, kernel.function, 4,
	                         0, &size, true));
	assert_failed(&session, STATUS_ABSENT,
	              FIRST ": BAR4: VFIO does not map it: No such "
	                    "device or address");
}

TEST_IN(the_kernel_may_want_it_back, begin, end)
{
	int fd = vfio_watch(kernel.function);

	assert_true(fd >= 0);
	assert_int_equal(kernel.irq, VFIO_PCI_REQ_IRQ_INDEX);
	assert_int_equal(kernel.event, fd);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	assert_true(vfio_check(&session, tree->function, fd));
	assert_int_equal(eventfd_write(fd, 1), 0);
	assert_false(vfio_check(&session, tree->function, fd));
	assert_failed(&session, STATUS_TROUBLE,
	              FIRST ": the kernel takes the device away: it "
	                    "was removed, or unbound");
	close(fd);
	kernel.irq_error = EINVAL;
	assert_int_equal(vfio_watch(kernel.function), -1);
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
	         FIRST ": register 0x%02x: VFIO answers from a copy, not the "
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
	              FIRST " has no register BAR2+0x2000: there "
	                    "are 8192 bytes");
	assert_false(opens((struct reg_addr){.bar = 4, .offset = 0}, 0));
	assert_failed(&session, STATUS_ABSENT,
	              FIRST " has no register BAR4+0x0: there are "
	                    "0 bytes");
}
