/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies if VFIO refuses a device. */
#include "collect/vfio/vfio_internal.h"
#include "rig/cmocka.h"

#include <errno.h>
#include <stdlib.h>

static void
assert_says(struct vfio_iommu *iommu, int error, const char *text)
{
	static const struct pci_function function = {.bdf = "0000:03:00.0"};
	struct session s = {0};

	errno = error;
	assert_false(vfio_failed(&s, &function, iommu, "attach"));
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	assert_string_equal(s.failure.text, text);
	free(s.failure.text);
}

/*
 * If firmware requires memory mapped for a device, older kernels return EPERM,
 * as for unsafe interrupts, and since 6.6 EINVAL.
 */
static void
memory_of_the_firmware(void **state)
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

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_of_the_firmware),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
