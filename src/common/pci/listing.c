/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pci/listing.h"

#include "common/base/util.h"

#include <pci/pci.h>
#include <stdlib.h>
#include <string.h>

#define NO_BITS 0xffffffffu

/* State of the parser. */
struct listing {
	struct pci_tree *tree;
	char label[16]; /* register that the current lines show */
	bool has_list;  /* the capability list is shown */
	bool has_rebar; /* the first BAR of that capability is parsed */
};

/* Flags: "Name+" or "Name-" within the text of a register. */
static const struct {
	const char *label, *name;
	enum pci_register reg;
	uint32_t bit;
} flags[] = {
    {"Control:", "I/O", REG_COMMAND, PCI_COMMAND_IO},
    {"Control:", "Mem", REG_COMMAND, PCI_COMMAND_MEMORY},
    {"Control:", "BusMaster", REG_COMMAND, PCI_COMMAND_MASTER},
    {"DevCap:", "ExtTag", REG_DEVCAP, PCI_EXP_DEVCAP_EXT_TAG},
    {"DevCtl:", "RlxdOrd", REG_DEVCTL, PCI_EXP_DEVCTL_RELAXED},
    {"DevCtl:", "ExtTag", REG_DEVCTL, PCI_EXP_DEVCTL_EXT_TAG},
    {"DevCtl:", "NoSnoop", REG_DEVCTL, PCI_EXP_DEVCTL_NOSNOOP},
    {"LnkCap:", "BwNot", REG_LNKCAP, PCI_EXP_LNKCAP_LBNC},
    {"LnkCtl:", "AutBWInt", REG_LNKCTL, PCI_EXP_LNKCTL_AUTBWIE},
    {"LnkSta:", "BWMgmt", REG_LNKSTA, PCI_EXP_LNKSTA_BWMGMT},
    {"LnkSta:", "ABWMgmt", REG_LNKSTA, PCI_EXP_LNKSTA_AUTBW},
    {"DevCap2:", "LTR", REG_DEVCAP2, PCI_EXP_DEVCAP2_LTR},
    {"DevCap2:", "10BitTagComp", REG_DEVCAP2, PCI_EXP_DEVCAP2_10BIT_TAG_COMP},
    {"DevCap2:", "10BitTagReq", REG_DEVCAP2, PCI_EXP_DEVCAP2_10BIT_TAG_REQ},
    {"DevCtl2:", "LTR", REG_DEVCTL2, PCI_EXP_DEVCTL2_LTR},
    {"DevCtl2:", "10BitTagReq", REG_DEVCTL2, PCI_EXP_DEVCTL2_10BIT_TAG_REQ},
    {"UESta:", "DLP", REG_UESTA, PCI_ERR_UNC_DLP},
    {"UESta:", "SDES", REG_UESTA, PCI_ERR_UNC_SDES},
    {"UESta:", "TLP", REG_UESTA, PCI_ERR_UNC_POISON_TLP},
    {"UESta:", "FCP", REG_UESTA, PCI_ERR_UNC_FCP},
    {"UESta:", "CmpltTO", REG_UESTA, PCI_ERR_UNC_COMP_TIME},
    {"UESta:", "RxOF", REG_UESTA, PCI_ERR_UNC_RX_OVER},
    {"UESta:", "MalfTLP", REG_UESTA, PCI_ERR_UNC_MALF_TLP},
    {"UESta:", "ECRC", REG_UESTA, PCI_ERR_UNC_ECRC},
    {"CESta:", "RxErr", REG_CESTA, PCI_ERR_COR_RCVR},
    {"CESta:", "BadTLP", REG_CESTA, PCI_ERR_COR_BAD_TLP},
    {"CESta:", "BadDLLP", REG_CESTA, PCI_ERR_COR_BAD_DLLP},
    {"CESta:", "Rollover", REG_CESTA, PCI_ERR_COR_REP_ROLL},
    {"CESta:", "Timeout", REG_CESTA, PCI_ERR_COR_REP_TIMER},
    {"AERCap:", "CGenEn", REG_AERCAP, PCI_ERR_CAP_ECRC_GENE},
    {"AERCap:", "ECRCGenEn", REG_AERCAP, PCI_ERR_CAP_ECRC_GENE},
    {"ACSCtl:", "ReqRedir", REG_ACSCTL, PCI_ACS_CTRL_REQ_RED},
    {"ACSCtl:", "CmpltRedir", REG_ACSCTL, PCI_ACS_CTRL_CMPLT_RED},
    {"L1SubCtl1:", "ASPM_L1.2", REG_L1SSCTL1, PCI_L1PM_SUBSTAT_CTL1_ASPM_L12},
    {"L1SubCtl1:", "ASPM_L1.1", REG_L1SSCTL1, PCI_L1PM_SUBSTAT_CTL1_ASPM_L11},
};

