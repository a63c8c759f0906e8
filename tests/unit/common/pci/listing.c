/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers from words of lspci -vv, old and new versions. */
#include "common/pci/listing.h"
#include "common/base/util.h"
#include "common/pci/tree.h"
#include "rig/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a function, and a register's value by the specification. */
static const struct {
	const char *lines;
	enum pci_register reg;
	uint32_t mask, value;
} rows[] = {
    {"\tControl: I/O- Mem+ BusMaster-", REG_COMMAND, 6, 2},
    {"\tControl: I/O- Mem- BusMaster+", REG_COMMAND, 6, 4},
    {"\tCapabilities: [c0] Express (v2) Endpoint, MSI 00", REG_FLAGS, 0xff, 2},
    {"\tCapabilities: [c0] Express (v1) Legacy Endpoint, IntMsgNum 0",
     REG_FLAGS, 0xff, 0x11},
    {"\tCapabilities: [90] Express (v2) Root Port (Slot+), MSI 00", REG_FLAGS,
     0xff, 0x42},
    {"\tCapabilities: [70] Express (v2) PCI-Express to PCI/PCI-X Bridge, MSI",
     REG_FLAGS, 0xff, 0x72},
    {"\t\tStatus: D3 NoSoftRst+ PME-Enable-", REG_POWER, 3, 3},
    {"\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0, Latency L0s <64ns, "
     "L1 <1us",
     REG_DEVCAP, 0xfc7, 0x002},
    {"\t\tDevCap:\tMaxPayload 128 bytes, PhantFunc 0, Latency L0s unlimited, "
     "L1 <32us",
     REG_DEVCAP, 0xfc7, 0xbc0},
    {"\t\tDevCap:\tMaxPayload 128 bytes\n\t\t\tExtTag+ AttnBtn-", REG_DEVCAP,
     0x20, 0x20},
    {"\t\tDevCtl:\tReport errors: Correctable-\n\t\t\tRlxdOrd+ ExtTag- "
     "NoSnoop+\n\t\t\tMaxPayload 256 bytes, MaxReadReq 4096 bytes",
     REG_DEVCTL, 0xffff, 0x5830},
    {"\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16, ASPM L0s L1, Exit Latency "
     "L0s <512ns, L1 <16us",
     REG_LNKCAP, 0x3f3ff, 0x23103},
    {"\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x4, ASPM L1, Exit Latency "
     "L1 <64us",
     REG_LNKCAP, 0x383ff, 0x30045},
    {"\t\tLnkCap:\tPort #0, Speed 8GT/s\n\t\t\tClockPM- BwNot+", REG_LNKCAP,
     0x200000, 0x200000},
    {"\t\tLnkCtl:\tASPM Disabled; RCB 64 bytes Disabled- CommClk+", REG_LNKCTL,
     0xb, 0},
    {"\t\tLnkCtl:\tASPM L0s L1 Enabled; RCB 128 bytes, Disabled-", REG_LNKCTL,
     0xb, 0xb},
    {"\t\tLnkSta:\tSpeed 8GT/s, Width x8, TrErr- BWMgmt+ ABWMgmt-", REG_LNKSTA,
     0xc3ff, 0x4083},
    {"\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x1 (downgraded)\n"
     "\t\t\tTrErr- ABWMgmt+",
     REG_LNKSTA, 0x83ff, 0x8011},
    {"\t\tLnkSta:\tSpeed unknown, Width x0", REG_LNKSTA, 0x3ff, 0},
    {"\t\tDevCap2: Completion Timeout: Range B, TimeoutDis+ LTR+\n"
     "\t\t\t 10BitTagComp+ 10BitTagReq-",
     REG_DEVCAP2, 0x30800, 0x10800},
    {"\t\tDevCtl2: Completion Timeout: 50us, TimeoutDis-, LTR-, OBFF",
     REG_DEVCTL2, 0x400, 0},
    {"\t\tLnkCap2: Supported Link Speeds: 2.5-16GT/s, Crosslink-", REG_LNKCAP2,
     0xfe, 0x1e},
    {"\t\tLnkCtl2: Target Link Speed: 2.5GT/s, EnterCompliance-", REG_LNKCTL2,
     0xf, 1},
    {"\t\tCESta:\tRxErr+ BadTLP- BadDLLP+ Rollover- Timeout-", REG_CESTA,
     0x11c1, 0x81},
    {"\t\tUESta:\tDLP- SDES- TLP+ FCP- CmpltTO+ MalfTLP-", REG_UESTA, 0x47010,
     0x5000},
    {"\t\tAERCap:\tFirst Error Pointer: 00, GenCap+ CGenEn+ ChkCap-",
     REG_AERCAP, 0x40, 0x40},
    {"\t\tAERCap:\tFirst Error Pointer: 00, ECRCGenCap+ ECRCGenEn+", REG_AERCAP,
     0x40, 0x40},
    {"\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir-", REG_ACSCTL, 0xc,
     4},
    {"\t\tL1SubCtl1: PCI-PM_L1.2- PCI-PM_L1.1- ASPM_L1.2+ ASPM_L1.1-\n"
     "\t\t\t   T_CommonMode=30us LTR1.2_Threshold=0ns",
     REG_L1SSCTL1, 0xff0c, 0x1e04},
    {"\t\tL1SubCtl2: T_PwrOn=3100us", REG_L1SSCTL2, 0xff, 0xfa},
    {"\t\tBAR 1: current size: 256MB, supported: 64MB 256MB 4GB", REG_REBARCAP,
     0xffffffff, 0x10000 | 0x1000 | 0x400},
    {"\t\tBAR 1: current size: 256MB, supported: 64MB 256MB", REG_REBARCTL,
     0x3f00, 0x800},
};

