/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors: by counters, registers, while watched, and in the kernel's log. */
#include "common/doctor/doctor.h"

#include "common/sys/sysfs.h"

#include <inttypes.h>
#include <math.h>
#include <pci/pci.h>

/* Fewer errors may be chance; highest bit error rate of a good link. */
#define FEW           100
#define BIT_ERROR_MAX 1e-12

/* By the kernel's counters; while watched; in registers; ends that have any. */
enum { COUNTED, NEW, KEPT, ENDS, TEXTS };

/* Whose errors they are, as bits, most urgent first. */
enum { OF_LINK = 1, OF_ANSWER = 2, OF_PACKET = 4, OF_REQUEST = 8 };

struct errors {
	uintmax_t corrected, others; /* others: not receiver errors */
	double grown[2];             /* of the link: without and with ASPM */
	unsigned of;       /* not of few receiver errors, as training leaves */
	unsigned seen;     /* kinds, of which each is a bit */
	const char *at;    /* the end of the link, in words */
	char *text[TEXTS]; /* description; NULL: no errors */
};

/* The index of an error; ERROR_KINDS for others. */
static size_t
find_kind(const char *name)
{
	size_t i = 0;

	while (i < ERROR_KINDS && strcmp(name, error_kinds[i].name) != 0)
		i++;
	return i;
}