/* Words for the codes 0, 1 and so on of a field; NULL ends a list. */
static const char *const bytes[] = {"128",  "256",  "512", "1024",
                                    "2048", "4096", NULL};
static const char *const rates[] = {"unknown", "2.5GT/s", "5GT/s",  "8GT/s",
                                    "16GT/s",  "32GT/s",  "64GT/s", NULL};
static const char *const l0s_times[] = {"<64ns",  "<128ns",    "<256ns",
                                        "<512ns", "<1us",      "<2us",
                                        "<4us",   "unlimited", NULL};
static const char *const l1_times[] = {"<1us",  "<2us",      "<4us",
                                       "<8us",  "<16us",     "<32us",
                                       "<64us", "unlimited", NULL};
static const char *const aspm[] = {"Disabled", "L0s Enabled", "L1 Enabled",
                                   "L0s L1 Enabled", NULL};
static const char *const rcb[] = {"64", "128", NULL};
static const char *const power[] = {"D0", "D1", "D2", "D3", NULL};

/* The index of the word that the text starts with, or NO_BITS. */
static uint32_t
leading_word(const char *text, const char *const words[])
{
	for (uint32_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]);

		if (!strncmp(text, words[i], length) &&
		    strchr(", -;\t\r\n", text[length]))
			return i;
	}
	return NO_BITS;
}

/* A decimal number below 100,000, or NO_BITS. */
static uint32_t
leading_number(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n && n < 6 ? (uint32_t)strtoul(text, NULL, 10) : NO_BITS;
}

/* The bit of the highest rate in "2.5-16GT/s", those that a port supports. */
static uint32_t
speeds_mask(const char *text)
{
	size_t dash = strcspn(text, "-,\n");
	uint32_t code =
	    leading_word(text + (text[dash] == '-' ? dash + 1 : 0), rates);

	return code == NO_BITS ? NO_BITS : (1u << code) - 1;
}

/* T_POWER_ON: a value, times 2, 10 or 100 us by its scale (5.5.4). */
static uint32_t
power_on_code(const char *text)
{
	uint32_t us = leading_number(text);

	if (us == NO_BITS)
		return NO_BITS;
	if (us <= 62)
		return us / 2 << 3;
	return us <= 310 ? us / 10 << 3 | 1 : us / 100 << 3 | 2;
}

