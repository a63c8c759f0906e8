/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers from words of lspci -vv, and from config space. */
#include "common/pci/listing.h"

#include "common/pci/tree.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

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
     REG_DEVCAP, 0xe07, 0x002},
    {"\t\tDevCap:\tMaxPayload 128 bytes, PhantFunc 0, Latency L0s unlimited, "
     "L1 <32us",
     REG_DEVCAP, 0xe07, 0xa00},
    {"\t\tDevCap:\tMaxPayload 128 bytes\n\t\t\tExtTag+ AttnBtn-", REG_DEVCAP,
     0x20, 0x20},
    {"\t\tDevCtl:\tReport errors: Correctable-\n\t\t\tRlxdOrd+ ExtTag- "
     "NoSnoop+\n\t\t\tMaxPayload 256 bytes, MaxReadReq 4096 bytes",
     REG_DEVCTL, 0xffff, 0x5830},
    {"\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16, ASPM L0s L1, Exit Latency "
     "L0s <512ns, L1 <16us",
     REG_LNKCAP, 0x383ff, 0x20103},
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
    /* Cut within words: BROKEN rows, as printed only. */
    {"\t\tDevCap:\tMaxPayload 128 bytes, PhantFunc 0, Latency L0s <512ns, L\n"
     "1 unlimited\n\t\t\tExtT\nag+",
     REG_DEVCAP, 0xe20, 0xe20},
    {"\t\tLnkCap:\tPort #0, ASPM L1, Exit Latency L1 <1\n6us\n", REG_LNKCAP,
     0x38000, 0x20000},
};

#define BROKEN 2

/* The tree of a text. */
static struct pci_tree *
read_text(const char *text)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	struct pci_tree *tree;
	struct facts facts = {0};
	unsigned state = 0;

	assert_non_null(f);
	tree = listing_read(f, NULL, &state, &facts);
	assert_int_equal(facts.n, 0);
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
	JOURNAL,
	COMMENT,
	COLOURED,
	ESCAPED,
	LIST,
	NUMBERED,
	REFERENCES,
	CAT_A,
	ONE_LINE,
	NLAYOUTS
};

