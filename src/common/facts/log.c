/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of the kernel's log: what limits a path at boot, and errors. */
#include "common/base/util.h"
#include "common/facts/facts.h"
#include "common/facts/paste.h"

#include <ctype.h>
#include <math.h>

/* Mail wraps a line into at most so many more. */
#define PIECES 3

/* What the kernel says of a device whose path is below its capability. */
#define AVAILABLE " Gb/s available PCIe bandwidth"

/* What the kernel calls an error, and what it did before version 5. */
static const char *const errors[][2] = {
    {"RxErr", "Receiver Error"},
    {"BadTLP", "Bad TLP"},
    {"BadDLLP", "Bad DLLP"},
    {"Rollover", "RELAY_NUM Rollover"},
    {"Timeout", "Replay Timer Timeout"},
    {"NonFatalErr", "Advisory Non-Fatal"},
    {"CorrIntErr", "Corrected Internal Error"},
    {"HeaderOF", "Header Log Overflow"},
    {"DLP", "Data Link Protocol"},
    {"SDES", "Surprise Down Error"},
    {"TLP", "Poisoned TLP"},
    {"FCP", "Flow Control Protocol"},
    {"CmpltTO", "Completion Timeout"},
    {"CmpltAbrt", "Completer Abort"},
    {"UnxCmplt", "Unexpected Completion"},
    {"RxOF", "Receiver Overflow"},
    {"MalfTLP", "Malformed TLP"},
    {"ECRC", "ECRC"},
    {"UnsupReq", "Unsupported Request"},
    {"ACSViol", "ACS Violation"},
    {"UncorrIntErr", "Uncorrectable Internal Error"},
    {"BlockedTLP", "MC Blocked TLP"},
    {"AtomicOpBlocked", "AtomicOp Egress Blocked"},
    {"TLPBlockedErr", "TLP Prefix Blocked Error"},
    {"PoisonTLPBlocked", "Poison TLP Blocked"},
};

/* Whether a bracket holds a time of day: "[Fri Aug 29 20:09:52 2025]". */
static bool
has_clock(const char *text, const char *end)
{
	const char *colon = memchr(text, ':', (size_t)(end - text));

	return colon && colon - text > 3 && colon[-3] == ' ' &&
	       isdigit((unsigned char)colon[-1]) &&
	       isdigit((unsigned char)colon[1]);
}

/*
 * The time of "[ 12.345678]", which it moves *text behind; NaN without, or for
 * the stamps of dmesg -T and -H: a time of day, or since the last line.
 */
static double
skip_stamp(const char **text)
{
	const char *at = strchr(*text, '['), *close;
	char *end;
	double time;

	for (; at && at - *text < 80; at = strchr(at + 1, '[')) {
		time = strtod(at + 1, &end);
		if (end - at > 8 && end[-7] == '.' && *end == ']') {
			*text = end + 1;
			return at[1 + strspn(at + 1, " ")] == '+' ? (double)NAN
			                                          : time;
		}
	}
	close = **text == '[' ? strchr(*text, ']') : NULL;
	if (close && close - *text < 40 && has_clock(*text, close))
		*text = close + 1;
	return (double)NAN;
}

/*
 * The message of a line of the log, without stamps, host and thread; NULL if
 * the line has no stamp. *time is NaN if the stamp is no time since boot; *host
 * is the end of the host's name, or NULL.
 */
static const char *
message_of(const char *line, double *time, const char **host)
{
	const char *text = line, *kernel = strstr(line, " kernel: ");

	*time = skip_stamp(&text);
	*host = NULL;
	if (kernel && kernel - line < 80 && kernel >= text)
		text = kernel + strlen(" kernel: ");
	else if (text == line)
		return NULL;
	if (kernel && kernel - line < 80)
		*host = kernel;
	text += strspn(text, " ");
	/* "[ T190] ", "[T24615] ", "[   C12] " or "[3953] " */
	if (*text == '[' && text[1 + strspn(text + 1, " TC0123456789")] == ']')
		text = strchr(text, ']') + 1;
	return text + strspn(text, " ");
}

