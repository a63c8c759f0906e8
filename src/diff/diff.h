/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-diff: its input, the links made of it, and its output. */
#ifndef PCB_DIFF_DIFF_H
#define PCB_DIFF_DIFF_H

#include "common/link/tlp.h"
#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "common/stream/writer.h"
#include "diff/rank_test.h"

/* Samples as input --------------------------------------------------------- */

/*
 * Opens the operands as a table. The output of pcb-stats replaces each regular
 * file of samples; messages call it "pcb-stats" and the operand, since lines
 * are those of its output. `statistic` is the one to compare; pcb-stats
 * computes it if it is a percentile such as "p99.9". NULL: pcb-stats counts the
 * samples of each value instead. Ends the program if
 * pcb-stats fails. Call once.
 */
struct table *open_operands(char *const operand[], size_t n,
                            const char *statistic);

/* Whether they were samples, at least the first. */
bool operands_are_samples(void);

/* The operand of the current row. */
const char *operand_of(const struct table *t);

/* Columns and rows --------------------------------------------------------- */

/* Roles of a key column; masks combine them. */
enum role {
	ROLE_GROUP = 1, /* equal in rows that are compared */
	ROLE_RUN = 2,
	ROLE_BY = 4, /* a condition of --by */
	ROLE_DEVICE = 8,
	ROLE_PARENT = 16,
	ROLE_LINK = 32,
};

/* Statistics near the shortest time, compared if the input has them. */
enum { FLOOR_MIN, FLOOR_P1, FLOOR_MODE, NFLOORS };
extern const char *const floor_names[NFLOORS];

/* Zero-initialise, set the request; release with diff_columns_free. */
struct diff_columns {
	/* Request. */
	const char *statistic; /* "median", or a column's full name */
	const char *given;     /* its name as typed, or NULL */
	bool samples;          /* compare samples: a statistic may be missing */
	char **by;             /* columns of --by; NULL: link mode */
	bool by_operand;       /* --by file compares operands and no column */
	size_t nby;
	char **ignore; /* key columns to ignore */
	size_t nignore;
	bool parents_given; /* --links: the input may lack `parent` */

	/* Result. */
	ptrdiff_t value;          /* column of the statistic, -1 until found */
	ptrdiff_t floor[NFLOORS]; /* columns of these, -1 until found */
	struct key_column {
		size_t col;
		enum role role;
		size_t by; /* for ROLE_BY: index in `by` */
	} * key;           /* ascending */
	size_t nkey;
	size_t known; /* columns examined so far */

	uintmax_t skipped; /* rows without the statistic, so far */
};

/*
 * Whether the input has this floor besides the requested statistic, which may
 * be a floor itself.
 */
bool diff_columns_has_floor(const struct diff_columns *c, size_t floor);

void diff_columns_free(struct diff_columns *c);

/*
 * Steps to the next row that has the statistic, and stores its value. False at
 * the end of the input, after checking the columns and reporting skipped rows.
 * Dies if the input is bad.
 */
bool next_value(struct table *t, struct diff_columns *c, double *value);

/*
 * Sets `key` to the current row's cells in the columns of these roles. `device`
 * replaces the cell of the device column; NULL: the row's own.
 */
void row_key(struct key *key, const struct table *t,
             const struct diff_columns *c, unsigned roles, const char *device);

/* Dies because an earlier row has the same key. */
_Noreturn void die_repeated(const struct table *t,
                            const struct diff_columns *c);

/* Values of a statistic over runs. Zero-initialise; free(x). */
struct run_values {
	double *x;
	size_t n;
};

/* Condition mode ----------------------------------------------------------- */

struct condition_request {
	const char *base; /* the condition's name; NULL: the first one */
	bool paired;      /* compare runs of equal number */
	double percent;   /* of --check; negative: no check */
	bool both_ways;   /* of --check: better is not good enough */
	bool allow_missing, unclear_passes;
};

/*
 * Reads the table to its end, and writes header and rows to `o`, which is set
 * up; the caller calls out_finish. Warns of conditions without a row in some
 * group, and of devices whose link differs from that in the base. Dies, before
 * writing, if the input is bad, has rows but not two conditions, lacks the
 * base, or if nothing can be compared.
 *
 * Returns the status of --check: STATUS_NO if a row is worse than its base by
 * more than `percent`, a row is missing on either side, or the input is
 * incomplete; else STATUS_ABSENT if it cannot tell about a row, because its
 * interval contains the limit or it has too few runs; else STATUS_OK, with a
 * line on stderr.
 */
int write_conditions(struct table *t, struct diff_columns *c,
                     const struct condition_request *request, struct out *o);

/* --links FILE: positions and links of devices ----------------------------- */

/* Columns of the file. */
enum topo_col {
	TOPO_DEVICE,
	TOPO_PARENT,
	TOPO_LINK,
	TOPO_DEVSEL,
	TOPO_BENCH,
	TOPO_SPLIT_OF,
	NTOPO_COLS
};
extern const char *const topo_names[NTOPO_COLS];