/* Sets *column; the text for one character. */
static void
put_in(enum layout layout, FILE *to, char c, size_t *column, int *line)
{
	if (!*column && layout == JOURNAL)
		fputs("Nov 27 10:11:12 pc kernel: [  12.345678] ", to);
	if (!*column && layout == COMMENT)
		fputs(" * ", to);
	if (!*column && layout == LIST)
		fputs(", '", to);
	if (!*column && layout == NUMBERED)
		fprintf(to, "dump.txt:%d:", ++*line);
	if (c == '\n' && layout == CAT_A)
		putc('$', to);
	if (c == ':' && layout == COLOURED)
		fputs("\x1b[01;31m\x1b[K", to);
	*column = c == '\n' ? 0 : *column + 1;
	if (c == '\t' && (layout == SPACES || layout == FLAT))
		fputs(layout == FLAT ? " " : "       ", to);
	else if (c == '\t' && layout == REFERENCES)
		fputs((*line ^= 1) ? "&#9;" : "&#xA0;", to);
	else if (c == '\t' && layout == CAT_A)
		fputs("^I", to);
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
	else if (strchr("\n\t<", c) && layout == ESCAPED)
		fputs(c == '<' ? "\\u003c" : c == '\n' ? "\\n" : "\\t", to);
	else if (c == '\n' && (layout == LIST || layout == ONE_LINE))
		fputs(layout == LIST ? "'" : " ", to);
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

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(words_are_registers)
{
	for (size_t i = 0; i < ARRAY_LEN(rows) * NLAYOUTS; i++) {
		size_t row = i / NLAYOUTS, column = 0;
		char *text = xasprintf("03:00.0 Ethernet controller: A\n%s",
		                       rows[row].lines);
		FILE *f = tmpfile();
		struct pci_tree *tree;
		const struct pci_registers *r;
		struct facts facts = {0};
		unsigned last = 0;
		int line = 0;

		assert_non_null(f);
		for (const char *at = text; *at; at++)
			put_in(i % NLAYOUTS, f, *at, &column, &line);
		rewind(f);
		tree = listing_read(f, NULL, &last, &facts);
		assert_int_equal(tree->n, 1);
		assert_string_equal(tree->function->bdf, "0000:03:00.0");
		r = &tree->function->registers;
		if (!r->seen[rows[row].reg] ||
		    (r->value[rows[row].reg] & rows[row].mask) !=
		        rows[row].value)
			fail_msg("layout %zu: %s: %#x", i % NLAYOUTS,
			         rows[row].lines, r->value[rows[row].reg]);
		pci_tree_free(tree);
		fclose(f);
		free(text);
		if (row >= ARRAY_LEN(rows) - BROKEN)
			i += NLAYOUTS - 1;
	}
}

/* Truncated words, or those in another register, set nothing. */
TEST(other_words_are_none)
{
	static const char *const lines[] = {
	    "\t\tLnkCap:\tSpeed 9GT/s, Width x",
	    "\t\tDevCtl:\tMaxPayload 300 b",
	    "\t\tLnkCtl:\tASPM ",
	    "\t\tRootCtl: Width x8",
	    "\t\tCESta:\tXRxErr+ RxErr",
	    "\t\tStatus: D9",
	    "\t\tLnkCap:\tWidth x1>",
	    "\t\tLnkCap:\tWidth x1\xe2\x80\xa6",
	    "\t\tL1SubCtl2: T_PwrOn=10",
	    "\t\tDevCap:\tLatency L0s unlim\n\t\t\tExtTa",
	    "RootCap: CRSVisi\nRootCtl: ErrCorr\nLnkCap: Width x1\n ",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char *text = xasprintf("03:00.0 A\n%s\n", lines[i]);
		struct pci_tree *tree = read_text(text);

		for (unsigned reg = 0; reg < NREGISTERS; reg++) {
			if (tree->function->registers.seen[reg])
				fail_msg("%s: %u", lines[i], reg);
		}
		pci_tree_free(tree);
		free(text);
	}
}

/* Lines that stand around listings: of journals, diffs, mail and programs. */
static const char *const around[] = {
    "[    0.446224] ACPI: EC: EC started",
    "kernel: NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:2c02)",
    "[   12.345678] NVRM: GPU 0000:0f:00.0: Xid (PCI:0000:0f:00): 79",
    "2025-07-13T13:51:36.407695+08:00 host kernel: nvme nvme0: 8/0/0 queues",
    "Jul 13 13:51:36 host systemd[1]: Started Bluetooth: service.",
    "Dec  1 02:16:37 cpu18 kernel: mrf-pci 0000:0e:00.0: [error] state=2",
    "[    1.234567] pci 0000:00:1c.0: PCI bridge to [bus 01]",
    "[    1.300000] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)",
    "(--) NVIDIA(0): Status: connected; Control: on, Bus: 1",
    "00: XX XX XX XX ff ff ff ff ff ff ff ff ff ff ff ff    ....????",
    "00: ff ff ff ff ff ff ff",
    "EC: EC started",
    "ff: fe",
    "0000: 46 41 43 50 14 01 00 00 06 8c 41 4c 41 53 4b 41",
    "@@ -376,7 +375,7 @@",
    "@@ -434,7 +434,8 @@ static void get(struct d *p,",
    "--- a/drivers/pci/pcie/aspm.c",
    "+++ b/drivers/pci/pcie/aspm.c",
    "diff --git a/x.c b/x.c",
    "index 1234567..89abcde 100644",
    "-\tu32 latency, l1_switch_latency = 0;",
    "+\t\tl0s_max_latency = 0;",
    "+ Status: connected",
    "From: A Name <user@example.org>",
    "Subject: Re: lspci -vvv of a bridge",
    "On Mon, Aug 3, 2020 at 11:44 PM A Name <user@example.org> wrote:",
    "> > This says that the Width is x8, and LTR+ hides it.",
    "> 01:00.0 config space, which seems like a problem.  Probably its",
    "Here is lspci -s 03:00.0 after the hang, I think",
    "Regards,",
    "--",
    "Error: no such file",
    "Note: see Documentation/PCI for more",
    "https://bugzilla.example.org/show_bug.cgi?id=218525",
    "```",
    "...",
    "* 24 cores, 128 GB: all fine",
    "Speed: 8 GT/s? Width: unknown"};

/* Appends to the text what comes between two lines of it, or nothing. */
static void
put_around(FILE *to, char *const *more, size_t nmore, unsigned *random)
{
	size_t n = ARRAY_LEN(around) + nmore, i;

	*random = *random * 1103515245 + 12345;
	i = (*random >> 16) % (4 * n);
	if (i < n)
		fprintf(to, "%s\n", i < nmore ? more[i] : around[i - nmore]);
}

/* The first difference that matters; NULL: none. */
static const char *
difference(const struct pci_tree *a, const struct pci_tree *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		const struct pci_function *x = &a->function[i];
		const struct pci_function *y = &b->function[i];

		if (strcmp(x->bdf, y->bdf) != 0 ||
		    x->class_code != y->class_code ||
		    x->first_bus != y->first_bus ||
		    strcmp(x->driver, y->driver) != 0 || x->ones != y->ones ||
		    memcmp(&x->registers, &y->registers, sizeof x->registers) !=
		        0)
			return x->bdf;
	}
	return a->n != b->n ? "functions" : NULL;
}