static unsigned
owner_of(const char *name)
{
	static const char *const link[] = {
	    "RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "DLP", "SDES"};
	static const char *const packet[] = {
	    "TLP",  "FCP",        "RxOF",         "MalfTLP",
	    "ECRC", "CorrIntErr", "UncorrIntErr", "HeaderOF"};

	if (find_word(name, link, ARRAY_LEN(link)) < ARRAY_LEN(link))
		return OF_LINK;
	if (find_word(name, packet, ARRAY_LEN(packet)) < ARRAY_LEN(packet))
		return OF_PACKET;
	/* A request got no answer: of the device asked, IOMMU or ACS. */
	return strcmp(name, "CmpltTO") ? OF_REQUEST : OF_ANSWER;
}

static void
add_error(struct errors *e, size_t kind, uintmax_t n)
{
	bool receiver = error_kinds[kind].bit == PCI_ERR_COR_RCVR;

	e->seen |= 1u << kind;
	if (!receiver || n >= FEW)
		e->of |= owner_of(error_kinds[kind].name);
	if (error_kinds[kind].reg == REG_CESTA)
		e->corrected += n;
	if (!receiver)
		e->others += n;
}

/* The counts of one of the kernel's files. */
static void
read_counters(struct errors *e, const struct pci_function *f, const char *file)
{
	char *text = read_whole("%s/%s", f->path, file);
	char *rest = text, *name;
	uint64_t n;

	while (aer_next(&rest, &name, &n)) {
		size_t kind = n ? find_kind(name) : ERROR_KINDS;

		if (kind == ERROR_KINDS)
			continue;
		add_error(e, kind, n);
		xappend(&e->text[COUNTED], ", ", "%s %ju%s", name, (uintmax_t)n,
		        e->at);
	}
	free(text);
}

/* The counts of a text, whose functions have no files. */
static void
read_facts(struct errors *e, const struct doctor *d,
           const struct pci_function *f)
{
	const struct facts *facts = &d->tree->facts;
	const struct fact *fact = facts_find(facts, f->bdf, FACT_ERROR);

	for (; fact; fact = facts_next(facts, fact)) {
		const char *count = strrchr(fact->value, ' ');
		char *name =
		    xasprintf("%.*s", (int)(count - fact->value), fact->value);
		size_t kind = find_kind(name);

		if (kind < ERROR_KINDS) {
			add_error(e, kind, strtoumax(count, NULL, 10));
			xappend(&e->text[COUNTED], ", ", "%s%s", fact->value,
			        e->at);
		}
		free(name);
	}
}

/* What is new, even if its counts have gone with the device. */
static void
add_new(struct errors *e, const struct doctor_watched *w)
{
	for (size_t i = 0; *w->kind[i].name; i++) {
		const char *all = w->kind[i].name, *dot = strchr(all, '.');
		const char *name = dot ? dot + 1 : "";
		const double *n = w->kind[i].n;
		size_t kind = find_kind(name);

		/* Not NonFatalErr: a request was refused. */
		if (!strncmp(all, "cor.", 4) && kind < ERROR_KINDS) {
			e->grown[0] += n[0];
			e->grown[1] += n[1];
		}
		xappend(&e->text[NEW], ", ", "%s %.0f%s", all, n[0] + n[1],
		        e->at);
		e->others += strcmp(name, "RxErr") != 0;
		e->of |= dot ? owner_of(name) : OF_LINK;
	}
}

/* More errors than the bit error rate of the specification explains. */
static bool
is_too_many(const struct pci_function *f, double errors, double seconds)
{
	struct link link = {
	    .bus = BUS_PCIE, .gen = f->pcie.gen, .lanes = f->pcie.lanes};

	return errors >= FEW && seconds > 0 && link.gen && link.gen <= 7 &&
	       link.lanes &&
	       errors > link_raw_gbit_s(&link) * 1e9 * seconds * BIT_ERROR_MAX;
}

/* What helps; `slot`: there is a card to reseat. */
static void
say_fix(struct doctor_finding *row, unsigned of, bool sleeps, bool slot)
{
	static const char *const fixes[] = {
	    "see the device that did not answer, the IOMMU ('journalctl -k "
	    "-g \"DMAR|AMD-Vi\"') and ACS, not the link",
	    "update the firmware of board and device, and the driver: packets "
	    "are wrong, not the link",
	    "journalctl -k may name the requests; see the driver, not the "
	    "link"};

	if (!(of & OF_LINK)) {
		doctor_say(&row->fix, "%s",
		           fixes[of & OF_ANSWER   ? 0
		                 : of & OF_PACKET ? 1
		                                  : 2]);
		return;
	}
	doctor_say(&row->fix,
	           sleeps ? "boot with pcie_aspm=off; if they come back, %s"
	                  : "%s",
	           slot ? RESEAT
	                : "update the firmware of board and device: there is "
	                  "no card to reseat");
	row->risk = sleeps ? "the machine uses more power"
	                   : "the machine is down meanwhile";
}

static void
say_errors(struct doctor *d, const struct pci_function *f,
           const struct pci_function *up, const struct errors *e)
{
	double grown = e->grown[0] + e->grown[1], rate = grown / d->watched_s;
	bool sleeps =
	    grown > 0 ? e->grown[1] > 0 : doctor_aspm(f) || doctor_aspm(up);
	bool before = is_too_many(f, (double)e->corrected, d->uptime_s);
	bool now = is_too_many(f, grown, d->watched_s);
	static const char many[] =
	    ": more than the specified bit error rate gives";
	bool tunnel = doctor_is_tunnel(f);
	/* Few may come from training, unless ASPM trains all the time. */
	enum sure sure =
	    before || now ? SURE_CERTAIN
	    : tunnel || (!e->others && e->corrected < FEW && !sleeps)
	        ? SURE_BY_DESIGN
	        : SURE_LIKELY;
	struct doctor_finding *row = doctor_add(
	    d, "errors", sure, tunnel ? "tunnel" : "training", f, "%s%s%s",
	    e->text[COUNTED] ? "errors since boot: " : "",
	    e->text[COUNTED] ? e->text[COUNTED] : "", before ? many : "");

	if (e->text[KEPT])
		xappend(&row->what, "; ", "errors in its registers: %s",
		        e->text[KEPT]);
	if (d->watched)
		xappend(&row->what, "; ", "while watched: %s",
		        e->text[NEW] ? e->text[NEW] : "none");
	if (grown > 0)
		xappend(&row->what, ", ",
		        "%.*f link errors a second, %.0f of %.0f with ASPM%s",
		        rate < 10 ? 4 : 0, rate, e->grown[1], grown,
		        now ? many : "");
	if (!e->text[COUNTED] && !e->text[NEW] && e->text[KEPT])
		doctor_say(
		    &row->verify,
		    "the bits stay from any time since boot: 'setpci "
		    "-s %s ECAP_AER+10.l=ffffffff' clears them; look again "
		    "under load",
		    doctor_short_bdf(f));
	else if (d->tree->sysfs)
		doctor_say(&row->verify,
		           "twice, under load: 'grep -v ' 0$' %s'",
		           e->text[ENDS]);
	if (sure == SURE_BY_DESIGN)
		return;
	doctor_say(&row->cost, e->corrected || grown > 0
	                           ? "each corrected error repeats packets"
	                           : "lost requests or data");
	say_fix(row, e->of, sleeps,
	        up ? doctor_may_have_slot(up)
	           : doctor_has_slot(f) || f->pcie.port == PORT_ENDPOINT ||
	                 f->pcie.port == PORT_UNSEEN);
}

/* Adds the errors of one end of a link; `at` names the end, or is "". */
static void
add_errors(struct errors *e, const struct doctor *d,
           const struct pci_function *f, const char *at)
{
	const struct doctor_watched *w =
	    d->watched ? &d->watched[f - d->tree->function] : NULL;

	e->seen = 0;
	e->at = at;
	if (d->tree->sysfs) {
		read_counters(e, f, "aer_dev_correctable");
		read_counters(e, f, "aer_dev_nonfatal");
		read_counters(e, f, "aer_dev_fatal");
	} else {
		read_facts(e, d, f);
	}
	/*
	 * Errors in status registers: the kernel counts none if error reporting
	 * is off, and clears those it has counted.
	 */
	for (size_t i = 0; i < ERROR_KINDS; i++) {
		if ((e->seen & 1u << i) ||
		    !(f->registers.value[error_kinds[i].reg] &
		      error_kinds[i].bit))
			continue;
		add_error(e, i, 1);
		xappend(&e->text[KEPT], ", ", "%s%s", error_kinds[i].name, at);
	}
	if (w)
		add_new(e, w);
	if (e->seen || (w && *w->kind[0].name))
		xappend(&e->text[ENDS], " ",
		        "/sys/bus/pci/devices/%s/aer_dev_*", f->bdf);
}

void
doctor_check_errors(struct doctor *d, const struct pci_function *f, bool first)
{
	const struct pci_function *up = doctor_port_above(f);
	const struct pci_function *below =
	    f->first_bus ? pci_next_below(d->tree, f, f) : NULL;
	struct errors e = {0}, before = {0};
	char *where = up ? xasprintf(" (at %s)", doctor_short_bdf(up)) : NULL;
	bool same = !first;

	if (!below || below->link.bus != BUS_PCIE)
		add_errors(&e, d, f, "");
	if (up && f->link.bus == BUS_PCIE && first)
		add_errors(&e, d, up, where);
	if (!first)
		add_errors(&before, d, f - 1, "");
	same &= !(e.seen & ~before.seen);
	for (size_t i = COUNTED; i <= NEW; i++)
		same &= !e.text[i] ||
		        (before.text[i] && !strcmp(e.text[i], before.text[i]));
	if (!e.text[NEW] && !e.of)
		e.of = OF_LINK;
	if (e.text[ENDS] && !same)
		say_errors(d, f, up, &e);
	for (size_t i = 0; i < TEXTS; i++) {
		free(before.text[i]);
		free(e.text[i]);
	}
	free(where);
}

/* What a log says of an end of a link, and how often. */
struct event {
	const char *what;
	const struct pci_function *at;
	size_t n;
};

/* Ends of a link of which a log tells: the device's functions, its port. */
struct ends {
	const struct pci_function *f[9];
	size_t n;
};

/* Whether a link went down by this event, came up (-1), or neither (0). */
static int
falls(const char *event)
{
	static const char *const downs[] = {"link down", "card not present"};
	static const char *const ups[] = {"link up", "card present"};

	return find_word(event, downs, 2) < 2 ? 1
	       : find_word(event, ups, 2) < 2 ? -1
	                                      : 0;
}

/* Whether it is all that a port says of errors, which other lines name. */
static bool
is_report(const char *event)
{
	return strstr(event, " error reported");
}

static unsigned
owner_of_event(const char *event)
{
	static const char *const others[] = {
	    "DPC took the link down", "retrained", "device inaccessible",
	    "GPU fell off the bus", "drive does not answer"};

	if (strstr(event, " error"))
		return strstr(event, "Physical") || strstr(event, "Data Link")
		           ? OF_LINK
		           : 0;
	return falls(event) || find_word(event, others, ARRAY_LEN(others)) <
	                           ARRAY_LEN(others)
	           ? 0
	           : owner_of(event);
}

/* `unplugs`: docks of Thunderbolt go while the machine runs. */
static bool
is_harmless(const struct event *e, bool unplugs)
{
	return falls(e->what) ||
	       (unplugs && !strcmp(e->what, "device inaccessible")) ||
	       (e->n < FEW && (!strcmp(e->what, "RxErr") ||
	                       (!strncmp(e->what, "Correct", 7) &&
	                        strstr(e->what, "Physical"))));
}

static bool
has_events(const struct doctor *d, const struct pci_function *f)
{
	return facts_find(&d->tree->facts, f->bdf, FACT_EVENT);
}

/* The first function of a device of which the log tells. */
static const struct pci_function *
first_of(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *first = f;

	while (f > d->tree->function && bdf_same_device(f->bdf, f[-1].bdf)) {
		if (has_events(d, --f))
			first = f;
	}
	return first;
}

/* The port above, by the tree or by the log, in which function 0 has it. */
static const struct pci_function *
port_of(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	struct bdf_numbers at = bdf_split(f->bdf);
	char zero[BDF_MAX];
	const struct fact *port;

	if (up)
		return up;
	snprintf(zero, sizeof zero, "%04x:%02x:%02x.0", at.domain, at.bus,
	         at.device);
	port = facts_find(&d->tree->facts, zero, FACT_PORT);
	return port ? pci_find(d->tree, port->value) : NULL;
}

/*
 * For each port below which a log tells of a device, the device's first such
 * function; the port itself, if it tells of several devices.
 */
static void
find_tellers(struct doctor *d)
{
	const struct pci_tree *tree = d->tree;

	d->teller = xcalloc(tree->n, sizeof *d->teller);
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i], **below;
		const struct pci_function *port =
		    has_events(d, f) ? port_of(d, f) : NULL;

		if (!port)
			continue;
		below = &d->teller[port - tree->function];
		if (!*below)
			*below = f;
		else if (!bdf_same_device((*below)->bdf, f->bdf))
			*below = port;
	}
}

