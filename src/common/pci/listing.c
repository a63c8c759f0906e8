/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pci/listing.h"

#include "common/base/util.h"

#include <pci/pci.h>
#include <stdlib.h>
#include <string.h>

#define HEX         "0123456789abcdefABCDEF"
#define NO_BITS     0xffffffffu
#define LINE_SIZE   4096 /* of a line that is kept */
#define CONFIG_SIZE 4096 /* bytes of extended config space */
#define RECORDS     400000

/* A function as one block of the text shows it. */
struct record {
	struct pci_function f;
	uint8_t *config; /* rows of config space; missing bytes are ones */
	size_t bytes;
	bool has_list;    /* the capability list is shown */
	unsigned segment; /* the run of ascending functions that it is in */
	size_t order;
};

/* State of the parser. */
struct listing {
	struct record *record;
	size_t n;
	bool in_function;     /* the last record is not ended */
	bool in_title;        /* its first line may continue */
	bool grepped;         /* it has no first line */
	bool prefixed;        /* it stands behind other text in its line */
	char text[LINE_SIZE]; /* of the current register, with its label */
	char bdf[BDF_MAX]; /* that a command line names, "lspci -s 03:00.0" */
	unsigned nameless; /* functions without any name */
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
    {"LnkSta:", "DLActive", REG_LNKSTA, PCI_EXP_LNKSTA_DL_ACT},
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
static const char *const rates[] = {"unknown", "2.5GT/s", "5GT/s",
                                    "8GT/s",   "16GT/s",  "32GT/s",
                                    "64GT/s",  "128GT/s", NULL};
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

/* Sets bits that are not yet known: what comes later is no part of the dump. */
static void
learn(struct pci_registers *r, enum pci_register reg, uint32_t mask,
      uint32_t bits)
{
	registers_set(r, reg, mask & ~r->seen[reg], bits);
}

static void
read_flag(struct pci_function *f, const char *line, size_t i)
{
	size_t n = strlen(flags[i].name);

	for (const char *at = line; (at = strstr(at, flags[i].name)); at += n) {
		if (at == line || !strchr(" \t", at[-1]))
			continue;
		if (at[n] == '+' || at[n] == '-')
			learn(&f->registers, flags[i].reg, flags[i].bit,
			      at[n] == '+' ? flags[i].bit : 0);
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
read_rebar(struct record *r, const char *line)
{
	const char *now = strstr(line, "size: "), *can;
	uint32_t size = now ? size_bit(now + strlen("size: ")) : NO_BITS;
	uint32_t sizes = 0;

	if (r->f.registers.seen[REG_REBARCTL] || size == NO_BITS ||
	    !(can = strstr(now, "supported: ")))
		return;
	while ((can = strchr(can, ' '))) {
		uint32_t bit = size_bit(++can);

		if (bit < 28)
			sizes |= 1u << (bit + 4);
	}
	registers_set(&r->f.registers, REG_REBARCAP, NO_BITS, sizes);
	registers_set(&r->f.registers, REG_REBARCTL, 0x3f00, size << 8);
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

	return at ? (unsigned)strtoul(at + strlen(word), NULL, 16) & 0xff : 0;
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

/* Parses the text of the register that ends here. */
static void
end_register(struct listing *l)
{
	size_t n = strcspn(l->text, ":") + 1;
	struct record *r = &l->record[l->n - 1];
	const char *express = strstr(l->text, "] Express (v");

	if (begins(l->text, "Capabilities: <access denied>"))
		r->has_list = false;
	if (begins(l->text, "Capabilities: [") && express)
		read_port(&r->f, express + strlen("] Express (v"));
	if (begins(l->text, "BAR "))
		read_rebar(r, l->text);
	if (begins(l->text, "LnkSta:"))
		learn(&r->f.registers, REG_LNKSTA,
		      LNKSTA_SLOWER | LNKSTA_NARROWER, lnksta_below(l->text));
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (!strncmp(l->text, flags[i].label, n))
			read_flag(&r->f, l->text, i);
	}
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		uint32_t code, mask = values[i].mask, lowest = mask & -mask;
		const char *at = strncmp(l->text, values[i].label, n) != 0
		                     ? NULL
		                     : strstr(l->text, values[i].before);

		if (!at)
			continue;
		at += strlen(values[i].before);
		code = values[i].words ? leading_word(at, values[i].words)
		                       : values[i].code(at);
		if (code <= mask / lowest)
			learn(&r->f.registers, values[i].reg, mask,
			      code * lowest);
	}
	*l->text = '\0';
}

/*
 * The length of the key at the start of a line, with its colon; 0: the line
 * continues the one before. Indentation says nothing: it is lost in many texts.
 */
static size_t
key_length(const char *line)
{
	/* Words of one register's text at which it may be wrapped. */
	static const char *const inner[] = {"AtomicOps", "Speed", "Timeout:"};
	size_t n = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
	                        "tuvwxyz0123456789_");

	if (begins(line, "BAR ") || begins(line, "Kernel ") ||
	    begins(line, "NUMA node:"))
		n = strcspn(line, ":");
	for (size_t i = 0; i < ARRAY_LEN(inner); i++) {
		if (begins(line, inner[i]))
			return 0;
	}
	return *line >= 'A' && *line <= 'Z' && line[n] == ':' &&
	               (!line[n + 1] || line[n + 1] == ' ')
	           ? n + 1
	           : 0;
}

/* A line that starts with a key of this length. */
static void
read_key(struct listing *l, const char *line, size_t n)
{
	struct record *r = &l->record[l->n - 1];

	l->in_title = false;
	if (begins(line, "Kernel driver in use: ") && line[n + 1]) {
		if (!*r->f.driver) {
			free(r->f.driver);
			r->f.driver = xstrdup(line + n + 1);
		}
	} else if (begins(line, "Bus: primary=")) {
		unsigned first = bus_behind(line, "secondary=");

		if (first > bdf_split(r->f.bdf).bus) {
			r->f.first_bus = first;
			r->f.last_bus = bus_behind(line, "subordinate=");
		}
	} else if (begins(line, "Status: Cap")) {
		r->has_list = true; /* may be empty */
	} else if (begins(line, "NUMA node: ")) {
		r->f.node = (int)(strtoul(line + n, NULL, 10) & 0x3ff);
	} else {
		snprintf(l->text, sizeof l->text, "%s", line);
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
	return number && strspn(number + 1, HEX) == 4 &&
	               begins(number + 5, "]: ")
	           ? (uint32_t)strtoul(number + 1, NULL, 16) << 16
	           : 0;
}

/* "[10de:2684]" in the first line, as lspci -nn prints it. */
static void
read_ids(struct pci_function *f)
{
	const char *at = f->title;

	while ((at = strchr(at, '['))) {
		if (strspn(++at, HEX) == 4 && at[4] == ':' &&
		    strspn(at + 5, HEX) == 4 && at[9] == ']') {
			f->vendor_id = (uint16_t)strtoul(at, NULL, 16);
			f->device_id = (uint16_t)strtoul(at + 5, NULL, 16);
		}
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
	l->in_function = l->in_title = l->grepped = false;
}

static void
begin_function(struct listing *l, const char *line, const char *bdf)
{
	struct record r = {
	    .order = l->n,
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
	array_push(l->record, l->n, r);
	l->in_function = l->in_title = true;
}

/* Whether a line starts a function; then stores its address in bdf. */
static bool
is_title(const char *line, char bdf[BDF_MAX])
{
	char word[BDF_MAX] = "";
	size_t n = strcspn(line, " ");

	/* "12:03:00.0" is line 12 of grep -n. */
	if (!n || n >= sizeof word || !line[n] ||
	    (strcspn(line, ":") < 4 && n != 7))
		return false;
	memcpy(word, line, n);
	return parse_bdf(word, bdf);
}

/* A row of config space, "40: 10 00 ..."; false if the line is none. */
static bool
read_row(struct record *r, const char *line)
{
	size_t n = strspn(line, HEX), at = strtoul(line, NULL, 16);
	const char *byte = line + n + 1;

	if (n < 2 || n > 3 || line[n] != ':' || *byte != ' ' ||
	    strspn(byte + 1, HEX) != 2)
		return false;
	for (; *byte == ' ' && strspn(byte + 1, HEX) == 2 && at < CONFIG_SIZE &&
	       at <= r->bytes + 256;
	     byte += 3, at++) {
		size_t more = (at / 256 + 1) * 256;

		if (at >= r->bytes || !r->config) {
			size_t had =
			    r->config ? (r->bytes + 255) / 256 * 256 : 0;

			if (more > had) {
				r->config = xreallocarray(r->config, more, 1);
				memset(r->config + had, 0xff, more - had);
			}
			r->bytes = at + 1;
		}
		r->config[at] = (uint8_t)strtoul(byte + 1, NULL, 16);
	}
	return true;
}

/* "# lspci -vv -s 03:00.0 | grep Lnk": what follows is about this function. */
static bool
read_command(struct listing *l, const char *line)
{
	const char *at = strstr(line, "lspci -");
	const char *slot = at ? strstr(at, "s ") : NULL;
	char word[BDF_MAX] = "";

	if (!at)
		return false;
	end_function(l);
	*l->bdf = '\0';
	if (slot && sscanf(slot + 2, "%19[0-9a-fA-F:.]", word) == 1)
		parse_bdf(word, l->bdf);
	return true;
}

/* Lines of a link without their function's first line, as grep leaves them. */
static void
begin_grepped(struct listing *l, const char *line)
{
	const struct record *last = l->n ? &l->record[l->n - 1] : NULL;
	bool caps = begins(line, "LnkCap:");
	bool again = l->in_function && l->grepped &&
	             last->f.registers.seen[caps ? REG_LNKCAP : REG_LNKSTA];

	if ((!caps && !begins(line, "LnkSta:")) || (l->in_function && !again))
		return;
	if (again || !*l->bdf)
		snprintf(l->bdf, sizeof l->bdf, "?%u", ++l->nameless);
	begin_function(l, "", l->bdf);
	l->grepped = true;
}

/*
 * Where a title or a key is behind what a journal, diff, grep -n or a comment
 * put before it: keys only if the title has such a prefix, too.
 */
static const char *
skip_prefix(struct listing *l, const char *line)
{
	char bdf[BDF_MAX];
	bool plain = key_length(line) || !strstr(line, ": ");

	for (const char *at = line; !plain && (at = strpbrk(at, " :+-#*/>"));) {
		bool title = is_title(++at, bdf) && class_of(at);

		l->prefixed |= title;
		if (title || (l->prefixed && key_length(at)))
			return at;
	}
	return line;
}

static void
read_line(struct listing *l, const char *line)
{
	char bdf[BDF_MAX] = "";
	size_t n;

	if (!*line)
		l->in_title = false;
	if (!*line || read_command(l, line))
		return;
	if (is_title(line, bdf))
		l->prefixed = false;
	else
		line = skip_prefix(l, line);
	if (is_title(line, bdf)) {
		begin_function(l, line, bdf);
		return;
	}
	n = key_length(line);
	if (n) {
		if (l->in_function)
			end_register(l);
		begin_grepped(l, line);
	}
	if (!l->in_function || read_row(&l->record[l->n - 1], line))
		return;
	if (n)
		read_key(l, line, n);
	else if (l->in_title && strlen(l->record[l->n - 1].f.title) < 256)
		xappend(&l->record[l->n - 1].f.title, " ", "%.80s", line);
	else if (*l->text)
		snprintf(l->text + strlen(l->text),
		         sizeof l->text - strlen(l->text), " %s", line);
}

/* Lines -------------------------------------------------------------------- */

/*
 * Reads a line of any length, of which it keeps the beginning. A pair of zero
 * bytes ends a line (files in an archive); a single one is dropped (UTF-16).
 */
static bool
next_line(FILE *f, char line[LINE_SIZE], size_t n)
{
	int c, last = EOF;

	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (!c && !last && n)
			break;
		if (c && n < LINE_SIZE - 1)
			line[n++] = (char)c;
		last = c;
	}
	line[n] = '\0';
	return c != EOF || n;
}

/* Mail: decodes "=3D"; the line continues in the next one if it ends in "=". */
static void
decode_mail(char *line)
{
	char *to = line, digits[3] = "";

	for (const char *at = line; *at; at++) {
		if (*at == '=' && strspn(at + 1, "0123456789ABCDEF") >= 2) {
			memcpy(digits, at + 1, 2);
			*to++ = (char)strtoul(digits, NULL, 16);
			at += 2;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
}

static bool
is_mail(const char *line)
{
	const char *lead = line + strspn(line, " \t>");

	return strstr(line, "=3D") || strstr(line, ":=09") ||
	       begins(lead, "=09") || begins(lead, "=20=20") ||
	       begins(lead, "=C2=A0");
}

/* Decodes what pages write for these characters, in place. */
static void
decode_entities(char *line)
{
	static const char *const names[] = {"&gt;", "&lt;", "&#43;", "&nbsp;",
	                                    "&amp;"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t n = strlen(names[i]);

		for (char *at = line; (at = strstr(at, names[i]));) {
			*at++ = "><+ &"[i];
			memmove(at, at + n - 1, strlen(at + n - 1) + 1);
		}
	}
}

/* Removes what mail, pages and libpci add; one space for each white space. */
static void
clean(char *line)
{
	char *noise = strstr(line, "pcilib: "), *to = line;
	const char *at;

	if (noise)
		*noise = '\0';
	if (is_mail(line))
		decode_mail(line);
	if (strchr(line, '&'))
		decode_entities(line);
	for (at = line; *at; at++) {
		bool space = *at == ' ' || *at == '\t' || *at == '\r' ||
		             *at == '\f' || (unsigned char)*at >= 0x80;

		/* Colours of grep. */
		if (*at == '\x1b' && strpbrk(at, "mK")) {
			at = strpbrk(at, "mK");
			continue;
		}
		/* Quotation marks of mail, at the start only. */
		if (to == line && (space || strchr(">|", *at)))
			continue;
		if (!space)
			*to++ = *at;
		else if (to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* States ------------------------------------------------------------------- */

static int
by_place(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = bdf_order(x->f.bdf, y->f.bdf);

	return order ? order : x->order < y->order ? -1 : 1;
}

/* Whether both show a register or byte that has changed. */
static bool
differ(const struct record *a, const struct record *b)
{
	const struct pci_registers *x = &a->f.registers, *y = &b->f.registers;
	size_t n = a->bytes < b->bytes ? a->bytes : b->bytes;

	for (unsigned reg = 0; reg < NREGISTERS; reg++) {
		if ((x->value[reg] ^ y->value[reg]) & x->seen[reg] &
		    y->seen[reg])
			return true;
	}
	return n && memcmp(a->config, b->config, n) != 0;
}

static void
free_record(struct record *r)
{
	free(r->f.driver);
	free(r->f.title);
	free(r->config);
	r->config = NULL;
}

/* Adds to a what only b shows; frees b. */
static void
complete(struct record *a, struct record *b)
{
	struct pci_function *f = &a->f;

	for (unsigned reg = 0; reg < NREGISTERS; reg++)
		learn(&f->registers, (enum pci_register)reg,
		      b->f.registers.seen[reg], b->f.registers.value[reg]);
	if (!*f->driver) {
		free(f->driver);
		f->driver = b->f.driver;
		b->f.driver = NULL;
	}
	if (!f->first_bus) {
		f->first_bus = b->f.first_bus;
		f->last_bus = b->f.last_bus;
	}
	if (!f->class_code || !*f->title) {
		free(f->title);
		f->title = b->f.title;
		f->class_code = b->f.class_code;
		b->f.title = NULL;
	}
	if (!f->vendor_id) {
		f->vendor_id = b->f.vendor_id;
		f->device_id = b->f.device_id;
	}
	if (b->bytes > a->bytes) {
		free(a->config);
		a->config = b->config;
		a->bytes = b->bytes;
		b->config = NULL;
	}
	a->has_list |= b->has_list;
	free_record(b);
}

/*
 * Numbers the states, from 1, in the records' segments: a new one begins with
 * the output of lspci in which a function differs from the output before.
 * Returns their number.
 */
static unsigned
number_states(struct listing *l)
{
	unsigned segments = l->n ? l->record[l->n - 1].segment + 1 : 0;
	unsigned *state = xcalloc(segments + 1, sizeof *state), n = 1;
	const struct record *words = NULL, *rows = NULL;

	if (l->n)
		qsort(l->record, l->n, sizeof *l->record, by_place);
	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->record[i];

		if (i && bdf_order(r[-1].f.bdf, r->f.bdf) != 0)
			words = rows = NULL;
		if ((words && differ(words, r)) || (rows && differ(rows, r)))
			state[r->segment] = 1;
		if (r->f.registers.seen[REG_LNKCAP])
			words = r;
		if (r->bytes)
			rows = r;
	}
	for (unsigned i = 0; i < segments; i++) {
		n += state[i];
		state[i] = n;
	}
	for (size_t i = 0; i < l->n; i++)
		l->record[i].segment = state[l->record[i].segment];
	free(state);
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

/* Moves the functions of one state into a tree; frees all others. */
static struct pci_tree *
collect(struct listing *l, unsigned state, FILE *rows)
{
	struct pci_tree *tree = xcalloc(1, sizeof *tree);
	struct record *kept = xcalloc(l->n + 1, sizeof *kept);
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct record *r = &l->record[i];

		if (r->segment != state)
			free_record(r);
		else if (n && !strcmp(kept[n - 1].f.bdf, r->f.bdf))
			complete(&kept[n - 1], r);
		else
			kept[n++] = *r;
	}
	tree->function = xcalloc(n + 1, sizeof *tree->function);
	for (; tree->n < n; tree->n++) {
		struct record *r = &kept[tree->n];
		struct pci_function *f = &r->f;

		if (r->bytes && rows)
			write_config(r, rows);
		free(r->config);
		f->pcie = pcie_cap_of_registers(&f->registers);
		if (r->has_list && !f->registers.seen[REG_FLAGS])
			f->pcie.port = PORT_NONE;
		f->link = pcie_cap_link(&f->pcie);
		tree->function[tree->n] = *f;
	}
	free(kept);
	free(l->record);
	return tree;
}

struct pci_tree *
listing_read(FILE *f, FILE *rows, unsigned *state)
{
	struct listing l = {0};
	char line[LINE_SIZE];
	size_t n = 0;
	unsigned states;
	struct pci_tree *tree;

	while (next_line(f, line, n)) {
		n = strcspn(line, "\r");
		line[n] = '\0';
		/* Mail: a long line goes on behind "=". */
		if (n > 60 && n < 1000 && line[n - 1] == '=' &&
		    line[n - 2] != '=') {
			n--;
			continue;
		}
		clean(line);
		read_line(&l, line);
		n = 0;
	}
	end_function(&l);
	states = number_states(&l);
	tree = collect(&l, *state ? *state : states, rows);
	*state = states;
	return tree;
}