static struct pci_tree *
read_stream(FILE *f, FILE *rows)
{
	struct facts facts = {0};
	unsigned state = 0;
	struct pci_tree *tree;

	rewind(f);
	tree = listing_read(f, rows, &state, &facts);
	facts_free(&facts);
	return tree;
}

/* Whether registers, words and bytes of a listing stay as they are. */
static bool
is_unchanged(const char *file, char *const *more, size_t nmore)
{
	FILE *f = fopen(file, "r"), *rows = tmpfile(), *with_rows = tmpfile();
	FILE *with = tmpfile();
	char *line = NULL, a[4096], b[4096];
	size_t size = 0, n;
	unsigned random = 1;
	struct pci_tree *plain, *other;
	const char *differs;

	assert_non_null(f);
	plain = read_stream(f, rows);
	rewind(f);
	while (getline(&line, &size, f) > 0) {
		fputs(line, with);
		/* A line that goes on in the next one. */
		if (!strchr(line, '\n') || strstr(line, "=\n"))
			continue;
		put_around(with, more, nmore, &random);
	}
	other = read_stream(with, with_rows);
	differs = difference(plain, other);
	rewind(rows);
	rewind(with_rows);
	while (!differs && (n = fread(a, 1, sizeof a, rows))) {
		if (fread(b, 1, n, with_rows) != n || memcmp(a, b, n) != 0)
			differs = "bytes";
	}
	if (differs)
		print_error("%s: %s\n", file, differs);
	pci_tree_free(plain);
	pci_tree_free(other);
	free(line);
	fclose(f);
	fclose(with);
	fclose(rows);
	fclose(with_rows);
	return !differs;
}

/* Lines of logs that have a time; not those that are a listing. */
static char **
read_logs(size_t *n)
{
	glob_t files = {0};
	char **lines = NULL, *line = NULL;
	size_t size = 0;

	*n = 0;
	find_files(&files, "%s/machines/dmesg/*", getenv("PCB_TEST_DATA"));
	for (size_t i = 0; i < files.gl_pathc; i++) {
		FILE *f = fopen(files.gl_pathv[i], "r");

		assert_non_null(f);
		for (size_t at = 0; getline(&line, &size, f) > 0; at++) {
			const char *stamp = strchr(line, '[');
			size_t from = stamp ? (size_t)(stamp - line) : 0;

			if (!stamp || from > 40 ||
			    strspn(stamp + 1, " 0123456789.]") < 10 ||
			    strstr(line, "severity=") ||
			    strstr(line, "available PCIe") || at % 16)
				continue;
			line[strcspn(line, "\n")] = '\0';
			array_push(lines, *n, xstrdup(line));
		}
		fclose(f);
	}
	free(line);
	globfree(&files);
	return lines;
}