/* The function that tells the events of the link that f is an end of. */
static const struct pci_function *
teller_of(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *below = d->teller[f - d->tree->function];

	return below && below != f ? below : first_of(d, f);
}

static struct ends
find_ends(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *end = d->tree->function + d->tree->n;
	const struct pci_function *port = port_of(d, f), *g = f;
	struct ends ends = {.n = 0};

	for (; g < end && ends.n < 8 && bdf_same_device(f->bdf, g->bdf); g++) {
		if (has_events(d, g))
			ends.f[ends.n++] = g;
	}
	if (port && has_events(d, port) && teller_of(d, port) == f)
		ends.f[ends.n++] = port;
	return ends;
}

/* The kinds of events of a link, and their number. */
static struct event *
count_events(const struct doctor *d, const struct ends *ends, size_t *n)
{
	const struct facts *facts = &d->tree->facts;
	struct event *event = NULL;

	*n = 0;
	for (size_t k = 0; k < ends->n; k++) {
		const struct pci_function *at = ends->f[k];
		const struct fact *fact =
		    facts_find(facts, at->bdf, FACT_EVENT);
		size_t first = *n;

		for (; fact; fact = facts_next(facts, fact)) {
			size_t i = first;

			while (i < *n &&
			       strcmp(event[i].what, fact->value) != 0)
				i++;
			if (i == *n)
				array_push(event, *n,
				           (struct event){fact->value, at, 0});
			event[i].n++;
		}
	}
	return event;
}