/* The BDF that ends before `end` in a text; false if none does. */
static bool
bdf_before(const char *text, const char *end, char bdf[BDF_MAX])
{
	const char *at = end, *service;
	char word[BDF_MAX] = "";

	while (at > text && at[-1] != ' ')
		at--;
	/* Of a port, before version 5: "0000:00:1c.4:pcie004". */
	service = memmem(at, (size_t)(end - at), ":pcie", 5);
	end = service ? service : end;
	if (end - at >= BDF_MAX || end - at < 12)
		return false;
	memcpy(word, at, (size_t)(end - at));
	return parse_bdf(word, bdf);
}

/* The function of a message "pcieport 0000:00:1c.0: ...", and the rest. */
static const char *
function_of(const char *text, char bdf[BDF_MAX])
{
	const char *colon = text;

	while ((colon = strstr(colon, ": ")) && colon - text < 60) {
		if (bdf_before(text, colon, bdf))
			return colon + 2;
		colon++;
	}
	return NULL;
}

/* "8.0 GT/s PCIe x4 link", whose PCIe older kernels lack. */
static const char *
link_in(const char *text, unsigned *gen, unsigned *lanes)
{
	char *end;

	*gen = facts_gen(strtod(text, &end));
	if (strncmp(end, " GT/s ", 6) != 0)
		return NULL;
	end += strncmp(end, " GT/s PCIe ", 11) != 0 ? 6 : 11;
	if (!*gen || *end != 'x')
		return NULL;
	*lanes = (unsigned)strtoul(end + 1, &end, 10);
	/* A broken one reads 63. */
	return *lanes && *lanes < 64 && !strncmp(end, " link", 5) ? end + 5
	                                                          : NULL;
}

/* Whether such a link carries so much by the kernel's arithmetic. */
static bool
carries(unsigned gen, unsigned lanes, double gbit_s)
{
	static const double lane[] = {0, 2, 4, 7.877, 15.754, 31.508, 63.015};
	double expected = gen < ARRAY_LEN(lane) ? lane[gen] * lanes : gbit_s;

	/* It has counted 64 GT/s in two ways. */
	return fabs(gbit_s / expected - 1) < (gen > 5 ? .02 : .001);
}

/* False if the message is not complete. */
static bool
take_limit(struct facts *facts, const char *text, double time)
{
	const char *at = strstr(text, AVAILABLE), *rest;
	const char *number = memrchr(text, ' ', (size_t)(at - text));
	unsigned gen, lanes, max_gen, max_lanes;
	char bdf[BDF_MAX], port[BDF_MAX] = "";
	double most;

	/* "0000:03:00.0: 31.504" */
	if (!number || number == text || !bdf_before(text, number - 1, bdf))
		return true;
	rest = at + strlen(AVAILABLE);
	/* Of some drivers, if nothing limits: "(8.0 GT/s PCIe x4 link)". */
	if (!strncmp(rest, " (", 2)) {
		if (!link_in(rest + 2, &gen, &lanes))
			return !*rest;
		facts_add_logged(facts, bdf, FACT_LIMIT, time, "none");
		return true;
	}
	if (strncmp(rest, ", limited by ", 13) != 0 ||
	    !(rest = link_in(rest + 13, &gen, &lanes)) ||
	    strncmp(rest, " at ", 4) != 0)
		return false;
	rest += 4;
	at = strchr(rest, ' ');
	if (!at || strncmp(at, " (capable of", 12) != 0)
		return false;
	most = strtod(at + 12, NULL);
	if (!(at = strstr(at, " with ")) ||
	    !link_in(at + 6, &max_gen, &max_lanes))
		return false;
	if (!carries(gen, lanes, strtod(number, NULL)) ||
	    !carries(max_gen, max_lanes, most))
		return true;
	bdf_before(rest, strchr(rest, ' '), port);
	facts_add_logged(facts, bdf, FACT_LIMIT, time,
	                 "gen%ux%u at %s of gen%ux%u", gen, lanes,
	                 *port ? port : "?", max_gen, max_lanes);
	if (max_lanes > 32)
		return true;
	facts_add_logged(facts, bdf, FACT_MAX_GEN, time, "%u", max_gen);
	facts_add_logged(facts, bdf, FACT_MAX_LANES, time, "%u", max_lanes);
	return true;
}

