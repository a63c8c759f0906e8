/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pci/listing.h"

#include "common/base/util.h"
#include "common/facts/paste.h"

#include <ctype.h>
#include <pci/pci.h>

#define HEX         "0123456789abcdefABCDEF"
#define NO_BITS     0xffffffffu
#define CONFIG_SIZE 4096 /* bytes of extended config space */
#define RECORDS     400000
#define BREAK       '\n' /* the end of a line, in the text of a register */
#define CUT         '\v' /* of one that may have been cut to a width */

/* A function as one block of the text shows it. */
struct record {
	struct pci_function f;
	uint8_t *config; /* rows of config space; missing bytes are ones */
	size_t bytes;
	size_t first;       /* bytes of f.title that are of the first line */
	bool has_list;      /* the capability list is shown */
	bool stamped;       /* its first line is one of a log */
	bool virtual;       /* the current capability is that of its VFs */
	unsigned high_half; /* BARs that are of the one before, as bits */
	uint64_t removed;   /* keys of lines that a diff removes, as bits */
	unsigned segment;   /* the run of ascending functions that it is in */
	unsigned machine;   /* of those that the text shows one by one */
	size_t order;
};

/* State of the parser. */
struct listing {
	struct record *record;
	size_t n;
	bool in_function;  /* the last record is not ended */
	bool in_title;     /* its first line may continue */
	bool grepped;      /* it has no first line */
	bool hunk;         /* what follows may be of another function */
	char sign;         /* of a diff, + or -, before the line; or 0 */
	bool added;        /* the current register is what a diff adds */
	bool stamped;      /* the line has the time of a log */
	bool empty;        /* the last line */
	bool denied;       /* lspci could not read a capability */
	unsigned key;      /* of the current register */
	char text[4096];   /* its text, from the key on */
	char bdf[BDF_MAX]; /* that a command line names, "lspci -s 03:00.0" */
	unsigned nameless; /* functions without any name */
	size_t longest;    /* line of the last record */
	unsigned as_long;  /* lines of that length */
	unsigned long number; /* that begins the last line */
};

/* What begins a part of a line, if not the key of a register. */
enum { KEY_BUS = NREGISTERS, KEY_DRIVER, KEY_NODE, NKEYS = NREGISTERS + 5 };
static const char *const other_keys[] = {
    "Bus:", "driver in use:", "NUMA node:", "Subsystem:", "Kernel modules:"};
#define TITLE  (NKEYS + 1)
#define REGION (NKEYS + 2)

/* Flags: "Name+" or "Name-" within the text of a register. */
static const struct register_flag flags[] = {
    {REG_COMMAND, "I/O", PCI_COMMAND_IO},
    {REG_COMMAND, "Mem", PCI_COMMAND_MEMORY},
    {REG_COMMAND, "BusMaster", PCI_COMMAND_MASTER},
    {REG_COMMAND, "DisINTx", PCI_COMMAND_DISABLE_INTx},
    {REG_DEVCAP, "ExtTag", PCI_EXP_DEVCAP_EXT_TAG},
    {REG_DEVCTL, "RlxdOrd", PCI_EXP_DEVCTL_RELAXED},
    {REG_DEVCTL, "ExtTag", PCI_EXP_DEVCTL_EXT_TAG},
    {REG_DEVCTL, "NoSnoop", PCI_EXP_DEVCTL_NOSNOOP},
    {REG_LNKCAP, "BwNot", PCI_EXP_LNKCAP_LBNC},
    {REG_LNKCTL, "AutBWInt", PCI_EXP_LNKCTL_AUTBWIE},
    {REG_LNKSTA, "DLActive", PCI_EXP_LNKSTA_DL_ACT},
    {REG_LNKSTA, "BWMgmt", PCI_EXP_LNKSTA_BWMGMT},
    {REG_LNKSTA, "ABWMgmt", PCI_EXP_LNKSTA_AUTBW},
    {REG_SLTCAP, "HotPlug", PCI_EXP_SLTCAP_HPC},
    {REG_SLTCTL, "Power", PCI_EXP_SLTCTL_PWRC},
    {REG_SLTSTA, "PresDet", PCI_EXP_SLTSTA_PRES},
    {REG_LNKCAP, "LLActRep", PCI_EXP_LNKCAP_DLLA},
    {REG_LNKCTL, "Disabled", PCI_EXP_LNKCTL_DISABLE},
    {REG_LNKCTL, "LnkDisable", PCI_EXP_LNKCTL_DISABLE},
    {REG_DEVCAP2, "LTR", PCI_EXP_DEVCAP2_LTR},
    {REG_DEVCAP2, "10BitTagComp", PCI_EXP_DEVCAP2_10BIT_TAG_COMP},
    {REG_DEVCAP2, "10BitTagReq", PCI_EXP_DEVCAP2_10BIT_TAG_REQ},
    {REG_DEVCTL2, "LTR", PCI_EXP_DEVCTL2_LTR},
    {REG_DEVCTL2, "10BitTagReq", PCI_EXP_DEVCTL2_10BIT_TAG_REQ},
    {REG_AERCAP, "CGenEn", PCI_ERR_CAP_ECRC_GENE},
    {REG_AERCAP, "ECRCGenEn", PCI_ERR_CAP_ECRC_GENE},
    {REG_ACSCTL, "ReqRedir", PCI_ACS_CTRL_REQ_RED},
    {REG_ACSCTL, "CmpltRedir", PCI_ACS_CTRL_CMPLT_RED},
    {REG_L1SSCTL1, "ASPM_L1.2", PCI_L1PM_SUBSTAT_CTL1_ASPM_L12},
    {REG_L1SSCTL1, "ASPM_L1.1", PCI_L1PM_SUBSTAT_CTL1_ASPM_L11},
};

/* Words for the codes 0, 1 and so on of a field; NULL ends a list. */
static const char *const bytes[] = {"128",  "256",  "512", "1024",
                                    "2048", "4096", NULL};
static const char *const rates[] = {"unknown", "2.5GT/s", "5GT/s",
                                    "8GT/s",   "16GT/s",  "32GT/s",
                                    "64GT/s",  "128GT/s", NULL};
