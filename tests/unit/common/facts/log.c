/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's log says, as people paste it. */
#include "rig/cmocka.h"

#include "common/facts/facts.h"
#include "common/facts/paste.h"
#include "common/sys/sysfs.h"

#include <math.h>

#define LIMIT                                                                  \
	"31.504 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x4 "   \
	"link at 0000:00:1c.4 (capable of 126.016 Gb/s with 8.0 GT/s PCIe "    \
	"x16 link)\n"
#define FOUND "limit 0000:02:00.0 gen3x4 at 0000:00:1c.4 of gen3x16\n"

/* Of a whole log: its first line, a device, and a line of another one. */
#define BEGIN "[    0.000000] Linux version 6.12.0 (me@here) #1 SMP\n"
#define TYPE(bdf, kind)                                                        \
	"[    1.500000] pci " bdf                                              \
	": [8086:1533] type 00 class 0x020000 PCIe " kind "\n"
#define END "[    1.700000] pci 0000:00:1f.0: BAR 0 [mem 0x1-0x2]\n"

static const struct {
	const char *text, *facts;
} logs[] = {
    {"[    1.234567] pci 0000:02:00.0: " LIMIT, FOUND},
    {"<6>[    1.234567] [    T190] pci 0000:02:00.0: " LIMIT, FOUND},
    {"2025-10-07T11:51:23.614382-07:00 host kernel: [T24615] pci "
     "0000:02:00.0: " LIMIT,
     FOUND},
    {"Oct 07 11:51:23 host kernel: pci 0000:02:00.0: " LIMIT, FOUND},
    {"[Tue Oct  7 11:51:23 2025] pci 0000:02:00.0: " LIMIT, FOUND},
    {"pci 0000:02:00.0: " LIMIT, FOUND},
    /* A mail wraps; a screen cuts anywhere. */
    {"> [    1.234567] pci 0000:02:00.0: 31.504 Gb/s available PCIe\n"
     "> bandwidth, limited by 8.0 GT/s PCIe x4\n"
     "> link at 0000:00:1c.4 (capable of 126.016 Gb/s with 8.0 GT/s PCIe\n"
     "> x16 link)\n",
     FOUND},
    {"> [    1.234567] pci 0000:02:00.0: 31.504 Gb/s available PCIe "
     "bandwidth,\n> limited by 8.0 GT/s PCIe x4 link at 0000:00:1c.4 "
     "(capable of\n> 126.016 Gb/s with 8.0 GT/s PCIe x16 link)\n",
     FOUND},
    {"[    1.234567] pci 0000:02:00.0: 31.504 Gb/s available PCIe bandwidth, "
     "limited by 8\n.0 GT/s PCIe x4 link at 0000:00:1c.4 (capable of 126.016 "
     "Gb/s with 8.0 GT/s PCIe x16 link)\n",
     FOUND},
    /* Before 5.9; a port that cannot be seen; nothing limits. */
    {"[    0.890819] pci 0000:03:00.0: 32.000 Gb/s available PCIe bandwidth, "
     "limited by 2.5 GT/s x16 link at 0000:00:02.0 (capable of 126.016 Gb/s "
     "with 8 GT/s x16 link)\n",
     "limit 0000:03:00.0 gen1x16 at 0000:00:02.0 of gen3x16\n"},
    {"[    0.890819] pci 0000:03:00.0: 32.000 Gb/s available PCIe bandwidth, "
     "limited by 2.5 GT/s PCIe x16 link at (null) (capable of 126.016 Gb/s "
     "with 8.0 GT/s PCIe x16 link)\n",
     "limit 0000:03:00.0 gen1x16 at ? of gen3x16\n"},
    {"[    1.401853] igc 0000:03:00.0: 4.000 Gb/s available PCIe bandwidth "
     "(5.0 GT/s PCIe x1 link)\n",
     "limit 0000:03:00.0 none\n"},
    /* What contradicts itself was not written by a kernel. */
    {"[    1.234567] pci 0000:02:00.0: 63.008 Gb/s available PCIe bandwidth, "
     "limited by 8.0 GT/s PCIe x4 link at 0000:00:1c.4 (capable of 126.016 "
     "Gb/s with 8.0 GT/s PCIe x16 link)\n",
     ""},
    /* Silence */
    {BEGIN TYPE("0000:03:00.0", "Endpoint") END, "limit 0000:03:00.0 none\n"},
    {BEGIN TYPE("0000:03:00.0", "Legacy Endpoint") END,
     "limit 0000:03:00.0 none\n"},
    {BEGIN TYPE("0000:03:00.0", "Switch Upstream Port") END,
     "limit 0000:03:00.0 none\n"},
    {BEGIN TYPE("0000:03:00.0", "Root Port") END, ""},
    {BEGIN TYPE("0000:03:00.0", "Root Complex Integrated Endpoint") END, ""},
    {BEGIN TYPE("0000:03:00.1", "Endpoint") END, ""},
    {BEGIN TYPE("0000:03:00.0", "Endpoint"), ""},
    {TYPE("0000:03:00.0", "Endpoint") END, ""},
    {BEGIN "[...]\n" TYPE("0000:03:00.0", "Endpoint") END, ""},
    {BEGIN TYPE("0000:03:00.0", "Endpoint") "-- snip --\n" END, ""},
    {BEGIN "[    1.400000] igb 0000:02:00.0: 2 VFs enabled\n" TYPE(
         "0000:03:00.0", "Endpoint") END,
     ""},
    {BEGIN "[    1.400000] pci 0000:02:00.0: VF BAR 0 [mem 0x1-0x2]: contains "
           "BAR 0 for 2 VFs\n" TYPE("0000:03:00.0", "Endpoint") END,
     "limit 0000:03:00.0 none\n"},
    {BEGIN TYPE("0000:02:00.0",
                "Endpoint") "[    1.6] pci 0000:02:00.0: " LIMIT END,
     FOUND},
    /* Errors */
    {"[   30.1] pcieport 0000:00:1c.4: AER: Corrected error received: "
     "0000:02:00.0\n"
     "[   30.200000] nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected,\n"
     "type=Physical Layer, (Receiver ID)\n",
     "event 0000:02:00.0 Corrected error reported\n"
     "event 0000:02:00.0 Corrected error, Physical Layer\n"},
    {"[   30.200000] nvme 0000:02:00.0: AER: PCIe Bus Error: "
     "severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester "
     "ID)\n",
     "event 0000:02:00.0 Uncorrected (Non-Fatal) error, Transaction Layer\n"},
    {"[   30.200000] pcieport 0000:00:1c.4: DPC: containment event, "
     "status:0x1f01 source:0x0000\n"
     "[   30.300000] pcieport 0000:00:1c.4: pciehp: Slot(0): Link Down\n"
     "[   30.400000] pcieport 0000:00:1c.4: pciehp: Slot(0): Link Down/Up "
     "ignored (recovered by DPC)\n",
     "event 0000:00:1c.4 DPC took the link down\n"
     "event 0000:00:1c.4 link down\n"
     "event 0000:00:1c.4 link up\n"},
    /* Names of errors, as kernels from 3 to 6 print them, with any stamp. */
    {"[   30.2] hpsa 0000:04:00.0:    [ 0] Receiver Error         (First)\n"
     "[   30.3] hpsa 0000:04:00.0:    [ 8] RELAY_NUM Rollover\n"
     "[   30.4] hpsa 0000:04:00.0:    [12] Poisoned TLP\n",
     "event 0000:04:00.0 RxErr\n"
     "event 0000:04:00.0 Rollover\n"
     "event 0000:04:00.0 TLP\n"},
    {"Oct 07 11:51:23 host kernel: nvme 0000:04:00.0: AER:    [ 6] BadTLP\n"
     "[Tue Oct  7 11:51:23 2025] nvme 0000:04:00.0:    [12] Timeout\n"
     "[  +0.000004] nvme 0000:04:00.0:    [14] CmpltTO    (First)\n"
     "[Oct 7 11:51] nvme 0000:04:00.0:    [20] UnsupReq\n"
     "nvme 0000:04:00.0: AER: [21] ACSViol\n",
     "event 0000:04:00.0 BadTLP\n"
     "event 0000:04:00.0 Timeout\n"
     "event 0000:04:00.0 CmpltTO\n"
     "event 0000:04:00.0 UnsupReq\n"
     "event 0000:04:00.0 ACSViol\n"},
    {"nvme 0000:04:00.0: [99] BadTLPs\nnvme 0000:04:00.0: [x] BadTLP\n", ""},
    /* What a port reports: all that a search for AER may leave. */
    {"[   30.1] pcieport 0001:00:1c.4: AER: Multiple Corrected error "
     "received: id=0200\n"
     "[   30.1] pcieport 0000:00:1c.4: AER: Uncorrectable (Fatal) error "
     "message received from 0000:00:00.0\n"
     "[   30.1] pcieport 0000:00:1c.4: AER: can't find device of ID00e4\n",
     "event 0000:00:1c.4 Uncorrectable (Fatal) error reported\n"
     "event 0001:02:00.0 Corrected error reported\n"},
    /* Slots; before version 5 with the name of the service. */
    {"pciehp 0000:00:1c.4:pcie004: Slot(4): Link Up\n"
     "[   30.1] pciehp 0000:00:1c.4:pcie24: slot(6): Link Down event\n"
     "[   30.1] pciehp 0000:00:1c.5:pcie004: Card not present on Slot(5)\n"
     "[   30.1] igb 0000:04:00.0 eth0: NIC Link Down\n",
     "event 0000:00:1c.4 link up\n"
     "event 0000:00:1c.4 link down\n"
     "event 0000:00:1c.5 card not present\n"},
    /* One fall, in several lines. */
    {"[   30.1] NVRM: GPU at PCI:0000:41:00: GPU-0\n"
     "[   30.1] NVRM: Xid (PCI:0000:41:00): 79, pid=1, GPU has fallen off "
     "the bus.\n"
     "[   30.1] NVRM: Xid (PCI:0000:41:00): 154, GPU recovery action\n"
     "[   30.1] NVRM: GPU 0000:41:00.0: GPU has fallen off the bus.\n",
     "event 0000:41:00.0 GPU fell off the bus\n"},
    {"[   30.1] NVRM: The NVIDIA GPU 0000:41:00.0\n"
     "           NVRM: (PCI ID: 10de:26b5) installed in this system has\n"
     "           NVRM: fallen off the bus and is not responding.\n"
     "[   30.2] NVRM: Xid (0000:42:00): 79, GPU has fallen off the bus.\n",
     "event 0000:41:00.0 GPU fell off the bus\n"
     "event 0000:42:00.0 GPU fell off the bus\n"},
    /* Not a log. */
    {"02:00.0 Ethernet controller: Intel Corporation I210\n", ""},
};