/* Function 0 of a device has the port above it, which is on a lower bus. */
static void
add_port(struct facts *facts, const char *bdf, const char *port, double time)
{
	struct bdf_numbers below = bdf_split(bdf), above = bdf_split(port);
	char zero[BDF_MAX];

	if (!*port || below.domain != above.domain || below.bus <= above.bus)
		return;
	snprintf(zero, sizeof zero, "%.*s.0", (int)strcspn(bdf, "."), bdf);
	facts_add_logged(facts, zero, FACT_PORT, time, "%s", port);
}

/* "PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)" */
static bool
take_error(struct facts *facts, const char *text, double time)
{
	const char *at = strstr(text, "PCIe Bus Error: severity=");
	const char *severity = at + strlen("PCIe Bus Error: severity=");
	const char *type = strstr(severity, "type=");
	static const char *const layers[] = {
	    "Physical Layer", "Data Link Layer", "Transaction Layer",
	    "Inaccessible"};
	struct fact_log *log = &facts->log;
	size_t i = 0;
	char bdf[BDF_MAX];

	if (!function_of(text, bdf))
		return true;
	for (i = 0; type && i < ARRAY_LEN(layers); i++) {
		if (!strncmp(type + 5, layers[i], strlen(layers[i])))
			break;
	}
	if (!type || i == ARRAY_LEN(layers))
		return false;
	/* One message for a port and a device below it, line by line. */
	if (fabs(time - log->erred) < 1e-4)
		add_port(facts, bdf, log->errs, time);
	if (!strncmp(text, "pcieport ", 9)) {
		memcpy(log->errs, bdf, sizeof bdf);
		log->erred = time;
	}
	facts_add_logged(facts, bdf, FACT_EVENT, time, "%.*s error, %s",
	                 (int)strcspn(severity, ","), severity, layers[i]);
	return true;
}

/* "[8086:1533] type 00 class 0x020000 PCIe Endpoint" */
static void
take_type(struct facts *facts, const char *bdf, const char *text, double time)
{
	char *end;
	unsigned long vendor, device, type, class;

	if (*text != '[')
		return;
	vendor = strtoul(text + 1, &end, 16);
	if (*end != ':')
		return;
	device = strtoul(end + 1, &end, 16);
	if (strncmp(end, "] type ", 7) != 0)
		return;
	type = strtoul(end + 7, &end, 16);
	if (strncmp(end, " class 0x", 9) != 0 || type > 1)
		return;
	class = strtoul(end + 9, &end, 16);
	facts_add_logged(facts, bdf, FACT_VENDOR, time, "0x%04lx",
	                 vendor & 0xffff);
	facts_add_logged(facts, bdf, FACT_DEVICE, time, "0x%04lx",
	                 device & 0xffff);
	facts_add_logged(facts, bdf, FACT_CLASS, time, "0x%06lx",
	                 class & 0xffffff);
	if (!strncmp(end, " PCIe ", 6))
		facts_add_logged(facts, bdf, FACT_KIND, time, "%s", end + 6);
}

/* "[ 6] BadTLP (First)", in some versions behind "AER: "; or NULL. */
static const char *
error_in(const char *text)
{
	size_t n;

	text += strncmp(text, "AER: ", 5) ? 0 : 5;
	if (*text != '[')
		return NULL;
	text += 1 + strspn(text + 1, " ");
	n = strspn(text, "0123456789");
	if (!n || n > 2 || strncmp(text + n, "] ", 2) != 0)
		return NULL;
	text += n + 2;
	for (size_t i = 0; i < 2 * ARRAY_LEN(errors); i++) {
		const char *name = errors[i / 2][i % 2];

		n = strlen(name);
		if (!strncmp(text, name, n) &&
		    (!text[n] || !strncmp(text + n, " (", 2)))
			return errors[i / 2][0];
	}
	return NULL;
}

/* What happened to a link. */
static const char *
event_in(const char *text)
{
	static const struct {
		const char *words, *event;
		bool slot; /* "Slot(3): " is before or behind it */
	} events[] = {
	    {"DPC: containment event", "DPC took the link down", false},
	    {"broken device, retraining", "retrained", false},
	    {"device inaccessible", "device inaccessible", false},
	    {"Link Down/Up ignored", "link up", true}, /* DPC did it */
	    {"Link Down", "link down", true},
	    {"Link Up", "link up", true},
	    {"Card not present", "card not present", true},
	    {"Card present", "card present", true},
	};

	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		if (strstr(text, events[i].words) &&
		    (!events[i].slot || strcasestr(text, "slot(")))
			return events[i].event;
	}
	return NULL;
}