static const char *const l1_times[] = {"<1us",  "<2us",      "<4us",
                                       "<8us",  "<16us",     "<32us",
                                       "<64us", "unlimited", NULL};
static const char *const aspm[] = {"Disabled", "L0s Enabled", "L1 Enabled",
                                   "L0s L1 Enabled", NULL};
static const char *const rcb[] = {"64", "128", NULL};
static const char *const power[] = {"D0", "D1", "D2", "D3", NULL};

/*
 * What follows the words that a text starts with, or NULL. A line may end at a
 * blank or within a word.
 */
static const char *
past(const char *text, const char *words)
{
	for (; *words; text++) {
		bool ends = *text == BREAK || *text == CUT;

		if (*text == *words || (ends && *words == ' '))
			words++;
		else if (!ends)
			return NULL;
	}
	return text;
}

/* What follows the first such words in a text, or NULL. */
static const char *
find_words(const char *text, const char *words)
{
	const char *end = NULL;

	while (*text && !end)
		end = past(text++, words);
	return end;
}

/* The index of the word that the text starts with, or NO_BITS. */
static uint32_t
leading_word(const char *text, const char *const words[])
{
	for (uint32_t i = 0; words[i]; i++) {
		const char *end = past(text, words[i]);

		if (end && !isalnum((unsigned char)*end))
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

/* A number that is not the start of a longer one that was cut. */
static uint32_t
whole_number(const char *text)
{
	char next = text[strspn(text, "0123456789")];

	return strchr(" ,;(u\n", next) ? leading_number(text) : NO_BITS;
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
	uint32_t us = whole_number(text);

	if (us == NO_BITS || !strchr(text, 'u'))
		return NO_BITS;
	if (us <= 62)
		return us / 2 << 3;
	return us <= 310 ? us / 10 << 3 | 1 : us / 100 << 3 | 2;
}

/* "LaneErrStat: LaneErr at lane: 0 9", or 0 */
static uint32_t
lane_bits(const char *text)
{
	uint32_t bits = 0, lane;

	while ((lane = leading_number(text)) < 32) {
		bits |= 1u << lane;
		text += strspn(text, "0123456789");
		text += strspn(text, " ");
	}
	return bits;
}

/* Values that follow words in a register's text. */
static const struct {
	enum pci_register reg;
	const char *before;
	const char *const *words; /* or */
	uint32_t (*code)(const char *text);
	uint32_t mask;
} values[] = {
    {REG_POWER, "Status: ", power, NULL, PCI_PM_CTRL_STATE_MASK},
    {REG_DEVCAP, "MaxPayload ", bytes, NULL, PCI_EXP_DEVCAP_PAYLOAD},
    {REG_DEVCAP, ", L1 ", l1_times, NULL, PCI_EXP_DEVCAP_L1},
    {REG_DEVCTL, "MaxPayload ", bytes, NULL, PCI_EXP_DEVCTL_PAYLOAD},
    {REG_DEVCTL, "MaxReadReq ", bytes, NULL, PCI_EXP_DEVCTL_READRQ},
    {REG_LNKCAP, "Speed ", rates, NULL, PCI_EXP_LNKCAP_SPEED},
    {REG_LNKCAP, "Width x", NULL, whole_number, PCI_EXP_LNKCAP_WIDTH},
    {REG_LNKCAP, ", L1 ", l1_times, NULL, PCI_EXP_LNKCAP_L1},
    {REG_LNKCAP, "Exit Latency L1 ", l1_times, NULL, PCI_EXP_LNKCAP_L1},
    {REG_LNKCTL, "ASPM ", aspm, NULL, PCI_EXP_LNKCTL_ASPM},
    {REG_LNKCTL, "RCB ", rcb, NULL, PCI_EXP_LNKCTL_RCB},
    {REG_LNKSTA, "Speed ", rates, NULL, PCI_EXP_LNKSTA_SPEED},
    {REG_LNKSTA, "Width x", NULL, whole_number, PCI_EXP_LNKSTA_WIDTH},
    {REG_SLTCAP, "Slot #", NULL, whole_number, PCI_EXP_SLTCAP_PSN},
    {REG_LNKCAP2, "Link Speeds: ", NULL, speeds_mask, 0xfe},
    {REG_LNKCTL2, "Target Link Speed: ", rates, NULL, 0xf},
    {REG_LANEERR, "LaneErr at lane: ", NULL, lane_bits, NO_BITS},
    {REG_L1SSCTL1, "T_CommonMode=", NULL, whole_number, 0xff00},
    {REG_L1SSCTL2, "T_PwrOn=", NULL, power_on_code, 0xff},
};

/* Sets bits that are not yet known: what comes later is no part of the dump. */
static void
learn(struct pci_registers *r, enum pci_register reg, uint32_t mask,
      uint32_t bits)
{
	registers_set(r, reg, mask & ~r->seen[reg], bits);
}

/* The same for the last record; a line that a diff adds is the later state. */
static void
learn_last(struct listing *l, enum pci_register reg, uint32_t mask,
           uint32_t bits)
{
	struct pci_registers *r = &l->record[l->n - 1].f.registers;

	if (l->added)
		registers_set(r, reg, mask, bits);
	else
		learn(r, reg, mask, bits);
}

static void
read_flag(struct listing *l, const struct register_flag *flag)
{
	const char *at = l->text;

	if (flag->reg != l->key)
		return;

	for (; (at = strpbrk(at, " \n\v")); at++) {
		const char *end = past(at + 1, flag->name);

		if (end && *end && strchr("+-", *end))
			learn_last(l, flag->reg, flag->bit,
			           *end == '+' ? flag->bit : 0);
	}
}

/* The bit of 1 MiB << bit in "current size: 256MB, supported: 64MB 128MB". */
static uint32_t
size_bit(const char *text)
{
	static const char units[] = "MGT";
	const char *unit = text + strspn(text, "0123456789");
	const char *scale = *unit ? strchr(units, *unit) : NULL;
	uint32_t n = leading_number(text), bit = 0;

	if (!n || n == NO_BITS || !scale)
		return NO_BITS;
	while (n >>= 1)
		bit++;
	return bit + 10 * (uint32_t)(scale - units);
}

static void
read_rebar(struct record *r, const char *text)
{
	const char *now = find_words(text, ": "),
	           *can = find_words(text, "supported:");
	uint32_t size = now ? size_bit(now) : NO_BITS, sizes = 0;

	if (r->virtual || size == NO_BITS || !can)
		return;
	while ((can = strpbrk(can, " \n\v"))) {
		uint32_t bit = size_bit(++can);

		if (bit < 28)
			sizes |= 1u << (bit + 4);
	}
	rebar_set(&r->f.registers, sizes, size << 8);
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
		if (past(text + 2, types[i].name))
			learn(&f->registers, REG_FLAGS, 0xffff,
			      types[i].type << 4 | (version & 0xf) |
			          (strstr(text, "(Slot+)") ? PCI_EXP_FLAGS_SLOT
			                                   : 0u));
	}
}

/* The two hexadecimal digits behind a word; 0 if the word is missing. */
static unsigned
bus_behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	unsigned bus = at ? hex_byte(at + strlen(word)) : NO_BITS;

	return bus == NO_BITS ? 0 : bus;
}