static struct facts
read_facts(FILE *f)
{
	struct facts facts = {0};
	struct paste *paste = paste_begin(f);
	char *line;

	while ((line = paste_next(paste)))
		facts_take(&facts, line, NO_COLUMN);
	paste_end(paste);
	facts_sort(&facts);
	return facts;
}

TEST(lines_are_understood)
{
	for (size_t i = 0; i < ARRAY_LEN(logs); i++) {
		const char *text = logs[i].text;
		FILE *f = fmemopen((void *)text, strlen(text), "r");
		struct facts facts = read_facts(f);
		char *got = xstrdup("");

		fclose(f);
		for (size_t k = 0; k < facts.n; k++) {
			const struct fact *fact = &facts.item[k];

			if (fact->kind == FACT_LIMIT ||
			    fact->kind == FACT_EVENT)
				xappend(&got, "", "%s %s %s\n",
				        fact_names[fact->kind], fact->bdf,
				        fact->value);
		}
		if (strcmp(got, logs[i].facts) != 0)
			fail_msg("%s\ngives\n%s, not\n%s", text, got,
			         logs[i].facts);
		free(got);
		facts_free(&facts);
	}
}

TEST(times_are_since_boot)
{
	static const char text[] = "[   12.345678] pci 0000:02:00.0: " LIMIT
	                           "Oct 07 11:51:23 host kernel: pci "
	                           "0000:02:00.0: " LIMIT;
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	struct facts facts = read_facts(f);
	const struct fact *first =
	    facts_find(&facts, "0000:02:00.0", FACT_LIMIT);

	fclose(f);
	assert_true(first->time_s > 12.3456 && first->time_s < 12.3457);
	assert_true(isnan(facts_next(&facts, first)->time_s));
	facts_free(&facts);
}