/* "PCI bridge to [bus 03]" */
static void
take_bridge(struct facts *facts, const char *port, const char *text,
            double time)
{
	static const char words[] = "PCI bridge to [bus ";
	bool begins = !strncmp(text, words, strlen(words));
	unsigned bus = begins ? hex_byte(text + strlen(words)) : NO_BYTE;
	char below[BDF_MAX];

	if (bus == NO_BYTE)
		return;
	snprintf(below, sizeof below, "%.*s:%02x:00.0", (int)strcspn(port, ":"),
	         port, bus);
	add_port(facts, below, port, time);
}

/*
 * "AER: Multiple Corrected error received: 0000:02:00.0", or "id=0200", or
 * "error message received from 0000:02:00.0", by a port: what is often all that
 * grep leaves. False if it is none.
 */
static bool
take_report(struct facts *facts, const char *port, const char *text,
            double time)
{
	const char *from = strstr(text, " received"), *end;
	char bdf[BDF_MAX], word[BDF_MAX];
	struct bdf_numbers at = bdf_split(port);
	unsigned id;

	if (strncmp(text, "AER: ", 5) != 0 || !from)
		return false;
	text += strncmp(text + 5, "Multiple ", 9) ? 5 : 14;
	end = strstr(text, " error ");
	if (!end ||
	    (strncmp(text, "Corr", 4) != 0 && strncmp(text, "Uncorr", 6) != 0))
		return false;
	from += strlen(" received");
	from += strspn(from, ": from");
	snprintf(word, sizeof word, "%.*s", (int)strcspn(from, " "), from);
	if (!strncmp(from, "id=", 3)) {
		id = (unsigned)strtoul(from + 3, NULL, 16);
		snprintf(word, sizeof word, "%04x:%02x:%02x.%x", at.domain,
		         id >> 8 & 0xff, id >> 3 & 0x1f, id & 7);
	}
	/* Some ports do not know who; a made-up domain has other buses. */
	if (!parse_bdf(word, bdf) || !strcmp(bdf, "0000:00:00.0") ||
	    at.domain > 0xffff)
		snprintf(bdf, sizeof bdf, "%s", port);
	else
		add_port(facts, bdf, port, time);
	facts_add_logged(facts, bdf, FACT_EVENT, time, "%.*s error reported",
	                 (int)(end - text), text);
	return true;
}

/* Whether one of the last facts is this event. */
static bool
was_told(const struct facts *facts, const char *bdf, const char *event)
{
	size_t first = facts->n > 16 ? facts->n - 16 : 0;

	for (size_t i = facts->n; i-- > first;) {
		if (!strcmp(facts->item[i].bdf, bdf) &&
		    !strcmp(facts->item[i].value, event))
			return true;
	}
	return false;
}

/* The GPU that a message names: "GPU 0000:41:00.0:", "Xid (PCI:0000:41:00)". */
static bool
gpu_of(const char *text, char bdf[BDF_MAX])
{
	char word[BDF_MAX];

	for (size_t n; *text; text += n) {
		text += strspn(text, " (");
		text += strncmp(text, "PCI:", 4) ? 0 : 4;
		n = strcspn(text, " )");
		snprintf(word, sizeof word, "%.*s%s",
		         (int)(n && text[n - 1] == ':' ? n - 1 : n), text,
		         memchr(text, '.', n) ? "" : ".0");
		if (n >= strlen("0000:41:00") && parse_bdf(word, bdf))
			return true;
		text += text[n] != '\0';
	}
	return false;
}

/*
 * "Xid (PCI:0000:41:00): 79, ..., GPU has fallen off the bus.", which "GPU
 * 0000:41:00.0: GPU has fallen off the bus." may repeat; or three lines "The
 * NVIDIA GPU 0000:41:00.0", "(PCI ID: ...) installed in this system has" and
 * "fallen off the bus ...".
 */
static void
take_fall(struct facts *facts, const char *text, double time)
{
	static const char event[] = "GPU fell off the bus";
	struct fact_log *log = &facts->log;
	bool named = gpu_of(text, log->gpu) || *log->gpu;

	if (named &&
	    (strstr(text, "): 79,") || strstr(text, "fallen off the bus")) &&
	    !was_told(facts, log->gpu, event))
		facts_add_logged(facts, log->gpu, FACT_EVENT, time, "%s",
		                 event);
}