static bool
begins(const char *line, const char *words)
{
	return !strncmp(line, words, strlen(words));
}

/* "LnkSta: Speed 8GT/s (ok), Width x4 (downgraded)" */
static uint32_t
lnksta_below(const char *text)
{
	const char *width = strstr(text, "Width "), *at = text;
	uint32_t bits = 0;

	while ((at = strstr(at + 1, "(downgraded)")))
		bits |= width && at > width ? LNKSTA_NARROWER : LNKSTA_SLOWER;
	return bits;
}

/* "Capabilities: [60] Express (v2) Endpoint, MSI 00" */
static void
read_capability(struct listing *l)
{
	struct record *r = &l->record[l->n - 1];
	const char *express = find_words(l->text, "] Express (v");
	const char *msi = find_words(l->text, "] MSI: Enable");
	const char *msix = find_words(l->text, "] MSI-X: Enable");

	r->virtual = find_words(l->text, "Virtual Resizable BAR");
	if (express)
		read_port(&r->f, express);
	if (msi && strchr("+-", *msi))
		learn_last(l, REG_MSI, 1, *msi == '+');
	if (msix && strchr("+-", *msix))
		learn_last(l, REG_MSIX, PCI_MSIX_ENABLE,
		           *msix == '+' ? PCI_MSIX_ENABLE : 0);
}

/*
 * "Region 0: Memory at <unassigned>"; [virtual]: the kernel's, not the BAR's.
 * Without a size, which only the kernel knows, there may be no BAR. An older
 * lspci marks a 64-bit BAR whose low half is 0 as [virtual]. The next register
 * holds the high half of a 64-bit BAR, so its line describes no BAR.
 */
static void
read_region(struct record *r, const char *text)
{
	struct pci_function *f = &r->f;
	uint32_t bar = leading_number(text + strlen("Region "));
	bool on = f->registers.value[REG_COMMAND] & PCI_COMMAND_MEMORY;
	const char *at = find_words(text, "Memory at ");
	unsigned long long address = at ? strtoull(at, NULL, 16) : 0;

	if (bar > 5 || !at || r->high_half >> bar & 1)
		return;
	if (find_words(text, "(64-bit"))
		r->high_half |= 2u << bar;
	f->above_4g |= address > UINT32_MAX;
	if (find_words(text, "<unassigned>") && find_words(text, "[size="))
		f->lost_bars |= 1u << bar;
	else if (on && find_words(text, "[virtual]") &&
	         !find_words(text, "[enhanced]") && (uint32_t)address)
		f->moved_bars |= 1u << bar;
}

/* Parses the text of the register that ends here. */
static void
end_register(struct listing *l)
{
	struct record *r = &l->record[l->n - 1];

	if (begins(l->text, "Capabilities: <access denied>")) {
		r->has_list = false;
		l->denied = true;
	}
	if (l->key == REG_FLAGS)
		read_capability(l);
	if (l->key == REGION)
		read_region(r, l->text);
	if (l->key == KEY_BUS) {
		unsigned bus = bus_behind(l->text, "secondary=");
		bool above = bus > bdf_split(r->f.bdf).bus;

		r->f.busless = strstr(l->text, "secondary=00") != NULL;
		if (above || l->added) {
			r->f.first_bus = above ? bus : 0;
			r->f.last_bus =
			    above ? bus_behind(l->text, "subordinate=") : 0;
		}
	}
	if (l->key == REG_REBARCAP)
		read_rebar(r, l->text);
	if (l->key == REG_LNKSTA)
		learn_last(l, REG_LNKSTA, LNKSTA_SLOWER | LNKSTA_NARROWER,
		           lnksta_below(l->text));
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		read_flag(l, &flags[i]);
	for (size_t i = 0; i < ERROR_KINDS; i++) {
		struct register_flag flag = error_kinds[i];

		/* The mask has the bits of the status. */
		if (l->key == REG_CEMSK && flag.reg == REG_CESTA)
			flag.reg = REG_CEMSK;
		read_flag(l, &flag);
	}
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		uint32_t code, mask = values[i].mask, lowest = mask & -mask;
		const char *at = values[i].reg == l->key
		                     ? find_words(l->text, values[i].before)
		                     : NULL;

		if (!at)
			continue;
		code = values[i].words ? leading_word(at, values[i].words)
		                       : values[i].code(at);
		if (code <= mask / lowest)
			learn_last(l, values[i].reg, mask, code * lowest);
	}
	*l->text = '\0';
	l->key = NKEYS;
}

/*
 * Whether a line starts with a key of any register, by the endings that the
 * specification gives their names: "DevSta:", "LnkSta2:", "UEMsk:".
 */
static bool
has_key(const char *line)
{
	static const char *const endings[] = {
	    "Cap", "Ctl",  "Sta",  "Msk",   "Svrt", "Log",   "Cmd",    "Src",
	    "Arb", "Ctrl", "Caps", "Flags", "VC",   "Table", "Latency"};
	size_t n = 0;

	while (isalnum(line[n]))
		n++;
	if (line[n] != ':' || (line[n + 1] && line[n + 1] != ' '))
		return false;
	while (n && isdigit(line[n - 1]))
		n--;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t tail = strlen(endings[i]);

		if (isupper(*line) && n >= tail &&
		    !strncmp(line + n - tail, endings[i], tail))
			return true;
	}
	return false;
}

