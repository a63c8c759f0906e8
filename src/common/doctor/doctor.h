/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks PCI functions and the path to them; changes nothing. */
#ifndef PCB_COMMON_DOCTOR_DOCTOR_H
#define PCB_COMMON_DOCTOR_DOCTOR_H

#include "common/base/util.h"
#include "common/pci/path.h"

/* What helps if a contact is bad, and if a device is off the bus. */
#define RESEAT   "power off and reseat the card, its riser or cable"
#define FIX_GONE "journalctl -k may say why; " RESEAT

/* Functions that a row lists. */
#define LISTED 8

/* Certainty of a finding; by design means that nothing is wrong. */
enum sure { SURE_BY_DESIGN, SURE_LIKELY, SURE_CERTAIN };
extern const char *const doctor_sure_names[];

/* One finding; unused texts are "". */
struct doctor_finding {
	const char *check; /* its name, such as "link_width" */
	enum sure sure;
	const char *reason;   /* for by design, such as "idle" */
	char device[BDF_MAX]; /* "": the whole machine */
	char *what;
	char *cost;
	double now_gbit_s, could_gbit_s; /* by the model; NaN: none */
	char *fix, *verify;              /* commands */
	const char *risk;                /* of `fix` */
};

/* Zero-initialise; release with doctor_findings_free. */
struct doctor_findings {
	struct doctor_finding *row;
	size_t n, certain;
	/* What to paste for a link without finding, seen at one end; or NULL.
	 */
	char *missing;
};

/* What a function showed while it was watched. */
struct doctor_watched {
	/* New errors, without and with ASPM: "cor.BadTLP" 5; "" ends them. */
	struct {
		char name[32];
		double n[2];
	} kind[48];
	unsigned lanes; /* at its best */
	bool gone;      /* from the machine, in the end */
};

/* In what a device differs from most of its kind: best is one of these n. */
enum {
	ALIKE_LANES,
	ALIKE_MAX_LANES,
	ALIKE_MAX_GEN,
	ALIKE_MPS,
	ALIKE_BAR, /* MiB */
	ALIKE_ACS,
	ALIKE_KINDS
};
struct doctor_alike {
	/* NULL: it does not differ, or another finding says it. */
	const struct pci_function *best;
	size_t n;
	bool slots; /* they are in slots of as many lanes */
	unsigned is, usual;
};

/* State of an examination. */
struct doctor {
	const struct pci_tree *tree;
	const char *file;     /* that shows it; "-": stdin; NULL: no file */
	bool virtual_machine; /* the hypervisor may have made up the links */
	double uptime_s;      /* of the machine; 0: unknown */
	/*
	 * If links were watched: for how long, what each function showed (free
	 * it), and whether there was a load: what is slow is not idle.
	 */
	double watched_s;
	struct doctor_watched *watched;
	bool loaded;
	/* By function; NULL: nothing to compare. Free it. */
	struct doctor_alike (*alike)[ALIKE_KINDS];
	/* By function; NULL until a log's event is checked. Free it. */
	const struct pci_function **teller;
	struct doctor_findings found;
	/*
	 * A bridge that is dead or leads to no bus, or the last dead function
	 * that shares its row; see that row.
	 */
	const struct pci_function *dead;
	size_t dead_row, dead_below;
	size_t redirecting; /* ports without a name, by ACS */
	unsigned slowed;    /* rates of links called slower; 0: not yet known */
	/* Functions whose errors nobody counts, and the first of them. */
	size_t masked;
	char *masked_names;
	size_t unseen;   /* functions with unreadable capabilities */
	size_t examined; /* all other functions */
	size_t links;    /* those with a trained link above */
	size_t judged;   /* links of which both ends could be read, or gone */
	size_t half;     /* links seen at one end only */
	/* Of a judged link, these could not be read. */
	bool no_mps, no_extended;
};

/*
 * Whether all that it was asked for could be examined: without a finding, it is
 * good. Links whose registers say nothing, as inside a CPU, count as examined.
 */