/* Values that follow words in a register's text. */
static const struct {
	const char *label, *before;
	const char *const *words; /* or */
	uint32_t (*code)(const char *text);
	enum pci_register reg;
	uint32_t mask;
} values[] = {
    {"Status:", "Status: ", power, NULL, REG_POWER, PCI_PM_CTRL_STATE_MASK},
    {"DevCap:", "MaxPayload ", bytes, NULL, REG_DEVCAP, PCI_EXP_DEVCAP_PAYLOAD},
    {"DevCap:", "Latency L0s ", l0s_times, NULL, REG_DEVCAP,
     PCI_EXP_DEVCAP_L0S},
    {"DevCap:", ", L1 ", l1_times, NULL, REG_DEVCAP, PCI_EXP_DEVCAP_L1},
    {"DevCtl:", "MaxPayload ", bytes, NULL, REG_DEVCTL, PCI_EXP_DEVCTL_PAYLOAD},
    {"DevCtl:", "MaxReadReq ", bytes, NULL, REG_DEVCTL, PCI_EXP_DEVCTL_READRQ},
    {"LnkCap:", "Speed ", rates, NULL, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED},
    {"LnkCap:", "Width x", NULL, leading_number, REG_LNKCAP,
     PCI_EXP_LNKCAP_WIDTH},
    {"LnkCap:", "Latency L0s ", l0s_times, NULL, REG_LNKCAP,
     PCI_EXP_LNKCAP_L0S},
    {"LnkCap:", ", L1 ", l1_times, NULL, REG_LNKCAP, PCI_EXP_LNKCAP_L1},
    {"LnkCap:", "Exit Latency L1 ", l1_times, NULL, REG_LNKCAP,
     PCI_EXP_LNKCAP_L1},
    {"LnkCtl:", "ASPM ", aspm, NULL, REG_LNKCTL, PCI_EXP_LNKCTL_ASPM},
    {"LnkCtl:", "RCB ", rcb, NULL, REG_LNKCTL, PCI_EXP_LNKCTL_RCB},
    {"LnkSta:", "Speed ", rates, NULL, REG_LNKSTA, PCI_EXP_LNKSTA_SPEED},
    {"LnkSta:", "Width x", NULL, leading_number, REG_LNKSTA,
     PCI_EXP_LNKSTA_WIDTH},
    {"LnkCap2:", "Link Speeds: ", NULL, speeds_mask, REG_LNKCAP2, 0xfe},
    {"LnkCtl2:", "Target Link Speed: ", rates, NULL, REG_LNKCTL2, 0xf},
    {"L1SubCtl1:", "T_CommonMode=", NULL, leading_number, REG_L1SSCTL1, 0xff00},
    {"L1SubCtl2:", "T_PwrOn=", NULL, power_on_code, REG_L1SSCTL2, 0xff},
};

static void
read_flag(struct pci_function *f, const char *line, size_t i)
{
	size_t n = strlen(flags[i].name);

	for (const char *at = line; (at = strstr(at, flags[i].name)); at += n) {
		if (at == line || !strchr(" \t", at[-1]))
			continue;
		if (at[n] == '+' || at[n] == '-')
			registers_set(&f->registers, flags[i].reg, flags[i].bit,
			              at[n] == '+' ? flags[i].bit : 0);
	}
}

/* The bit of 1 MiB << bit in "current size: 256MB, supported: 64MB 128MB". */
static uint32_t
size_bit(const char *text)
{
	uint32_t n = leading_number(text), bit = 0;
	const char *unit = text + strspn(text, "0123456789");

	if (!n || n == NO_BITS)
		return NO_BITS;
	while (n > 1) {
		n >>= 1;
		bit++;
	}
	if (!strncmp(unit, "MB", 2))
		return bit;
	if (!strncmp(unit, "GB", 2))
		return bit + 10;
	return !strncmp(unit, "TB", 2) ? bit + 20 : NO_BITS;
}

static void
read_rebar(struct listing *l, struct pci_function *f, const char *line)
{
	const char *now = strstr(line, "current size: ");
	const char *can = strstr(line, "supported: ");
	uint32_t size =
	    now ? size_bit(now + strlen("current size: ")) : NO_BITS;
	uint32_t sizes = 0;

	if (l->has_rebar || size == NO_BITS || !can)
		return;
	for (can = strchr(can, ' '); can && can[1];
	     can = strchr(can + 1, ' ')) {
		uint32_t bit = size_bit(can + 1);

		if (bit < 28)
			sizes |= 1u << (bit + 4);
	}
	l->has_rebar = true;
	registers_set(&f->registers, REG_REBARCAP, NO_BITS, sizes);
	registers_set(&f->registers, REG_REBARCTL, 0x3f00, size << 8);
}