/* A part of a line that starts with this key. */
static void
read_key(struct listing *l, const char *text, unsigned key)
{
	struct record *r = &l->record[l->n - 1];
	const char *value = strchr(text, ':') + 1;

	l->in_title = false;
	if (l->sign == '-' && key < NKEYS)
		r->removed |= UINT64_C(1) << key;
	l->added = l->sign == '+' && key < NKEYS && r->removed >> key & 1;
	value += *value == ' ';
	if (key == KEY_DRIVER && *value && !*r->f.driver) {
		free(r->f.driver);
		r->f.driver =
		    xasprintf("%.*s", (int)strcspn(value, "\"',<"), value);
	} else if (key == KEY_NODE) {
		r->f.node = (int)(strtoul(value, NULL, 10) & 0x3ff);
	} else if (begins(text, "Status: Cap")) {
		r->has_list = true; /* may be empty */
	} else if (key <= KEY_BUS) {
		l->key = key;
		snprintf(l->text, sizeof l->text, "%.4000s", text);
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
	    {" Host bridge: ", 0x0600},
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
	const char *word = strchr(text, ' ');

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		if (strstr(text, classes[i].words))
			return classes[i].class << 16;
	}
	/* lspci -nn: "Ethernet controller [0200]: Intel ..."; -n: "0200: " */
	if (number && strspn(number + 1, HEX) == 4 && begins(number + 5, "]: "))
		word = number;
	else if (!word || strspn(word + 1, HEX) != 4 || !begins(word + 5, ": "))
		return 0;
	return (uint32_t)strtoul(word + 1, NULL, 16) << 16;
}

/* "[10de:2684]" in the first line, as lspci -nn prints it; -n: "0300: " */
static void
read_ids(struct pci_function *f)
{
	const char *at = f->title, *ids = strstr(f->title, ": ");

	ids = ids && are_ids(ids + 2) ? ids + 2 : NULL;
	while ((at = strchr(at, '['))) {
		if (are_ids(++at) && at[9] == ']')
			ids = at;
	}
	if (ids) {
		f->vendor_id = (uint16_t)strtoul(ids, NULL, 16);
		f->device_id = (uint16_t)strtoul(ids + 5, NULL, 16);
	}
	if (strstr(f->title, ": Red Hat, Inc. ") || strstr(f->title, "QEMU"))
		f->vendor_id = 0x1b36;
}

static void
end_function(struct listing *l)
{
	struct pci_function *f;

	if (!l->in_function)
		return;
	end_register(l);
	f = &l->record[l->n - 1].f;
	f->class_code = class_of(f->title);
	read_ids(f);
	f->ones |= strstr(f->title, "(rev ff)") != NULL;
	l->in_function = l->in_title = l->grepped = false;
}

static void
begin_function(struct listing *l, const char *line, const char *bdf)
{
	struct record r = {
	    .order = l->n,
	    .stamped = l->stamped,
	    .first = strlen(line),
	    .f = {.node = -1, .driver = xstrdup(""), .title = xstrdup(line)}};

	end_function(l);
	if (l->n == RECORDS)
		die("more than %d blocks of functions: no dump of a machine",
		    RECORDS);
	memcpy(r.f.bdf, bdf, BDF_MAX);
	/* lspci sorts: where the order turns, another output begins. */
	if (l->n) {
		const struct record *last = &l->record[l->n - 1];

		r.segment = last->segment + (bdf_order(last->f.bdf, bdf) >= 0);
	}
	l->record = with_room(l->record, l->n, sizeof *l->record);
	l->record[l->n++] = r;
	l->in_function = l->in_title = true;
	l->longest = 0;
}

/*
 * Whether a text starts with a class as lspci writes it: its words, of which
 * pci.ids ends nearly all with these; "[0200]: " behind them; or "0200: ".
 */
static bool
has_class(const char *text)
{
	static const char *const words[] = {
	    "bridge",    "controller",      "device", "peripheral",
	    "memory",    "interface",       "class",  "accelerators",
	    "counters",  "Instrumentation", "SMBus",  "IOMMU",
	    "PIC",       "processor",       "1394)",  "synchronizer",
	    "InfiniBand"};
	const char *end = strstr(text, ": ");

	if (!end || end - text > 60)
		return false;
	if ((end - text == 4 && strspn(text, HEX) == 4) ||
	    (end - text > 6 && end[-1] == ']' && strspn(end - 5, HEX) == 4))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i]);

		if (end - text >= (ptrdiff_t)n &&
		    !strncasecmp(end - n, words[i], n))
			return true;
	}
	return false;
}

/*
 * Whether a line starts a function; then stores its address in bdf. A class
 * follows or, at the start of a line, a name; or, behind an empty line,
 * anything with a domain or without punctuation: a sentence is none.
 */
enum title { BEHIND, STARTS, ALONE };
static bool
is_title(const char *line, enum title place, char bdf[BDF_MAX])
{
	char word[BDF_MAX] = "";
	const char *blank = memchr(line, ' ', strnlen(line, sizeof word));

	/* "12:03:00.0" is line 12 of grep -n. */
	if (!blank || (strcspn(line, ":") < 4 && blank - line != 7))
		return false;
	memcpy(word, line, (size_t)(blank - line));
	return parse_bdf(word, bdf) &&
	       (has_class(blank + 1) ||
	        (place == ALONE &&
	         (blank - line > 7 || !strpbrk(blank, ",.;:?!"))) ||
	        (place != BEHIND &&
	         (isupper(blank[1]) || !strchr(blank + 1, ' '))));
}

/*
 * Whether the text behind a key that is a common word is what lspci writes
 * there.
 */