/*
 * "nvme nvme0: pci function 0000:03:00.0", then perhaps "nvme nvme0: controller
 * is down; will reset: CSTS=0xffffffff": the drive reads as ones.
 */
static void
take_nvme(struct facts *facts, const char *text, double time)
{
	char *end, word[BDF_MAX];
	unsigned long n = strtoul(text, &end, 10);
	char *bdf = n < 16 ? facts->log.nvme[n] : NULL;

	if (!bdf || end == text)
		return;
	if (!strncmp(end, ": pci function ", 15)) {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(end + 15, " "),
		         end + 15);
		if (!parse_bdf(word, bdf))
			*bdf = '\0';
	} else if (!strstr(end, "CSTS=0xffffffff")) {
		return;
	} else if (!*bdf) {
		facts->log.lost = true;
	} else {
		facts_add_logged(facts, bdf, FACT_EVENT, time,
		                 "drive does not answer");
	}
}

static void
take_message(struct facts *facts, const char *text, double time)
{
	struct fact_log *log = &facts->log;
	char bdf[BDF_MAX];
	const char *rest = function_of(text, bdf), *event;

	log->tunnels |= !strncmp(text, "thunderbolt ", 12) ||
	                !strncmp(text, "ACPI: USB4 ", 11);
	if (!strncmp(text, "iommu: Default domain type: ", 28))
		log->iommu = strncmp(text + 28, "Translated", 10) != 0
		                 ? IOMMU_PASSES
		                 : IOMMU_TRANSLATES;
	/* Not "VF BAR 0 [...]: contains BAR 0 for 16 VFs". */
	log->virtual |= strstr(text, " VFs") && !strstr(text, "contains ");
	if (!strncmp(text, "NVRM: ", 6))
		take_fall(facts, text, time);
	if (!strncmp(text, "nvme nvme", 9))
		take_nvme(facts, text + 9, time);
	if (!rest)
		return;
	memcpy(log->last, bdf, sizeof bdf);
	if (!log->virtual)
		take_type(facts, bdf, rest, time);
	take_bridge(facts, bdf, rest, time);
	/* The kernel asks those below the port. */
	if (strstr(rest, "no AER-aware driver") ||
	    strstr(rest, "no error_detected callback"))
		add_port(facts, bdf, log->errs, time);
	event = error_in(rest);
	if (!event && !take_report(facts, bdf, rest, time))
		event = event_in(rest);
	if (event && log->lost && !strncmp(text, "nvme ", 5)) {
		event = "drive does not answer";
		log->lost = false;
	}
	if (event)
		facts_add_logged(facts, bdf, FACT_EVENT, time, "%s", event);
}

/* Whether mail has wrapped one about a limit: "pci 0000:03:00.0: 31.504". */
static bool
begins_limit(const char *text)
{
	char bdf[BDF_MAX], *end;
	const char *rest = function_of(text, bdf);

	if (!rest || !isdigit((unsigned char)*rest))
		return false;
	strtod(rest, &end);
	end += *end == ' ';
	return !*end || !strncmp(end, "Gb/s", 4);
}

/* False if a message that continues in the next line is not complete. */
static bool
take_whole(struct facts *facts, const char *text, double time)
{
	if (strstr(text, AVAILABLE))
		return take_limit(facts, text, time);
	if (begins_limit(text))
		return false;
	return !strstr(text, "PCIe Bus Error: severity=") ||
	       take_error(facts, text, time);
}

/* Of a message that never ended: of an error, its severity counts. */
static void
give_up(struct facts *facts)
{
	struct fact_log *log = &facts->log;
	const char *severity = strstr(log->pending, "severity=");
	char bdf[BDF_MAX];

	if (!*log->pending)
		return;
	if (severity && function_of(log->pending, bdf)) {
		severity += strlen("severity=");
		facts_add_logged(facts, bdf, FACT_EVENT, log->time,
		                 "%.*s error", (int)strcspn(severity, ","),
		                 severity);
	}
	log->cut = true;
	*log->pending = '\0';
}