/* "Express (v2) Root Port (Slot+), MSI 00" */
static void
read_port(struct pci_function *f, const char *text)
{
	static const struct {
		const char *name;
		unsigned type;
	} types[] = {
	    {"Endpoint", PCI_EXP_TYPE_ENDPOINT},
	    {"Legacy Endpoint", PCI_EXP_TYPE_LEG_END},
	    {"Root Port", PCI_EXP_TYPE_ROOT_PORT},
	    {"Upstream Port", PCI_EXP_TYPE_UPSTREAM},
	    {"Downstream Port", PCI_EXP_TYPE_DOWNSTREAM},
	    {"PCI-Express to PCI", PCI_EXP_TYPE_PCI_BRIDGE},
	    {"PCI/PCI-X to PCI-Express", PCI_EXP_TYPE_PCIE_BRIDGE},
	    {"Root Complex Integrated Endpoint", PCI_EXP_TYPE_ROOT_INT_EP},
	    {"Root Complex Event Collector", PCI_EXP_TYPE_ROOT_EC},
	};
	uint32_t version = leading_number(text);

	text = strchr(text, ')');
	if (!text || text[1] != ' ' || version == NO_BITS)
		return;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (!strncmp(text + 2, types[i].name, strlen(types[i].name)))
			registers_set(&f->registers, REG_FLAGS, 0xffff,
			              types[i].type << 4 | (version & 0xf) |
			                  (strstr(text, "(Slot+)")
			                       ? PCI_EXP_FLAGS_SLOT
			                       : 0u));
	}
}

/* The two hexadecimal digits behind a word; 0 if the word is missing. */
static unsigned
bus_behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? (unsigned)strtoul(at + strlen(word), NULL, 16) & 0xff : 0;
}

static void
read_line(struct listing *l, struct pci_function *f, const char *line)
{
	static const char express[] = "] Express (v",
	                  driver[] = "Kernel driver in use: ";
	size_t tabs = strspn(line, "\t");
	size_t n = strcspn(line + tabs, ":") + 1;
	bool is_command = tabs == 1 && !strncmp(line, "\tControl:", 9);
	const char *at;

	/* Two tabs start a register, three continue it. */
	if (tabs <= 2)
		memset(l->label, 0, sizeof l->label);
	if ((tabs == 2 || is_command) && n < sizeof l->label)
		memcpy(l->label, line + tabs, n);
	if (!strncmp(line, "\tCapabilities: ", 15)) {
		if (strstr(line, "<access denied>"))
			l->has_list = false;
		at = strstr(line, express);
		if (at)
			read_port(f, at + strlen(express));
	} else if (!strncmp(line, "\tKernel driver", 14)) {
		at = strstr(line, driver);
		if (at) {
			at += strlen(driver);
			free(f->driver);
			f->driver =
			    xasprintf("%.*s", (int)strcspn(at, "\r\n"), at);
		}
	} else if (!strncmp(line, "\tBus: ", 6)) {
		unsigned first = bus_behind(line, "secondary=");

		if (strstr(line, "Bus: primary=") &&
		    first > bdf_split(f->bdf).bus) {
			f->first_bus = first;
			f->last_bus = bus_behind(line, "subordinate=");
		}
	} else if (!strncmp(line, "\tStatus: ", 9)) {
		l->has_list = true; /* may be empty */
	}
	if (!strncmp(l->label, "BAR ", 4))
		read_rebar(l, f, line);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (!strcmp(l->label, flags[i].label))
			read_flag(f, line, i);
	}
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		uint32_t code, mask = values[i].mask, lowest = mask & -mask;

		at = strcmp(l->label, values[i].label) != 0
		         ? NULL
		         : strstr(line, values[i].before);
		if (!at)
			continue;
		at += strlen(values[i].before);
		code = values[i].words ? leading_word(at, values[i].words)
		                       : values[i].code(at);
		if (code <= mask / lowest)
			registers_set(&f->registers, values[i].reg, mask,
			              code * lowest);
	}
}