static bool
is_of_lspci(unsigned key, const char *text)
{
	static const struct {
		unsigned key;
		const char *starts;
	} words[] = {{REG_COMMAND, "I"},
	             {REG_POWER, "DC"},
	             {REG_FLAGS, "[<"},
	             {KEY_BUS, "p"}};

	text += strspn(text, " ");
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (words[i].key == key)
			return *text && strchr(words[i].starts, *text);
	}
	return true;
}

/*
 * The first title or known key in a text, which it stores; or the end. They
 * begin a new text wherever they stand: lines may have prefixes, and pages make
 * one line of all.
 */
static char *
find_key(char *text, unsigned *key)
{
	char bdf[BDF_MAX];

	for (char *colon = text; (colon = strchr(colon, ':')); colon++) {
		char *at = colon;

		while (at > text && isalnum(at[-1]))
			at--;
		*key = TITLE;
		if (isxdigit(*at) && is_title(at, BEHIND, bdf))
			return at;
		for (*key = 0; *key < NKEYS; ++*key) {
			const char *word = *key < NREGISTERS
			                       ? register_places[*key].word
			                       : other_keys[*key - NREGISTERS];
			size_t n = word ? strlen(word) : 0;

			at = colon + 1 - n;
			if (n && (size_t)(colon + 1 - text) >= n &&
			    !memcmp(at, word, n) &&
			    (at == text || !isalnum(at[-1])) &&
			    (!colon[1] || colon[1] == ' ') &&
			    is_of_lspci(*key, colon + 1))
				return at;
		}
	}
	return strchr(text, '\0');
}

/* Stores a byte of config space. */
static void
add_byte(struct record *r, size_t at, unsigned byte)
{
	size_t had = (r->bytes + 255) / 256 * 256, more = (at / 256 + 1) * 256;

	if (more > had) {
		r->config = xreallocarray(r->config, more, 1);
		memset(r->config + had, 0xff, more - had);
	}
	if (at >= r->bytes)
		r->bytes = at + 1;
	r->config[at] = (uint8_t)byte;
}

#define ROW 16 /* bytes */

/*
 * Rows of config space, "40: 10 00 ...": 16 bytes each, in order; a row that
 * the end of its line cuts follows the one before. What comes again is no part
 * of the dump. False if the line has none.
 */
static bool
read_row(struct record *r, const char *line)
{
	bool any = false;

	for (const char *at = line; (at = strchr(at, ':')); at++) {
		const char *row = at;
		size_t first, n = 0;

		while (row > line && isxdigit(row[-1]))
			row--;
		if (at - row < 2 || at - row > 3 || at[1] != ' ' ||
		    (row > line && isalnum(row[-1])))
			continue;
		while (n < ROW && at[1 + 3 * n] == ' ' &&
		       hex_byte(at + 2 + 3 * n) != NO_BITS &&
		       !isalnum(at[4 + 3 * n]))
			n++;
		first = strtoul(row, NULL, 16);
		/* Less is the last row of a file that is cut off. */
		if (first % ROW || !n ||
		    (n < ROW && !(row == line && first && first == r->bytes &&
		                  !at[1 + 3 * n])))
			continue;
		any = true;
		if (first < r->bytes || first > r->bytes + 256)
			continue;
		for (size_t i = 0; i < n; i++)
			add_byte(r, first + i, hex_byte(at + 2 + 3 * i));
	}
	return any;
}

/*
 * "# lspci -vv -s 03:00.0 | grep Lnk": what follows is about this function.
 * Words of a text about lspci do not end a function.
 */
static bool
read_command(struct listing *l, const char *line)
{
	const char *at = strstr(line, "lspci -");
	const char *slot = at ? strstr(at, "s ") : NULL;
	char word[BDF_MAX] = "";

	if (!at || !isalpha(at[strlen("lspci -")]) ||
	    (l->in_function && at > line && !begins(line, "sudo ") &&
	     !(at - line > 1 && strchr("$#%`", at[-2])) &&
	     !strstr(line, " sudo lspci -")))
		return false;
	end_function(l);
	*l->bdf = '\0';
	if (slot && sscanf(slot + 2, "%19[0-9a-fA-F:.]", word) == 1)
		parse_bdf(word, l->bdf);
	return true;
}

/*
 * A line with an address alone, or a heading that ends with one, such as "===
 * 0000:03:00.0" or "GPU (03:00.0):": what grep left below is of this function.
 */
static bool
read_heading(struct listing *l, const char *line)
{
	static const char marks[] = "=-#*`()[]:<> ";
	size_t n = strlen(line), last;
	char word[BDF_MAX], bdf[BDF_MAX];

	while (n && strchr(marks, line[n - 1]))
		n--;
	for (last = n; last && !strchr("=#*`([< ", line[last - 1]);)
		last--;
	if (n - last >= sizeof word || n > 80)
		return false;
	snprintf(word, sizeof word, "%.*s", (int)(n - last), line + last);
	if (!parse_bdf(word, bdf) ||
	    (strspn(line, marks) < last &&
	     ((l->in_function && !l->grepped && !l->empty) ||
	      (line[strlen(line) - 1] != ':' && !begins(line, "==") &&
	       !begins(line, "--") && !begins(line, "##")))))
		return false;
	end_function(l);
	memcpy(l->bdf, bdf, sizeof l->bdf);
	return true;
}

/* Registers that a function shows once, and grep leaves without its name. */
static bool
shows_once(unsigned key)
{
	return key == REG_LNKCAP || key == REG_LNKSTA || key == REG_ACSCTL;
}

/*
 * Lines of a register without their function's first line, as grep leaves
 * them, or behind a hunk of a diff, which shows such a register again.
 */
static void
begin_grepped(struct listing *l, unsigned key)
{
	struct record *r = l->in_function ? &l->record[l->n - 1] : NULL;
	bool again = r && shows_once(key) && r->f.registers.seen[key] &&
	             (l->grepped || l->hunk);

	if (again && !l->grepped)
		*l->bdf = '\0';
	if ((!shows_once(key) && key != REG_REBARCAP) || (r && !again))
		return;
	l->hunk = false;
	if ((again && l->grepped) || !*l->bdf)
		snprintf(l->bdf, sizeof l->bdf, "?%u", ++l->nameless);
	begin_function(l, "", l->bdf);
	l->grepped = true;
}