/* Whether the last that a log says of the link is that it went down. */
static bool
is_down(const struct doctor *d, const struct pci_function *f)
{
	const struct facts *facts = &d->tree->facts;
	const struct fact *fact = facts_find(facts, f->bdf, FACT_EVENT);
	int down = 0;

	for (; fact; fact = facts_next(facts, fact))
		down = falls(fact->value) ? falls(fact->value) : down;
	return down > 0 &&
	       !(f->registers.value[REG_LNKSTA] & PCI_EXP_LNKSTA_DL_ACT);
}

void
doctor_say_signal(struct doctor_finding *row, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);

	say_fix(row, OF_LINK, false, true);
	if (up)
		xappend(&row->fix, "; ",
		        "to test, lower its speed once: 'setpci -s %s "
		        "CAP_EXP+30.w=1:f CAP_EXP+10.w=20:20'",
		        doctor_short_bdf(up));
	else
		xappend(&row->fix, "; ",
		        "to test, a lower link speed in firmware setup%s",
		        f->registers.seen[REG_LNKCTL] && !doctor_aspm(f)
		            ? ""
		            : ", or boot with pcie_aspm=off");
	doctor_say(&row->verify,
	           "whether they come back, under load: 'pcb-collect link "
	           "--time 10min'");
}

/* What events mean, and what to do. */
static void
say_events(struct doctor_finding *row, const struct pci_function *f,
           unsigned of)
{
	static const char *const meaning[] = {
	    [OF_LINK] = "the signal of its link",
	    [OF_ANSWER] = "a request without answer, not its link",
	    [OF_PACKET] = "wrong packets, not the signal of its link",
	    [OF_REQUEST] = "refused requests, not the signal of its link"};

	if (!of) {
		doctor_say(&row->fix,
		           "name the errors: 'dmesg | grep -A5 \"PCIe Bus "
		           "Error\"'");
		return;
	}
	xappend(&row->what, "; ", "they point to %s", meaning[of & -of]);
	if (of & OF_LINK)
		doctor_say_signal(row, f);
	else
		say_fix(row, of, false, false);
}