/* The message of a line without stamp: as of dmesg -t; NULL: none is known. */
static const char *
unstamped(const char *line)
{
	const char *driver = strstr(line, "NVRM: "), *rest;
	char bdf[BDF_MAX];

	if (driver)
		return driver;
	if (strstr(line, AVAILABLE) ||
	    strstr(line, ": PCIe Bus Error: severity="))
		return line;
	rest = function_of(line, bdf);
	return rest && (error_in(rest) || event_in(rest) ||
	                !strncmp(rest, "AER: ", 5))
	           ? line
	           : NULL;
}

/* Two hosts: not what a machine is called while it starts, nor "kern.info". */
static void
take_host(struct fact_log *log, const char *line, const char *end)
{
	static const char *const early[] = {"localhost", "(none)", "fedora",
	                                    "debian",    "ubuntu", "archlinux",
	                                    "nixos",     "linux",  "buildroot"};
	const char *at = end;
	char host[sizeof log->host];

	while (at > line && at[-1] != ' ')
		at--;
	snprintf(host, sizeof host, "%.*s", (int)(end - at), at);
	if (strpbrk(host, ":]") || !isalnum((unsigned char)*host) ||
	    !strncmp(host, "kern.", 5) ||
	    find_word(host, early, ARRAY_LEN(early)) < ARRAY_LEN(early))
		return;
	if (!*log->host)
		memcpy(log->host, host, sizeof host);
	else if (strcasecmp(log->host, host) != 0)
		memcpy(log->other, host, sizeof host);
}

bool
facts_take_log(struct facts *facts, const char *line)
{
	struct fact_log *log = &facts->log;
	char bdf[BDF_MAX];
	double time;
	const char *host, *text = message_of(line, &time, &host);

	log->stamped = text;
	if (!text && *log->pending && *line) {
		size_t n = strlen(log->pending);
		bool whole = false;

		/* Cut at the width of a screen, or wrapped at a blank. */
		for (size_t blank = 0; blank < 2 && !whole; blank++) {
			snprintf(log->pending + n, sizeof log->pending - n,
			         "%s%s", blank ? " " : "", line);
			whole = take_whole(facts, log->pending, log->time);
		}
		if (whole)
			*log->pending = '\0';
		else if (++log->pieces == PIECES)
			give_up(facts);
		return true;
	}
	give_up(facts);
	if (!text)
		text = unstamped(line);
	if (!text) {
		/* Somebody has left lines out. */
		log->cut |= log->begun && strlen(line) < 20 &&
		            (strstr(line, "...") || strcasestr(line, "snip"));
		return false;
	}
	if (host)
		take_host(log, line, host);
	if (!strncmp(text, "Linux version ", 14))
		log->boot = facts->n;
	else if (!log->begun)
		log->cut = true;
	log->begun = true;
	log->time = time;
	take_message(facts, text, time);
	if (!take_whole(facts, text, time)) {
		snprintf(log->pending, sizeof log->pending, "%s", text);
		log->pieces = 0;
	}
	/* Some print the output of lspci to the log, too. */
	return *log->pending || function_of(text, bdf);
}

/* Whether the kernel speaks of such a function if something limits it. */
static bool
is_reported(const char *bdf, const char *kind)
{
	struct bdf_numbers at = bdf_split(bdf);

	return (!strcmp(kind, "Endpoint") || !strcmp(kind, "Legacy Endpoint") ||
	        !strcmp(kind, "Switch Upstream Port")) &&
	       !at.function && (!at.device || !at.bus);
}

/* Whether a device has come back: what is asked is its path at boot. */
static bool
is_again(const struct facts *facts, size_t i)
{
	const struct fact *f = &facts->item[i];

	return i && f[-1].kind == f->kind && !strcmp(f[-1].bdf, f->bdf);
}

void
facts_end_log(struct facts *facts)
{
	struct fact_log *log = &facts->log;
	size_t n = facts->n;

	give_up(facts);
	if (!log->begun || log->cut)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct facts before = {.item = facts->item, .n = n};
		const struct fact f = facts->item[i];

		/* The next line might have been of the last one. */
		if (f.kind == FACT_KIND && !is_again(facts, i) &&
		    is_reported(f.bdf, f.value) &&
		    strcmp(f.bdf, log->last) != 0 &&
		    !facts_find(&before, f.bdf, FACT_LIMIT))
			facts_add_logged(facts, f.bdf, FACT_LIMIT, f.time_s,
			                 "none");
	}
}