/* Zero-initialise; release with topology_free. */
struct topology {
	struct key_set devices;
	/* The row of each; "" where a cell is missing. */
	struct topo_row {
		char *text[NTOPO_COLS];
	} * row;
	size_t n;
	bool has[NTOPO_COLS]; /* the file has the column */
};

/* Reads the file ("-": stdin); dies if it is bad. */
void topology_read(struct topology *y, const char *file);

/* The file's text for a device; "" if it has none. */
const char *topology_text(const struct topology *y, const char *device,
                          enum topo_col col);

void topology_free(struct topology *y);

/* Link mode: devices of the PCI tree, each with the bridge above it -------- */

/* The parent of a device on a root bus; a missing index. */
#define NO_NODE SIZE_MAX

/* In keys, columns of --links come after all columns of the input. */
#define PARENT_COL (UINT32_MAX - 2)
#define LINK_COL   (UINT32_MAX - 1)

/*
 * A device and the bridge above it, over all runs. All arrays are sorted, so
 * equal indices are not the same run.
 */
struct edge {
	size_t group;        /* index of its group of comparable devices */
	size_t node, parent; /* indices of the ends, or NO_NODE */
	size_t measured;     /* runs of the device */
	/* Of runs that measured both ends: */
	struct run_values above, below, latency;
	struct run_values floor[NFLOORS]; /* latency by these statistics */
	double tick_ns;                   /* of the coarser clock; 0: unknown */
};

/*
 * Zero-initialise, read the topology if there is one, then read_links; release
 * with links_free.
 */
struct links {
	struct topology topology;
	const struct table *table;          /* input, read to its end */
	const struct diff_columns *columns; /* its columns */
	struct key_set groups;              /* comparable devices */
	struct key_set nodes;               /* group and device */
	struct key_set edges;               /* group, device, parent and link */
	struct edge *edge;                  /* by index of its key */
	size_t n, room;
	bool *is_parent; /* per node: it has devices below */
};

/*
 * Reads the table to its end; dies if the input is bad. Warns of devices whose
 * parent was not measured, and of runs without the parent. Table and columns
 * must outlive the links.
 */
void read_links(struct links *l, struct table *t, struct diff_columns *c);

void links_free(struct links *l);

/* Whether both ends were measured in one run. */
bool edge_is_link(const struct edge *e);

/* The text of an edge's key in column `col`, or one of the above. */
const char *edge_text(const struct links *l, const struct edge *e, size_t col);

/* The same by name; "" if the input has no such column. */
const char *edge_named(const struct links *l, const struct edge *e,
                       const char *name);

/* The link of an edge; BUS_UNKNOWN if no input has it. */
struct link edge_link(const struct links *l, const struct edge *e);

/* Statistics of a link ----------------------------------------------------- */

/* Flags of the column `flags`, pcb-diff(1); masks combine them. */
enum link_flag {
	LINK_ENDPOINT = 1,        /* nothing below it was measured */
	LINK_NEGATIVE = 2,        /* it answered before the bridge above */
	LINK_NOT_SIGNIFICANT = 4, /* the latency may be 0 */
	LINK_BELOW_WIRE_TIME = 8, /* shorter than its bits on the wire */
	LINK_FLOOR = 16,          /* min, p1 or mode disagree */
	LINK_UNTESTED = 32,       /* fit to two widths only */
	LINK_RESIDUAL = 64,       /* far from the fit */
	LINK_IMPOSSIBLE = 128,    /* a fitted time is negative */
};

/* Latencies agree if they differ by at most this part. */
#define LATENCY_TOLERANCE 0.1

/* In ns, except efficiency and clocks; NAN if unknown. */
struct link_stats {
	double above, below; /* medians of the runs */
	double latency;      /* median of the differences */
	struct interval limits;
	double floor[NFLOORS]; /* latency by other statistics */
	double serialization;  /* of a DWORD read, see serialize_dword */
	double efficiency_pct; /* serialization / latency */
	double clocks;         /* latency in clocks of a parallel bus */
	/*
	 * Expected latency with split completions, from reads of the same
	 * target with immediate completions: 2 T_imm - 2 T_cycle. Miller et
	 * al., 3.1.
	 */
	double split;
	unsigned flags;
	size_t runs;
};

/*
 * For an edge that is a link. Assumes 32-bit addresses, as in configuration
 * reads. Serialization is NAN for split completions on a parallel bus and for
 * configuration reads of PCI-X, which hold the address longer.
 */
struct link_stats link_stats_of(const struct links *l, const struct edge *e);

/* The flags as words, separated by blanks. Free it. */
char *flags_text(unsigned flags);

/* Output of link mode ------------------------------------------------------ */

/*
 * The cells of an edge in the key columns: those of the input except `run`,
 * then those of --links that the input lacks. NULL: only the names.
 */
void write_link_identity(const struct links *l, const struct edge *e,
                         struct out *o);

/*
 * Writes rows to `o`, which is set up; the caller calls out_finish.
 */
void write_links(const struct links *l, struct out *o);

/*
 * Writes a row for each PCI Express link, fitted with all links of its group
 * and generation by the delay model of Miller et al.; otherwise as write_links.
 * Warns if a fit is not conclusive.
 */
void write_fit(const struct links *l, struct out *o);

#endif