bool doctor_is_known(const struct doctor *d);

/* Whether nothing says what the function's link is. */
bool doctor_is_unseen(const struct pci_function *f);

/*
 * The longest L1 exit latency, in us, of the links from the function to the
 * root that may enter L1, plus 1 us for each switch; and that of L1.2 of the
 * link above it. 0: none may, or not known.
 */
unsigned doctor_l1_us(const struct pci_function *f);
unsigned doctor_l1_2_us(const struct pci_function *f);

/* Examines one function and the link above it. */
void doctor_check_function(struct doctor *d, const struct pci_function *f);

/* Compares devices with each other, before functions are examined. */
void doctor_find_alike(struct doctor *d);

/*
 * For checks: adds to the row that others of its kind have more, and how to
 * tell card and slot apart; then it is at least likely. False: they do not.
 */
bool doctor_say_alike(struct doctor *d, struct doctor_finding *row,
                      const struct pci_function *f, unsigned kind);

/* Adds a finding for each difference that no row has. */
void doctor_check_alike(struct doctor *d, const struct pci_function *f);

/* Adds what all functions together say; call it once, behind them. */
void doctor_end(struct doctor *d);

/*
 * The certain findings of the functions chosen, "link_width 0000:03:00.0: the
 * link ... ; ...", or NULL if there are none; free it. `chosen` has an element
 * for each function of the tree.
 */
char *doctor_summary(const struct pci_tree *tree, const bool *chosen,
                     bool virtual_machine);

void doctor_findings_free(struct doctor_findings *all);

/*
 * For checks: adds a finding about a function (NULL: the machine) that says
 * this; the reason is for one by design. The result is valid until the next
 * call.
 */
struct doctor_finding *doctor_add(struct doctor *d, const char *check,
                                  enum sure sure, const char *reason,
                                  const struct pci_function *f, const char *fmt,
                                  ...) PRINTF_LIKE(6, 7);

/* Removes the finding that was added last. */
void doctor_drop(struct doctor *d);