/* Time from the first to the last event, s; NaN: not known. */
static double
duration_of(const struct doctor *d, const struct ends *ends)
{
	double first = NAN, last = NAN;

	for (size_t i = 0; i < ends->n; i++) {
		const struct facts *facts = &d->tree->facts;
		const char *bdf = ends->f[i]->bdf;

		first = fmin(first, facts_find(facts, bdf, FACT_EVENT)->time_s);
		last = fmax(
		    last, facts_last(facts, bdf, FACT_EVENT, FROM_LOG)->time_s);
	}
	return last - first;
}

/* What the events of a link are together; free the text, or NULL. */
struct sum {
	char *text;
	unsigned of;
	bool harmless, fell, gone, drive;
};

static struct sum
sum_up(const struct event *event, size_t n, const struct pci_function *f,
       bool unplugs)
{
	struct sum sum = {.harmless = true};
	bool named = false;
	size_t ups = 0;

	for (size_t i = 0; i < n; i++) {
		named |= strstr(event[i].what, " error,") ||
		         owner_of_event(event[i].what);
		ups += falls(event[i].what) < 0;
	}
	for (size_t i = 0; i < n && ups < n; i++) {
		const struct event *e = &event[i];

		if (named && is_report(e->what))
			continue;
		xappend(&sum.text, "; ", "%s (%zu%s%s)", e->what, e->n,
		        e->at == f ? "" : " at ",
		        e->at == f ? "" : doctor_short_bdf(e->at));
		sum.of |= owner_of_event(e->what);
		sum.fell |= !strncmp(e->what, "GPU fell", 8);
		sum.gone |= !strcmp(e->what, "device inaccessible");
		sum.drive |= !strncmp(e->what, "drive", 5);
		sum.harmless &= is_harmless(e, unplugs);
	}
	return sum;
}

void
doctor_check_events(struct doctor *d, const struct pci_function *f)
{
	bool tunnel, unplugs, down = false, likely;
	struct ends ends;
	struct event *event;
	struct sum sum;
	struct doctor_finding *row;
	double duration;
	size_t n;

	if (!has_events(d, f))
		return;
	if (!d->teller)
		find_tellers(d);
	if (teller_of(d, f) != f)
		return;
	tunnel = doctor_is_tunnel(f);
	unplugs = tunnel || d->tree->facts.log.tunnels;
	ends = find_ends(d, f);
	for (size_t i = 0; i < ends.n && !unplugs; i++)
		down |= is_down(d, ends.f[i]);
	event = count_events(d, &ends, &n);
	sum = sum_up(event, n, f, unplugs);
	free(event);
	if (!sum.text)
		return;
	likely = down || (!tunnel && !sum.harmless);
	row = doctor_add(d, "errors", likely ? SURE_LIKELY : SURE_BY_DESIGN,
	                 unplugs ? "tunnel" : "training", f,
	                 "in the kernel's log: %s", sum.text);
	free(sum.text);
	duration = duration_of(d, &ends);
	if (duration > 0)
		xappend(&row->what, "", ", within %.0f s", ceil(duration));
	if (down)
		xappend(&row->what, "; ", "the link did not come up again");
	if (sum.fell)
		doctor_say(&row->fix, "its power cables, supply and "
		                      "temperature; or " RESEAT);
	else if (sum.drive)
		doctor_say(&row->fix,
		           "boot with 'nvme_core.default_ps_max_latency_us=0 "
		           "pcie_aspm=off'; if that does not help, " RESEAT);
	else if ((down || sum.gone) && likely)
		doctor_say(&row->fix, FIX_GONE);
	else if (likely)
		say_events(row, f, sum.of);
}