TEST(text_around_is_no_register)
{
	static const char *const places[] = {"lspci/*.txt", "lspci2/*.txt"};
	const char *top = getenv("TOP");
	char *file = xasprintf("%s/tests/data/lspci/port.txt", top ? top : ".");
	size_t nmore = 0, changed = 0;
	char **more;

	assert_true(is_unchanged(file, NULL, 0));
	free(file);
	if (!getenv("PCB_TEST_DATA"))
		skip();
	more = read_logs(&nmore);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		glob_t files = {0};

		find_files(&files, "%s/%s", getenv("PCB_TEST_DATA"), places[i]);
		for (size_t k = 0; k < files.gl_pathc; k++)
			changed +=
			    !is_unchanged(files.gl_pathv[k], more, nmore);
		globfree(&files);
	}
	for (size_t i = 0; i < nmore; i++)
		free(more[i]);
	free(more);
	assert_int_equal(changed, 0);
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

TEST(no_capability_is_not_an_unseen_one)
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

/* Capabilities ----------------------------------------------------------- */

/* Where make_function puts the PCI Express capability. */
#define EXPRESS 0x40

/* Port types, PCIe Base Specification 7.5.3.2. */
enum { ENDPOINT = 0, ROOT = 4, UPSTREAM, DOWNSTREAM, TO_PCI, FROM_PCI, RCIEP };

/* A function with a PCI Express capability: its words as in hardware. */
struct registers {
	unsigned type, version, control, link_control, status, status2;
	int ecrc; /* -1: no AER capability */
};

static void
make_express(const char *bdf, const struct registers *e)
{
	const struct byte bytes[] = {
	    {0x06, 0x10},
	    {0x34, EXPRESS},
	    {EXPRESS, 0x10},
	    {EXPRESS + 2, (unsigned char)(e->type << 4 | e->version)},
	    {EXPRESS + 8, (unsigned char)e->control},
	    {EXPRESS + 9, (unsigned char)(e->control >> 8)},
	    {EXPRESS + 16, (unsigned char)e->link_control},
	    {EXPRESS + 18, (unsigned char)e->status},
	    {EXPRESS + 19, (unsigned char)(e->status >> 8)},
	    {EXPRESS + 50, (unsigned char)e->status2},
	    {EXPRESS + 51, (unsigned char)(e->status2 >> 8)},
	    {e->ecrc < 0 ? 0 : 0x100, 1},
	    {0x102, 1},
	    {0x118, (unsigned char)(e->ecrc > 0 ? 0x40 : 0)},
	    {0},
	};

	make_function(bdf, bytes, 4096);
}

static void
assert_link(const struct registers *e, const char *link, const char *aspm)
{
	struct pci_tree *tree;
	char text[LINK_TEXT_MAX];

	empty_tree(NULL);
	make_express("0000:00:00.0", e);
	tree = read_tree(1);
	link_format(&tree->function->link, text);
	assert_string_equal(text, link);
	assert_string_equal(tree->function->pcie.aspm, aspm);
	pci_tree_free(tree);
}