/* Journals name the host; what is before "kernel:" may be no host. */
TEST(hosts_are_told_apart)
{
	static const struct {
		const char *text;
		bool two;
	} lines[] = {
	    {"Oct 07 11:51:23 one kernel: a\nOct 07 11:51:23 two kernel: b\n",
	     true},
	    {"Oct 07 11:51:23 one kernel: a\nOct 07 11:51:23 ONE kernel: b\n",
	     false},
	    {"[    0.893304] kernel: a\n[    1.893304] kernel: b\n"
	     "Oct 07 11:51:23 one kernel: c\nOct 07 11:51:23 kernel: d\n",
	     false},
	    {"Oct 07 11:51:23 localhost kernel: a\nOct 07 11:51:23 one kernel: "
	     "b\n",
	     false},
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const char *text = lines[i].text;
		FILE *f = fmemopen((void *)text, strlen(text), "r");
		struct facts facts = read_facts(f);
		char *why = facts_two_machines(&facts);

		fclose(f);
		assert_int_equal(why != NULL, lines[i].two);
		free(why);
		facts_free(&facts);
	}
}

/* Each line that says what limits is read: its arithmetic holds. */
TEST(all_limits_are_read)
{
	const char *data = getenv("PCB_TEST_DATA");
	size_t said = 0, read = 0;
	glob_t files = {0};

	if (!data)
		skip();
	find_files(&files, "%s/machines/dmesg/*", data);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		FILE *f = fopen(files.gl_pathv[i], "r");
		struct facts facts;
		char *line = NULL;
		size_t size = 0;

		assert_non_null(f);
		while (getline(&line, &size, f) >= 0)
			said +=
			    strstr(line, "PCIe bandwidth, limited by") != NULL;
		rewind(f);
		facts = read_facts(f);
		for (size_t k = 0; k < facts.n; k++)
			read += facts.item[k].kind == FACT_LIMIT &&
			        strcmp(facts.item[k].value, "none") != 0;
		free(line);
		fclose(f);
		facts_free(&facts);
	}
	printf("%zu of %zu\n", read, said);
	assert_int_equal(read, said);
	assert_true(said > 0);
	globfree(&files);
}
