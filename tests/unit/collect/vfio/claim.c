/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Obstacles to taking a device, in a tree like sysfs. */
#include "collect/vfio/vfio.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/session.h"
#include "rig/support.h"

#include <sys/stat.h>
#include <unistd.h>

#define BDF       "0000:01:00.0"
#define NEIGHBOUR "0000:01:00.1"

static struct session s;
static struct changes changes;

static bool
is_claimed(bool allowed)
{
	struct pci_tree *tree = read_tree(2);
	bool claimed =
	    claim_device(&s, tree, pci_find(tree, BDF), allowed, &changes);

	pci_tree_free(tree);
	return claimed;
}

static int
clean(void **state)
{
	free(s.failure.text);
	s = (struct session){0};
	run_shell("rm -rf drivers groups proc run sys");
	return 0;
}

/* is_claimed must report this obstacle. */
static void
assert_refused(const char *text)
{
	assert_false(is_claimed(true));
	assert_failed(&s, STATUS_ABSENT, text);
	assert_int_equal(changes.nchanged, 0);
}

#define NO_IOMMU                                                               \
	BDF ": behind no IOMMU, which VFIO needs: boot with intel_iommu=on "   \
	    "or amd_iommu=on, and with the IOMMU on in the firmware's setup"

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/* Removes one after the other. */
TEST_IN(all_that_is_in_the_way, empty_tree, clean)
{
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
	assert_refused(
	    "-O unbind=yes: driver_override: No such file or directory");
}

/* A function with a driver, alone in its group except harmless ones. */
static void
make_taken(void)
{
	make_function(BDF, NULL, 64);
	make_function(NEIGHBOUR, NULL, 64);
	run_shell("mkdir -p drivers/nic drivers/vfio-pci groups/7/devices/" BDF
	          " groups/7/devices/" NEIGHBOUR " && cd devices/" BDF
	          " && mkdir power && ln -s ../../groups/7 iommu_group"
	          " && ln -s ../../drivers/nic driver"
	          " && ln -s ../.. subsystem && >driver/unbind"
	          " && >subsystem/drivers/vfio-pci/bind"
	          " && echo '(null)' >driver_override"
	          " && echo auto >power/control");
}

TEST_IN(drivers_that_do_nothing_may_be_in_the_group, empty_tree, clean)
{
	static const char *const harmless[] = {"pci-stub", "pcieport",
	                                       "vfio-pci", "mlx5_vfio_pci"};

	make_taken();
	for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
		char command[160];
		struct pci_tree *tree;
		char *why;

		snprintf(command, sizeof command,
		         "mkdir -p drivers/%s && ln -sfn ../../drivers/%s "
		         "devices/" NEIGHBOUR "/driver",
		         harmless[i], harmless[i]);
		run_shell(command);
		tree = read_tree(2);
		why = claim_obstacle(tree, pci_find(tree, BDF), true);
		assert_null(why);
		why = claim_obstacle(tree, pci_find(tree, BDF), false);
		assert_non_null(why);
		free(why);
		pci_tree_free(tree);
	}
}

TEST_IN(one_that_is_in_use_is_left, empty_tree, clean)
{
	root_set(".");
	make_taken();
	run_shell("mkdir -p devices/" BDF "/uio/uio0 proc/self"
	          " && mkdir -p proc/self/ns proc/1 proc/77/task/78/fd"
	          " sys/dev/char && ln -s ../uio0 sys/dev/char/1:3"
	          " && >devices/" BDF "/uio/uio0/dev"
	          " && ln -s 'pid:[4026531836]' proc/self/ns/pid"
	          " && ln -s /dev/null proc/77/task/78/fd/5");
	assert_false(is_claimed(true));
	assert_non_null(
	    strstr(s.failure.text, "/dev/uio0 is open in the process 77: "));
	assert_int_equal(changes.nchanged, 0);
}

/* Files do not behave like the kernel: another driver still has it. */
TEST_IN(driver_and_sleep_are_taken, empty_tree, clean)
{
	/* No record in the /run of this machine. */
	root_set(".");
	make_taken();
	assert_int_equal(mkdir("run", 0700), 0);
	assert_false(is_claimed(true));
	assert_string_equal(s.failure.text, "-O unbind=yes: ./devices/" BDF
	                                    ": another driver has it");
	assert_int_equal(changes.nchanged, 2);
	assert_string_equal(changes.item[0].path,
	                    "./devices/" BDF "/power/control");
	assert_string_equal(changes.item[0].before, "auto");
	assert_string_equal(changes.item[0].wanted, "on");
	assert_string_equal(changes.item[1].before, "nic");
	assert_string_equal(changes.item[1].wanted, "vfio-pci");
	run_shell("grep -qx on devices/" BDF "/power/control && "
	          "grep -qx " BDF " drivers/nic/unbind && "
	          "grep -qx vfio-pci devices/" BDF "/driver_override");
	changes_undo(&changes);
	run_shell("grep -qx auto devices/" BDF "/power/control");
}

/* Bound by the user: nothing is changed. */
TEST_IN(what_vfio_has_is_not_taken, empty_tree, clean)
{
	make_taken();
	run_shell("ln -sfn ../../drivers/vfio-pci devices/" BDF "/driver");
	for (int allowed = 0; allowed < 2; allowed++) {
		assert_true(is_claimed(allowed));
		assert_int_equal(changes.n, 0);
	}
}