/* Sets a text of a finding; frees the old one. */
void doctor_say(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Sets the pcb-collect command that shows the cost of a finding with this
 * bench: bw_rd, bw_wr or lat_cfg. Unset if no backend drives such a device.
 */
void doctor_verify(struct doctor_finding *row, const struct pci_function *f,
                   const char *bench);

/*
 * The same, and the cost itself, "28.4 of 56.8 Gbit/s of WHAT", where 28.4 is
 * lost; by the model, but never more than the device's Ethernet or USB can
 * carry. If that needs no more than now, the finding becomes one by design. So
 * does one that is not about a link if nobody can know: of a slow NIC whose
 * name has no rate.
 */
void doctor_set_cost(struct doctor *d, struct doctor_finding *row,
                     const struct pci_function *f, double now, double could,
                     const char *bench, const char *what);

/* The same, of a link that could have this rate and width. */
void doctor_set_link_cost(struct doctor *d, struct doctor_finding *row,
                          const struct pci_function *f, struct link now,
                          unsigned gen, unsigned lanes);

/*
 * Finds the highest rate and most lanes that both ends of the link above
 * support, and how sure it is that a lower rate than once is wrong. False if an
 * end cannot be read, or it is inside a CPU or chipset.
 */
bool doctor_find_link(const struct doctor *d, const struct pci_function *f,
                      struct link *best, enum sure *slow);

/*
 * Whether the link above has fewer lanes than both ends support, and no board,
 * tunnel or card explains that.
 */
bool doctor_is_narrow(const struct pci_tree *tree,
                      const struct pci_function *f);

/*
 * The slowest link of a device's path as it is, and as it could be while data
 * move: as both ends of each link support it, or that end which is seen, unless
 * a board, a tunnel or a card explains fewer lanes. BUS_UNKNOWN without.
 */
struct doctor_links {
	struct link now, could;
	bool sleeps; /* so that the rate now says nothing */
};
struct doctor_links doctor_find_links(const struct pci_tree *tree,
                                      const struct pci_function *device);

/* Whether ACS of a port sends what peers exchange up; how to undo that. */
bool doctor_redirects(const struct pci_function *port);
void doctor_say_redirect(struct doctor_finding *row, const char *ports);

/* Whether all its registers are ones. */
bool doctor_is_dead(const struct pci_function *f);

/* Dead functions that follow this bridge share the row added last. */
void doctor_expect_dead(struct doctor *d, const struct pci_function *bridge);

/* Adds a finding about that, so sure; by design if the kernel let it sleep. */
void doctor_say_dead(struct doctor *d, const struct pci_function *f,
                     const char *check, enum sure sure);

/* The BDF for commands: without the domain if that is 0; "BDF" if unknown. */
const char *doctor_short_bdf(const struct pci_function *f);

/* The port at the other end of a function's link, or NULL. */
const struct pci_function *doctor_port_above(const struct pci_function *f);

/* Whether the name in the listing or in the ID database contains a word. */
bool doctor_is_named(const struct pci_function *f, const char *word);

/* Whether it has functions of a hypervisor, which may invent the rest. */
bool doctor_is_guest(const struct pci_tree *tree);

/* Who made a GPU or NIC, as in the reference; or "this vendor". */
const char *doctor_vendor(const struct pci_function *f);

/* Whether a link above it is trained, even if all else of it is unknown. */
bool doctor_is_linked(const struct pci_function *f);

/* Whether the port says that its link goes to a slot; /sys does not say. */
bool doctor_has_slot(const struct pci_function *port);
bool doctor_may_have_slot(const struct pci_function *port);

/* ASPM states that are on at a function, or 0; it may be NULL. */
unsigned doctor_aspm(const struct pci_function *f);

/* Whether it is part of USB4 or Thunderbolt, or below: links are tunnels. */
bool doctor_is_tunnel(const struct pci_function *f);

/* Whether it is a port of a chipset that is a switch: AMD's. */
bool doctor_is_chipset(const struct pci_function *f);

/* Whether its link is inside a CPU or chipset. */
bool doctor_is_inside(const struct pci_function *f);

/*
 * Whether it may move data in bulk: not placeholders, management functions and
 * functions of a class without need, and not inside a CPU or chipset.
 */
bool doctor_moves_data(const struct pci_function *f);

/* Whether the function is fast enough for its settings to matter. */
bool doctor_is_fast(const struct pci_function *f);

/*
 * The bound, in Gbit/s, of a bench with transfers of `size` bytes by a function
 * on its path: as set, accounting `traffic`. NaN if it has no model. `inflight`
 * is the number of outstanding reads, each for 1 us; 0: only the link limits.
 */
double doctor_bound(const struct path *path, const struct pci_function *f,
                    const char *bench, uint64_t size, uint64_t inflight);

/* The same for a function of a tree, or a changed copy of it. */
double doctor_gbit_s(const struct pci_function *f, const char *bench,
                     uint64_t size, uint64_t inflight);

/*
 * Adds what the kernel's log and nvidia-smi say of the function, whose link is
 * not known otherwise if `unread`: then it counts as judged, or as half.
 * Returns whether that is all that is known of it.
 */
bool doctor_check_facts(struct doctor *d, const struct pci_function *f,
                        bool unread);

/*
 * Adds errors of both ends of a link: the lower one has the finding, and its
 * first function the upper end's errors. Errors of the link itself may stand at
 * each function.
 */
void doctor_check_errors(struct doctor *d, const struct pci_function *f,
                         bool first);

/* Says what helps if the signal of the link above is bad, and how to see it. */
void doctor_say_signal(struct doctor_finding *row,
                       const struct pci_function *f);

/* Adds errors and falls of the link by the kernel's log. */
void doctor_check_events(struct doctor *d, const struct pci_function *f);

/* Checks whether it is set up to work, whatever its link is. */
void doctor_check_setup(struct doctor *d, const struct pci_function *f);

/* Checks of links; adds their findings about the function. */
void doctor_check_link(struct doctor *d, const struct pci_function *f);

#endif