/* A part of a line that has no title and no key but at its start. */
static void
read_part(struct listing *l, const char *text, unsigned key)
{
	char bdf[BDF_MAX] = "";

	if (key == TITLE && is_title(text, ALONE, bdf)) {
		begin_function(l, text, bdf);
		return;
	}
	if (key < NKEYS || has_key(text)) {
		if (l->in_function)
			end_register(l);
		begin_grepped(l, key);
		if (l->in_function)
			read_key(l, text, key);
		return;
	}
	if (!l->in_function || read_row(&l->record[l->n - 1], text))
		return;
	if (strstr(text, "Unknown header type 7f"))
		l->record[l->n - 1].f.ones = true;
	if (begins(text, "Region ")) {
		end_register(l);
		l->key = REGION;
		l->in_title = false;
		snprintf(l->text, sizeof l->text, "%.4000s", text);
		return;
	}
	/* Of a wrapped region only its flags. */
	if (l->key == REGION && (*text != '[' || strstr(text, "ROM at")))
		end_register(l);
	/* Of the state before. */
	if (l->sign == '-')
		return;
	if (l->in_title && strlen(l->record[l->n - 1].f.title) < 256)
		xappend(&l->record[l->n - 1].f.title, " ", "%.80s", text);
	else if (*l->text)
		snprintf(l->text + strlen(l->text),
		         sizeof l->text - strlen(l->text), "%s", text);
}

/* Whether a line has the greatest length, as several do: that of a screen. */
static bool
may_be_cut(struct listing *l, size_t length)
{
	if (length > l->longest) {
		l->longest = length;
		l->as_long = 0;
	}
	return length == l->longest && ++l->as_long > 2;
}

/*
 * What follows a number that counts up with the lines, as of grep -n, or
 * "dump.txt:12:" of grep -Hn; else the line. Domains begin with 0, and a row of
 * config space with a blank.
 */
static char *
skip_number(struct listing *l, char *line)
{
	size_t name = strcspn(line, ": ");
	unsigned long last = l->number;
	char *at = line, *end = line, bdf[BDF_MAX];

	/* Buses count up, too: "21:00.0 VGA ...". */
	if (is_title(line, BEHIND, bdf))
		return line;
	if (line[name] == ':' && strspn(line, HEX) < name)
		at += name + 1;
	l->number = *at > '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
	if (*end != ':' && *end != '-')
		l->number = 0;
	return l->number > last && end[1] != ' ' && (last || l->number == 1)
	           ? end + 1
	           : line;
}

static void
read_line(struct listing *l, char *line, int end)
{
	char bdf[BDF_MAX], *next;
	unsigned key = NKEYS, next_key = TITLE;

	line = skip_number(l, line);
	l->sign = '\0';
	if (*line && strchr("+-", *line) && line[1] == ' ')
		l->sign = *line;
	if (!*line)
		l->in_title = false;
	if (l->in_function && begins(line, "@@ -")) {
		l->hunk = true;
		if (l->record[l->n - 1].removed) {
			end_function(l);
			*l->bdf = '\0';
		}
		return;
	}
	if (read_heading(l, line))
		return;
	next = is_title(line, l->empty ? ALONE : STARTS, bdf)
	           ? line
	           : find_key(line, &next_key);
	l->empty = !*line;
	/* A log within a function that is not in the log. */
	if (l->stamped && l->in_function && !l->record[l->n - 1].stamped &&
	    !(*next && next_key == TITLE))
		return;
	if (read_command(l, line) && next_key != TITLE)
		return;
	/* A prefix is no part of a title. */
	if (next > line && *next)
		l->in_title = false;
	for (; *line; line = next, key = next_key) {
		char first;

		if (next == line) {
			key = next_key;
			next = find_key(line + strcspn(line, " "), &next_key);
		}
		first = *next;
		*next = '\0';
		read_part(l, line, key);
		*next = first;
	}
	if (*l->text)
		snprintf(l->text + strlen(l->text),
		         sizeof l->text - strlen(l->text), "%c", end);
}

/* States ------------------------------------------------------------------- */

static int
by_place(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = bdf_order(x->f.bdf, y->f.bdf);

	return order ? order : x->order < y->order ? -1 : 1;
}

/* By place, the last state first. */
static int
by_state(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return !bdf_order(x->f.bdf, y->f.bdf) && x->segment != y->segment
	           ? (x->segment > y->segment ? -1 : 1)
	           : by_place(a, b);
}

/* Whether both show a register or byte that has changed. */
static bool
differ(const struct record *a, const struct record *b)
{
	const struct pci_registers *x = &a->f.registers, *y = &b->f.registers;
	size_t n = a->bytes < b->bytes ? a->bytes : b->bytes;

	if (a->f.ones != b->f.ones)
		return true;
	for (unsigned reg = 0; reg < NREGISTERS; reg++) {
		if ((x->value[reg] ^ y->value[reg]) & x->seen[reg] &
		    y->seen[reg])
			return true;
	}
	return n && memcmp(a->config, b->config, n) != 0;
}

/* What lspci calls a device in its first line; the length is 0 without. */
static const char *
name_of(const struct record *r, size_t *n)
{
	static const char *const ends[] = {" (", " Device ", " ["};
	const char *title = r->f.title, *name = strstr(title, ": "), *end;

	*n = 0;
	/* lspci -n has numbers. */
	if (!name || (strspn(name + 2, HEX) == 4 && name[6] == ':') ||
	    title + r->first < name + 2)
		return title;
	name += 2;
	*n = (size_t)(title + r->first - name);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		end = strstr(name, ends[i]);
		/* A part of a vendor's name: "[AMD]", "[AMD/ATI]". */
		if (end && begins(end, " [AMD"))
			end = strstr(end + 1, ends[i]);
		if (end && (size_t)(end - name) < *n)
			*n = (size_t)(end - name);
	}
	return name;
}