/* The class from its words; only classes that the checks distinguish. */
static uint32_t
class_of(const char *text)
{
	static const struct {
		const char *words;
		uint32_t class;
	} classes[] = {
	    {" PCI bridge: ", 0x0604},
	    {" Ethernet controller: ", 0x0200},
	    {" Network controller: ", 0x0280},
	    {" Infiniband controller: ", 0x0207},
	    {" VGA compatible controller: ", 0x0300},
	    {" 3D controller: ", 0x0302},
	    {" Display controller: ", 0x0380},
	    {" Processing accelerators: ", 0x1200},
	    {" Non-Volatile memory controller: ", 0x0108},
	    {" RAID bus controller: ", 0x0104},
	    {" SATA controller: ", 0x0106},
	    {" Serial Attached SCSI controller: ", 0x0107},
	    {" Signal processing controller: ", 0x1180},
	    {" USB controller: ", 0x0c03},
	    {" Audio device: ", 0x0403},
	};
	const char *number = strchr(text, '[');

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		if (strstr(text, classes[i].words))
			return classes[i].class << 16;
	}
	/* lspci -nn: "Ethernet controller [0200]: Intel ..." */
	return number && !strncmp(number + 5, "]: ", 3)
	           ? (uint32_t)strtoul(number + 1, NULL, 16) << 16
	           : 0;
}

/* Whether a line starts a function; then stores its address in bdf. */
static bool
begins_function(const char *line, char bdf[BDF_MAX])
{
	char word[BDF_MAX] = "";
	size_t n = strcspn(line, " ");

	if (!n || n >= sizeof word || line[n] != ' ')
		return false;
	memcpy(word, line, n);
	return parse_bdf(word, bdf);
}

/* Completes a function once all of its registers are parsed. */
static void
end_function(const struct listing *l)
{
	struct pci_function *f;

	if (!l->tree->n)
		return;
	f = &l->tree->function[l->tree->n - 1];
	f->pcie = pcie_cap_of_registers(&f->registers);
	if (l->has_list && !f->registers.seen[REG_FLAGS])
		f->pcie.port = PORT_NONE;
	f->link = pcie_cap_link(&f->pcie);
}

static void
begin_function(struct listing *l, const char *line, const char *bdf)
{
	struct pci_tree *tree = l->tree;
	struct pci_function *f;

	end_function(l);
	tree->function =
	    xreallocarray(tree->function, tree->n + 1, sizeof *tree->function);
	f = &tree->function[tree->n++];
	*f = (struct pci_function){
	    .node = -1, .driver = xstrdup(""), .title = xstrdup(line)};
	memcpy(f->bdf, bdf, sizeof f->bdf);
	f->class_code = class_of(line);
	if (strstr(line, ": Red Hat, Inc. ") || strstr(line, "QEMU"))
		f->vendor_id = 0x1b36;
	l->has_list = l->has_rebar = false;
	memset(l->label, 0, sizeof l->label);
}

struct pci_tree *
listing_read(FILE *f)
{
	struct listing l = {.tree = xcalloc(1, sizeof *l.tree)};
	char *line = NULL, bdf[BDF_MAX];
	size_t size = 0;

	while (getline(&line, &size, f) > 0) {
		if (begins_function(line, bdf))
			begin_function(&l, line, bdf);
		else if (*line == '\t' && l.tree->n)
			read_line(&l, &l.tree->function[l.tree->n - 1], line);
	}
	end_function(&l);
	free(line);
	return l.tree;
}

bool
is_listing(FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	bool names = false, has_bytes = false;

	rewind(f);
	while (getline(&line, &size, f) > 0) {
		size_t n = strspn(line, "0123456789abcdef");

		names |= !strncmp(line, "\t\tDevCtl:", 9);
		/* A row of config space: "00: 86 80". */
		has_bytes |= n >= 2 && n <= 3 && line[n] == ':' &&
		             line[n + 1] == ' ' &&
		             strspn(line + n + 2, "0123456789abcdef") == 2;
	}
	free(line);
	rewind(f);
	return names && !has_bytes;
}