/* The tree of a text. */
static struct pci_tree *
read_text(const char *text)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	struct pci_tree *tree;
	unsigned state = 0;

	assert_non_null(f);
	tree = listing_read(f, NULL, &state);
	fclose(f);
	return tree;
}

/* What terminals, mail programs and pages make of lspci's output. */
enum layout {
	AS_PRINTED,
	SPACES,
	FLAT,
	QUOTED,
	BLANK_LINES,
	DOS,
	ENTITIES,
	ENCODED,
	WRAPPED,
	UTF16,
	NLAYOUTS
};

/* Sets *column; the text for one character. */
static void
put_in(enum layout layout, FILE *to, char c, size_t *column)
{
	*column = c == '\n' ? 0 : *column + 1;
	if (c == '\t' && (layout == SPACES || layout == FLAT))
		fputs(layout == FLAT ? " " : "       ", to);
	else if (c == '\t' && layout == ENCODED)
		fputs("=09", to);
	else if (c == '=' && layout == ENCODED)
		fputs("=3D", to);
	else if (strchr("<>+\t", c) && layout == ENTITIES)
		fprintf(to, "&%s;",
		        c == '<'   ? "lt"
		        : c == '>' ? "gt"
		        : c == '+' ? "#43"
		                   : "nbsp");
	else if (c == ' ' && layout == WRAPPED && *column > 45)
		*column = 0, fputs(" \n", to);
	else
		putc(c, to);
	if (layout == UTF16)
		putc(0, to);
	if (layout == ENCODED && *column == 70)
		fputs("=\n", to);
	if (c == '\n' && layout == QUOTED)
		fputs("> ", to);
	if (c == '\n' && layout == BLANK_LINES)
		putc('\n', to);
	if (c == '\n' && layout == DOS)
		fseek(to, -1, SEEK_CUR), fputs("\r\n", to);
}

static void
words_are_registers(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows) * NLAYOUTS; i++) {
		size_t row = i / NLAYOUTS, column = 0;
		char *text = xasprintf("03:00.0 Ethernet controller: A\n%s",
		                       rows[row].lines);
		FILE *f = tmpfile();
		struct pci_tree *tree;
		const struct pci_registers *r;
		unsigned last = 0;

		assert_non_null(f);
		for (const char *at = text; *at; at++)
			put_in(i % NLAYOUTS, f, *at, &column);
		rewind(f);
		tree = listing_read(f, NULL, &last);
		assert_int_equal(tree->n, 1);
		r = &tree->function->registers;
		if (!r->seen[rows[row].reg] ||
		    (r->value[rows[row].reg] & rows[row].mask) !=
		        rows[row].value)
			fail_msg("layout %zu: %s: %#x", i % NLAYOUTS,
			         rows[row].lines, r->value[rows[row].reg]);
		pci_tree_free(tree);
		fclose(f);
		free(text);
	}
}

/* Truncated words, or those in another register, set nothing. */
static void
other_words_are_none(void **state)
{
	static const char *const lines[] = {
	    "\t\tLnkCap:\tSpeed 9GT/s, Width x",
	    "\t\tDevCtl:\tMaxPayload 300 b",
	    "\t\tLnkCtl:\tASPM ",
	    "\t\tRootCtl: Width x8",
	    "\t\tCESta:\tXRxErr+ RxErr",
	    "\t\tStatus: D9",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char *text = xasprintf("03:00.0 A\n%s\n", lines[i]);
		struct pci_tree *tree = read_text(text);

		for (unsigned reg = 0; reg < NREGISTERS; reg++)
			assert_false(tree->function->registers.seen[reg]);
		pci_tree_free(tree);
		free(text);
	}
}

static enum port
port_of(const char *lines)
{
	char *text =
	    xasprintf("0001:03:00.0 VGA compatible controller: A\n%s", lines);
	struct pci_tree *tree = read_text(text);
	enum port port = tree->function->pcie.port;

	assert_string_equal(tree->function->bdf, "0001:03:00.0");
	assert_int_equal(tree->function->class_code >> 24, 3);
	pci_tree_free(tree);
	free(text);
	return port;
}

static void
no_capability_is_not_an_unseen_one(void **state)
{
	assert_int_equal(port_of(""), PORT_UNSEEN);
	assert_int_equal(port_of("\tStatus: Cap- 66MHz-\n"), PORT_NONE);
	assert_int_equal(port_of("\tStatus: Cap+\n\tCapabilities: [50] MSI\n"),
	                 PORT_NONE);
	assert_int_equal(
	    port_of("\tStatus: Cap+\n\tCapabilities: <access denied>\n"),
	    PORT_UNSEEN);
	assert_int_equal(port_of("\tStatus: Cap+\n\tCapabilities: [c0] Express "
	                         "(v2) Endpoint, MSI 00\n\t\tDevCtl:\t"
	                         "MaxPayload 128 bytes\n"),
	                 PORT_ENDPOINT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_registers),
	    cmocka_unit_test(other_words_are_none),
	    cmocka_unit_test(no_capability_is_not_an_unseen_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