/* Whether both cannot be one device. */
static bool
are_two(const struct record *a, const struct record *b)
{
	const struct pci_function *f = &a->f, *g = &b->f;
	size_t n, m;
	char id[5], other_id[5];
	const char *name = name_of(a, &n), *other = name_of(b, &m);

	if (f->device_id && g->device_id)
		return f->vendor_id != g->vendor_id ||
		       f->device_id != g->device_id;
	if ((f->class_code && g->class_code &&
	     f->class_code != g->class_code) ||
	    strncmp(name, other, n < m ? n : m) != 0)
		return true;
	/* Of the same vendor, without a name: "Device 461c". */
	return sscanf(name + n, " Device %4[0-9a-f]", id) == 1 &&
	       sscanf(other + m, " Device %4[0-9a-f]", other_id) == 1 &&
	       strcmp(id, other_id) != 0;
}

static void
free_record(struct record *r)
{
	free(r->f.driver);
	free(r->f.title);
	free(r->config);
	r->config = NULL;
}

/* Whether it shows registers of ones only. */
static bool
is_ones(const struct record *r)
{
	return r->f.ones || (r->bytes && r->config[0] == 0xff &&
	                     !memcmp(r->config, r->config + 1, r->bytes - 1));
}

/* Adds to a what only b, of the same or an earlier state, shows; frees b. */
static void
complete(struct record *a, struct record *b)
{
	struct pci_function *f = &a->f;
	bool gone = is_ones(a);

	for (unsigned reg = 0; reg < NREGISTERS && !gone; reg++)
		learn(&f->registers, (enum pci_register)reg,
		      b->f.registers.seen[reg], b->f.registers.value[reg]);
	if (!*f->driver) {
		free(f->driver);
		f->driver = b->f.driver;
		b->f.driver = NULL;
	}
	if (!f->first_bus && !f->busless) {
		f->busless = b->f.busless;
		f->first_bus = b->f.first_bus;
		f->last_bus = b->f.last_bus;
	}
	if (!f->class_code || !*f->title) {
		free(f->title);
		f->title = b->f.title;
		a->first = b->first;
		f->class_code = b->f.class_code;
		b->f.title = NULL;
	}
	if (!f->vendor_id) {
		f->vendor_id = b->f.vendor_id;
		f->device_id = b->f.device_id;
	}
	if (b->bytes > a->bytes && (!a->bytes || b->segment == a->segment)) {
		free(a->config);
		a->config = b->config;
		a->bytes = b->bytes;
		b->config = NULL;
	}
	if (b->segment == a->segment) {
		f->lost_bars |= b->f.lost_bars;
		f->moved_bars |= b->f.moved_bars;
		f->above_4g |= b->f.above_4g;
	}
	a->has_list |= b->has_list;
	f->ones |= b->f.ones && b->segment == a->segment;
	free_record(b);
}

/* What one output of lspci shows, beside those before it. */
struct segment {
	size_t again, others; /* functions seen before; other devices there */
	bool host;            /* one of these is a host bridge */
	unsigned state, machine;
};

/*
 * Numbers the states, from 1, in the records' segments: a new one begins with
 * the output of lspci in which a function differs from the output before; and
 * another machine where most functions, or a host bridge, are other devices.
 * Returns their number.
 */
static unsigned
number_states(struct listing *l)
{
	unsigned segments = l->n ? l->record[l->n - 1].segment + 1 : 0;
	struct segment *segment = xcalloc(segments + 1, sizeof *segment);
	unsigned n = 1, machine = 0;
	const struct record *words = NULL, *rows = NULL;

	if (l->n)
		qsort(l->record, l->n, sizeof *l->record, by_place);
	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->record[i];
		struct segment *s = &segment[r->segment];
		bool again = i && !bdf_order(r[-1].f.bdf, r->f.bdf);

		if (!again)
			words = rows = NULL;
		if (again && r[-1].segment != r->segment) {
			s->again++;
			s->others += are_two(r - 1, r);
			s->host |=
			    are_two(r - 1, r) &&
			    r->f.class_code >> 16 == PCI_CLASS_BRIDGE_HOST;
		}
		s->state |= (words && differ(words, r)) ||
		            (rows && differ(rows, r)) || s->others;
		if (r->f.registers.seen[REG_LNKCAP] || r->f.ones)
			words = r;
		if (r->bytes)
			rows = r;
	}
	for (unsigned i = 0; i < segments; i++) {
		struct segment *s = &segment[i];

		n += s->state;
		machine += s->host || 2 * s->others > s->again;
		s->state = n;
		s->machine = machine;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct record *r = &l->record[i];
		const struct segment *s = &segment[r->segment];

		r->machine = s->machine;
		r->segment = s->state;
	}
	free(segment);
	return n;
}

/* In the format that libpci reads. */
static void
write_config(const struct record *r, FILE *to)
{
	static const char digits[] = "0123456789abcdef";

	fprintf(to, "%s ", r->f.bdf);
	for (size_t i = 0; i < r->bytes; i++) {
		if (i % 16 == 0)
			fprintf(to, "\n%02zx:", i);
		putc_unlocked(' ', to);
		putc_unlocked(digits[r->config[i] >> 4], to);
		putc_unlocked(digits[r->config[i] & 15], to);
	}
	fputs("\n\n", to);
}

/*
 * Moves the functions as a state leaves them into a tree: what it does not show
 * is as in the last state of the same machine and device that does. Frees all
 * others.
 */
static struct pci_tree *
collect(struct listing *l, unsigned state, FILE *rows)
{
	struct pci_tree *tree = xcalloc(1, sizeof *tree);
	struct record *kept = xcalloc(l->n + 1, sizeof *kept);
	unsigned machine = 0;
	size_t n = 0;

	if (l->n)
		qsort(l->record, l->n, sizeof *l->record, by_state);
	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->record[i];

		if (r->segment <= state && r->machine > machine)
			machine = r->machine;
		tree->machines |= r->machine > 0;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct record *r = &l->record[i];
		bool again = n && !strcmp(kept[n - 1].f.bdf, r->f.bdf);

		if (r->segment > state || r->machine != machine ||
		    (again && are_two(&kept[n - 1], r)))
			free_record(r);
		else if (again)
			complete(&kept[n - 1], r);
		else
			kept[n++] = *r;
	}
	tree->function = with_room(NULL, 0, sizeof *tree->function);
	while (tree->n < n) {
		struct record *r = &kept[tree->n];
		struct pci_function *f = &r->f;

		if (r->bytes && rows)
			write_config(r, rows);
		free(r->config);
		f->pcie = pcie_cap_of_registers(&f->registers);
		if (r->has_list && !f->registers.seen[REG_FLAGS])
			f->pcie.port = PORT_NONE;
		f->link = pcie_cap_link(&f->pcie);
		array_push(tree->function, tree->n, *f);
	}
	free(kept);
	free(l->record);
	return tree;
}