static const struct {
	struct registers registers;
	const char *link;
} link_rows[] = {
    {{ENDPOINT, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{ENDPOINT, 1, 0x0000, 0, 0x11, 0, -1}, "gen1x1/mps128/mrrs128/rcb64"},
    {{ENDPOINT, 2, 0x50a0, 8, 0x104, 0, -1}, "gen4x16/mps4096/mrrs4096/rcb128"},
    {{ENDPOINT, 2, 0x2020, 0, 0x1085, 0, 1},
     "gen5x8/mps256/mrrs512/rcb64/ecrc"},
    {{ENDPOINT, 2, 0x2020, 0, 0x85, 0, 0}, "gen5x8/mps256/mrrs512/rcb64"},
    {{ENDPOINT, 2, 0x2020, 0, 0xf086, 0x0400, -1},
     "gen6x8/mps256/mrrs512/rcb64/flit"},
    {{ENDPOINT, 2, 0x2020, 0, 0x86, 0xfbff, -1}, "gen6x8/mps256/mrrs512/rcb64"},
    {{ENDPOINT, 2, 0xaf1f, 0, 0xc3, 0, -1}, "gen3x12/mps128/mrrs512/rcb64"},
    /* Functions with their link above, and with it below. */
    {{1, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{UPSTREAM, 2, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{TO_PCI, 1, 0x2000, 0, 0x83, 0, -1}, "gen3x8/mps128/mrrs512/rcb64"},
    {{ROOT, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    {{DOWNSTREAM, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    {{FROM_PCI, 2, 0x2000, 0, 0x83, 0, -1}, ""},
    /* No links: no speed, no lanes, impossible ones. */
    {{ENDPOINT, 2, 0x2000, 0, 0x80, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x03, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x88, 0, -1}, ""},
    {{ENDPOINT, 2, 0x2000, 0, 0x53, 0, -1}, ""},
    {{ENDPOINT, 2, 0x20c0, 0, 0x83, 0, -1}, ""},
    {{ENDPOINT, 2, 0x6000, 0, 0x83, 0, -1}, ""},
    /* Version 1 ends before Link Status 2: other data follow there. */
    {{ENDPOINT, 1, 0x2000, 0, 0x82, 0x0400, -1}, "gen2x8/mps128/mrrs512/rcb64"},
};

TEST_IN(links_are_decoded, empty_tree, NULL)
{
	for (size_t i = 0; i < ARRAY_LEN(link_rows); i++)
		assert_link(&link_rows[i].registers, link_rows[i].link, "off");
}

TEST_IN(aspm_is_that_of_the_function, empty_tree, NULL)
{
	static const char *const names[] = {"off", "L0s", "L1", "L0s+L1"};
	static const unsigned root_only[] = {RCIEP, 10};

	for (unsigned i = 0; i < 4; i++) {
		struct registers e = {ROOT, 2, 0, 0x8 | i, 0x83, 0, -1};

		assert_link(&e, "", names[i]);
	}
	/* On a root bus they have no link. */
	for (size_t i = 0; i < ARRAY_LEN(root_only); i++) {
		struct registers e = {root_only[i], 2, 0x2000, 3, 0x83, 0, -1};

		assert_link(&e, "", "");
	}
}

/* Decodes a function with this many bytes of config space. */
static struct pcie_cap
cap_of(const struct byte *bytes, size_t size)
{
	struct pci_tree *tree;
	struct pcie_cap e;

	empty_tree(NULL);
	make_function("0000:00:00.0", bytes, size);
	tree = read_tree(1);
	e = tree->function->pcie;
	pci_tree_free(tree);
	return e;
}

/*
 * Extended tags and phantom functions: Device Control bits 8 and 9, how many
 * phantoms: Device Capabilities 4:3; 10 bits: Device Control 2 bit 12; 14 bits:
 * Device Control 3 bit 2.
 */
TEST_IN(tags_bound_what_is_in_flight, empty_tree, NULL)
{
	static const struct {
		unsigned char capability, control, control2, flit, control3;
		size_t size;
		unsigned tags;
	} rows[] = {
	    {0x00, 0, 0x00, 0, 0, 4096, 32},
	    {0x18, 0, 0x00, 0, 0, 4096, 32},
	    {0x00, 1, 0x00, 0, 0, 4096, 256},
	    {0x18, 1, 0x00, 0, 0, 4096, 256},
	    {0x10, 2, 0x00, 0, 0, 4096, 32 * 4},
	    {0x18, 3, 0x00, 0, 0, 4096, 256 * 8},
	    {0x00, 1, 0x10, 0, 0, 256, 768},
	    {0x00, 0, 0x10, 4, 0, 4096, 768},
	    {0x00, 0, 0x10, 4, 4, 4096, 15360},
	    {0x00, 0, 0x10, 4, 3, 4096, 768},
	    {0x00, 0, 0x10, 4, 4, 256, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct byte bytes[] = {
		    {0x06, 0x10},
		    {0x34, EXPRESS},
		    {EXPRESS, 0x10},
		    {EXPRESS + 2, 2},
		    {EXPRESS + 3, 0x80},
		    {EXPRESS + 4, rows[i].capability},
		    {EXPRESS + 9, rows[i].control},
		    {EXPRESS + 0x29, rows[i].control2},
		    {EXPRESS + 0x33, rows[i].flit},
		    {0x100, 0x2f},
		    {0x102, 1},
		    {0x108, rows[i].control3},
		    {0},
		};
		struct pcie_cap e = cap_of(bytes, rows[i].size);

		assert_int_equal(e.tags, rows[i].tags);
		assert_int_equal(e.flit,
		                 rows[i].flit ? TRISTATE_YES : TRISTATE_NO);
		assert_int_equal(e.ecrc, rows[i].size > 256 ? TRISTATE_NO
		                                            : TRISTATE_UNKNOWN);
	}
}

/* The type of a port, and whether enough is readable to know it. */
TEST_IN(ports_are_told_apart, empty_tree, NULL)
{
	static const enum port ports[] = {
	    PORT_ENDPOINT, PORT_ENDPOINT,   PORT_UNSEEN,     PORT_UNSEEN,
	    PORT_ROOT,     PORT_UPSTREAM,   PORT_DOWNSTREAM, PORT_TO_PCI,
	    PORT_FROM_PCI, PORT_INTEGRATED, PORT_INTEGRATED, PORT_UNSEEN,
	};

	for (unsigned char type = 0; type < ARRAY_LEN(ports); type++) {
		const struct byte bytes[] = {
		    {0x06, 0x10},
		    {0x34, EXPRESS},
		    {EXPRESS, 0x10},
		    {EXPRESS + 2, (unsigned char)(type << 4 | 2)},
		    {0x48, 0x20},
		    {0x52, 0x83},
		    {0},
		};
		struct pcie_cap e = cap_of(bytes, 256);

		assert_int_equal(e.port, ports[type]);
		assert_int_equal(e.mps, ports[type] == PORT_UNSEEN ? 0 : 256);
		assert_int_equal(cap_of(bytes, 64).port, PORT_UNSEEN);
	}
	assert_int_equal(cap_of(NULL, 256).port, PORT_NONE);
	assert_int_equal(cap_of(NULL, 64).port, PORT_NONE);
}

TEST_IN(an_ordinary_user_sees_no_link, empty_tree, NULL)
{
	const struct registers e = {ENDPOINT, 2, 0x2000, 3, 0x83, 0, 1};
	struct pci_tree *tree;

	make_express("0000:00:00.0", &e);
	run_shell("truncate -s 64 devices/0000:00:00.0/config");
	tree = read_tree(1);
	assert_int_equal(tree->function->link.bus, BUS_UNKNOWN);
	assert_string_equal(tree->function->pcie.aspm, "");
	assert_string_equal(tree->function->bdf, "0000:00:00.0");
	pci_tree_free(tree);
}

/*
 * Config space that ends within a capability, or before the next one of the
 * list: what was not read is unknown, not absent.
 */
TEST_IN(what_is_cut_off_is_not_known, empty_tree, NULL)
{
	static const struct byte errors[] = {
	    {0x06, 0x10},  {0x34, EXPRESS}, {EXPRESS, 0x10}, {EXPRESS + 2, 2},
	    {0x100, 0x01}, {0x102, 1},      {0x118, 0x40},   {0},
	};
	static const struct byte list[] = {
	    {0x06, 0x10},  {0x34, EXPRESS}, {EXPRESS, 0x10}, {EXPRESS + 2, 2},
	    {0x100, 0x2f}, {0x102, 1},      {0x103, 0x20},   {0},
	};

	assert_int_equal(cap_of(errors, 0x11a).ecrc, TRISTATE_YES);
	assert_int_equal(cap_of(errors, 0x118).ecrc, TRISTATE_UNKNOWN);
	assert_int_equal(cap_of(list, 0x202).ecrc, TRISTATE_NO);
	assert_int_equal(cap_of(list, 0x200).ecrc, TRISTATE_UNKNOWN);
}

/* The physical function decides MPS, ASPM and tags, not these 0. */
TEST_IN(a_virtual_function_says_nothing_of_its_link, empty_tree, NULL)
{
	static const struct registers e = {ENDPOINT, 2, 0, 0, 0x83, 0, 0};
	struct pci_tree *tree;

	make_express("0000:00:00.0", &e);
	run_shell("printf '\\377\\377\\377\\377' | dd conv=notrunc "
	          "of=devices/0000:00:00.0/config 2>/dev/null");
	tree = read_tree(1);
	assert_int_equal(tree->function->link.bus, BUS_UNKNOWN);
	assert_int_equal(tree->function->pcie.port, PORT_ENDPOINT);
	assert_string_equal(tree->function->pcie.aspm, "");
	assert_int_equal(tree->function->pcie.tags, 0);
	assert_int_equal(tree->function->pcie.link_control, 0);
	assert_int_equal(tree->function->pcie.ecrc, TRISTATE_UNKNOWN);
	pci_tree_free(tree);
}
