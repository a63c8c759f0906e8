/* What keeps a device from being taken, in a tree like that of sysfs. */
#include "collect/take.h"

#include "pci_rig.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define BDF       "0000:01:00.0"
#define NEIGHBOUR "0000:01:00.1"

/* What take says, which must be in the way. */
static void
assert_refused(const char *text)
{
	struct pci_tree *tree = read_tree(2);
	struct session s = {0};
	struct changes changes = {0};

	assert_false(take(&s, tree, pci_find(tree, BDF), true, &changes));
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	assert_string_equal(s.failure.text, text);
	assert_int_equal(changes.n, 0);
	free(s.failure.text);
	pci_tree_free(tree);
}

#define NO_IOMMU                                                               \
	BDF ": behind no IOMMU, which VFIO needs: boot with intel_iommu=on "   \
	    "or amd_iommu=on, and with the IOMMU on in the firmware's setup"

/* One after the other is cleared away. */
static void
all_that_is_in_the_way(void **state)
{
	(void)state;
	make_function(BDF, NULL, 64);
	make_function(NEIGHBOUR, NULL, 64);
	assert_refused(NO_IOMMU);
	run_shell("mkdir -p drivers/nic groups/7/devices/" BDF
	          " groups/7/devices/" NEIGHBOUR
	          " && ln -s ../../groups/7 devices/" BDF "/iommu_group"
	          " && ln -s ../../drivers/nic devices/" NEIGHBOUR "/driver");
	/* A group that VFIO has made up. */
	run_shell("echo vfio-noiommu >groups/7/name");
	assert_refused(NO_IOMMU);
	run_shell("rm groups/7/name");
	assert_refused(BDF ": there is no vfio-pci: 'modprobe vfio-pci'");
	run_shell("mkdir drivers/vfio-pci");
	assert_refused(
	    BDF ": " NEIGHBOUR " is in its IOMMU group and bound to nic, "
	        "and VFIO gives whole groups only: 'echo vfio-pci > "
	        "./devices/" NEIGHBOUR "/driver_override; echo " NEIGHBOUR
	        " > ./devices/" NEIGHBOUR "/driver/unbind; echo " NEIGHBOUR
	        " > ./drivers_probe'");
	run_shell("rm devices/" NEIGHBOUR "/driver; echo 4 >devices/" BDF
	          "/sriov_numvfs");
	assert_refused(BDF ": its 4 virtual functions would be lost: 'echo 0 > "
	                   "./devices/" BDF "/sriov_numvfs'");
	run_shell("echo 0 >devices/" BDF "/sriov_numvfs");
	assert_refused("-O take=yes: " BDF
	               ": driver_override: No such file or directory");
	run_shell("rm -r drivers groups");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(all_that_is_in_the_way, empty_tree),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