/* As of lspci without -vv or without root; see struct pci_tree. */
static const char *
why_unread(const struct listing *l, const struct pci_tree *tree)
{
	const struct pci_function *f = tree->function, *end = f + tree->n;

	while (f < end && f->pcie.port == PORT_UNSEEN &&
	       !(f->registers.seen[REG_LNKSTA] | f->registers.seen[REG_LNKCAP] |
	         f->registers.seen[REG_REBARCTL] |
	         f->registers.seen[REG_ACSCTL]))
		f++;
	if (f < end || !tree->n)
		return NULL;
	for (f = tree->function; f < end && !f->registers.seen[REG_COMMAND];)
		f++;
	return l->denied  ? "lspci -vv without root: no capabilities"
	       : f == end ? "lspci without -vv: names only"
	                  : NULL;
}

/* Whether it has a link, but not what that runs at. */
static bool
lacks_link(const struct record *r)
{
	const struct pci_registers *registers = &r->f.registers;
	unsigned type =
	    register_field(registers, REG_FLAGS, PCI_EXP_FLAGS_TYPE);

	return registers->seen[REG_FLAGS] && !registers->seen[REG_LNKSTA] &&
	       type != PCI_EXP_TYPE_ROOT_INT_EP && type != PCI_EXP_TYPE_ROOT_EC;
}

/*
 * Whether the text ends within its last function: this has less than all others
 * have. Others may end with what is no line, without an end of it.
 */
static bool
ends_early(const struct listing *l, bool whole_line, bool in_title)
{
	const struct record *last = &l->record[l->n - 1];
	bool alike = false, lists = false, whole = false;

	if (!l->n || l->empty)
		return false;
	for (size_t i = 0; i + 1 < l->n; i++) {
		alike |= lacks_link(&l->record[i]);
		lists |= l->record[i].has_list ||
		         (in_title && l->record[i].f.registers.seen[REG_FLAGS]);
		whole |= l->record[i].f.registers.seen[REG_LNKSTA] > 0;
	}
	if (last->bytes % 64)
		return true;
	if (lacks_link(last))
		return !whole_line || (whole && !alike);
	return !whole_line && lists && !last->has_list &&
	       !last->f.registers.seen[REG_FLAGS] && !*last->f.driver;
}

/*
 * Whether a last line without an end of it is cut off, by the words that began
 * and ended lines before it, each "\nFIRST\tLAST\n": it begins like one of
 * lspci, and none ends like it. Numbers and names of drivers may be new.
 */
static bool
is_torn(const char *words, const char *line)
{
	const char *blank = strrchr(line, ' '),
	           *last = blank ? blank + 1 : line;
	char *end = xasprintf("\t%s\n", last);
	char *start = xasprintf("\n%.*s%s", (int)strcspn(line, " "), line,
	                        blank ? "\t" : "");
	const char *like = strstr(words, start);
	bool torn = *line && strspn(line, HEX ":.") == strlen(line);

	if (like && *last && !strstr(words, end)) {
		end[strlen(end) - 1] = '\0';
		like += strcspn(like, "\t");
		torn |= begins(line, "Kernel ")
		            ? strstr(words, end) != NULL
		            : strchr(":+-", like[-1]) &&
		                  last[strspn(last, "0123456789")];
	}
	free(start);
	free(end);
	return torn;
}

/* Whether a text may end within a line; one that cannot be sought may. */
static bool
may_be_torn(FILE *f)
{
	long at = ftell(f);
	int last = EOF;

	if (at >= 0 && !fseek(f, -1, SEEK_END)) {
		last = getc(f);
		fseek(f, at, SEEK_SET);
	}
	return last != '\n';
}

struct pci_tree *
listing_read(FILE *f, FILE *rows, unsigned *state, struct facts *facts)
{
	struct listing l = {.empty = true};
	static const char mark[] = "# pcb-doctor --save: ";
	struct paste *p = paste_begin(f);
	unsigned states;
	struct pci_tree *tree;
	struct composed composed;
	FILE *words = compose_begin(&composed);
	bool needs_words = may_be_torn(f);
	char *line, *seen = NULL, part[BDF_MAX] = "", end = BREAK;
	bool cut = false, early, torn = false, in_title;

	while ((line = paste_next(p))) {
		if (p->begins)
			end = may_be_cut(&l, p->length) ? CUT : BREAK;
		if (begins(line, mark))
			cut = strcmp(line + strlen(mark), "end") != 0;
		if (facts_take(facts, line, p->column))
			continue;
		l.stamped = facts->log.stamped;
		if (!needs_words || !l.in_function || seen) {
			/* No line is torn, or it was looked at. */
		} else if (p->whole) {
			const char *blank = strrchr(line, ' ');

			fprintf(words, "\n%.*s\t%s\n", (int)strcspn(line, " "),
			        line, blank ? blank + 1 : line);
		} else if (!p->rest) {
			seen = compose_end(&composed, words);
			torn = is_torn(seen, line);
			if (torn)
				end = CUT;
		}
		read_line(&l, line, p->rest ? BREAK : end);
	}
	free(seen ? seen : compose_end(&composed, words));
	early = l.in_function;
	in_title = l.in_title;
	end_function(&l);
	early = early && (torn || ends_early(&l, p->whole, in_title));
	if (early)
		memcpy(part, l.record[l.n - 1].f.bdf, sizeof part);
	states = number_states(&l);
	tree = collect(&l, *state ? *state : states, rows);
	tree->cut = cut;
	tree->open = !p->whole;
	paste_end(p);
	memcpy(tree->part, part, sizeof part);
	tree->denied = l.denied;
	tree->lack = why_unread(&l, tree);
	*state = states;
	return tree;
}
