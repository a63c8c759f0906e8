/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sources that any user has say about PCI functions. */
#ifndef PCB_COMMON_FACTS_FACTS_H
#define PCB_COMMON_FACTS_FACTS_H

#include "common/base/bdf.h"
#include "common/base/util.h"
#include "common/facts/xml.h"

#include <stddef.h>
#include <stdint.h>

/* What any user can print on any machine, in any shell. */
#define FACTS_COMMAND                                                          \
	"grep -rs . /sys/devices --include=vendor --include=device "           \
	"--include=class --include=numa_node --include='*_link_*' "            \
	"--include='aer_dev_*' --include=l1_aspm"

/*
 * In the order of trust, if several tell the same fact; inxi and pciconf say
 * what the kernel says, as /sys does.
 */
enum fact_source {
	FROM_SYSFS,
	FROM_SMI,
	FROM_AMD,
	FROM_LSPCI, /* lspci -t */
	FROM_NCCL,
	FROM_LSTOPO,
	FROM_MATRIX, /* nvidia-smi topo, or CUDA */
	FROM_LOG,
	NSOURCES
};
extern const char *const fact_sources[NSOURCES];

enum fact_kind {
	FACT_ABOVE,     /* BDF of the bridge above, or root bus pci0000:00 */
	FACT_VENDOR,    /* 0x8086 */
	FACT_DEVICE,    /* 0x1533 */
	FACT_CLASS,     /* 0x020000 */
	FACT_NODE,      /* NUMA node; -1: the firmware names none */
	FACT_GEN,       /* of the link now; of a port, below; 0: not trained */
	FACT_LANES,     /* the same */
	FACT_MAX_GEN,   /* that this end of the link supports */
	FACT_MAX_LANES, /* the same */
	FACT_L0S,       /* 1: ASPM L0s is on, 0: off */
	FACT_L1,        /* the same for L1 */
	FACT_POWER,     /* D0 to D3cold */
	FACT_ERROR,     /* a kind of error and its count since boot: BadTLP 3 */
	FACT_KIND,      /* as the kernel says it: Endpoint, Root Port */
	/*
	 * At boot, the slowest link of its path, the port it is at, and what
	 * the device supports: gen3x4 at 0000:00:1c.4 of gen3x16; or none, if
	 * no link is slower than that.
	 */
	FACT_LIMIT,
	FACT_PAIR_GEN,   /* that both ends of the link support */
	FACT_PAIR_LANES, /* the same */
	FACT_IDLE,       /* of a GPU: 1, idle; 0, not */
	FACT_PSTATE,     /* P0 to P15 */
	FACT_REPLAYS,    /* of packets, since the GPU was reset */
	FACT_ROLLOVERS,  /* four replays of a packet in vain; not 0 */
	FACT_EVENT,      /* of the link: Corrected error, Physical Layer */
	FACT_PORT,       /* BDF of the port above, or root port, by the log */
	FACT_UUID,       /* of a GPU */
	FACT_NAME,  /* of a device of the kernel or a library: eth0, cuda0 */
	FACT_TITLE, /* vendor and device in words */
	/* Of gpu0, not a function: the other end, and the class of the way. */
	FACT_WAY,    /* gpu1 PIX */
	FACT_HOPS,   /* by AMD, gpu1 1: XGMI; 2: one NUMA node; 3: two */
	FACT_WEIGHT, /* by AMD, gpu1 15: a hop of XGMI; 20: one of PCIe */
	/* The same, or "any", and whether P2P works: gpu1 OK */
	FACT_PEER,
	NFACTS
};
extern const char *const fact_names[NFACTS];

struct fact {
	char bdf[BDF_MAX]; /* or gpu0, nic0, if the source has no address */
	enum fact_kind kind;
	enum fact_source source;
	char *value;
	double time_s; /* since boot; NaN: the time when it was asked */
	size_t order;  /* in which it was read */
};

/* The state of the reader of the kernel's log. */
struct fact_log {
	bool begun;   /* it has lines */
	bool stamped; /* the last line has a time */
	bool cut;     /* not all lines since boot are there, or whole */
	bool tunnels; /* the machine has Thunderbolt or USB4 */
	bool virtual; /* there are virtual functions */
	/* Whether the IOMMU translates what devices send; 0: not said. */
	enum { IOMMU_UNSAID, IOMMU_PASSES, IOMMU_TRANSLATES } iommu;
	char last[BDF_MAX];     /* that a line was about */
	char errs[BDF_MAX];     /* the last port with an error; or "" */
	double erred;           /* the time of that */
	char nvme[16][BDF_MAX]; /* nvme0 and so on; or "" */
	bool lost;              /* a drive of which no line had the address */
	char gpu[BDF_MAX];      /* that NVIDIA's driver named last */
	/* The host of a line of a journal, and another one; or "". */
	char host[64], other[64];
	size_t boot;       /* facts before the last boot */
	char pending[512]; /* a message that continues; or "" */
	unsigned pieces;   /* lines of it so far */
	double time;       /* of it */
};

/* The same of nvidia-smi. */
enum { SMI_COLUMNS = 64, SMI_INDEX = 253, SMI_BUS, SMI_NOTHING };
struct fact_smi {
	bool inside; /* below a line "GPU 00000000:01:00.0" of -q */
	/* GPUs that it announced and has shown; most that a log lacks. */
	size_t attached, shown, lacks;
	char bdf[BDF_MAX]; /* of that GPU */
	bool numbered;     /* it has no address, but a number */
	bool wide;         /* the width of its link was shown */
	size_t heading;    /* that lines are below */
	size_t columns;    /* of a table; 0: none */
	size_t rows;       /* of it */
	unsigned char column[SMI_COLUMNS];
};

/* The same of rocm-smi and amd-smi. */
enum { AMD_GPUS = 64 };
struct fact_amd {
	size_t gpu;       /* of the last line */
	char section[32]; /* of amd-smi, above it; "": none */
	char bdf[AMD_GPUS][BDF_MAX];
};

/* The same of inxi and pciconf: a function, and its link. */
struct fact_brief {
	bool inside;       /* what follows is of it */
	char bdf[BDF_MAX]; /* the last; or "" */
	size_t most;       /* 1: what it supports follows, 0: what it has */
	unsigned gen[2], lanes[2];
};

/* The same of XML: the elements that the tag is in. */
enum { XML_DEPTH = 64 };
struct fact_xml {
	struct xml xml;
	enum xml_document { XML_NONE, XML_NCCL, XML_LSTOPO, XML_SMI } document;
	size_t depth; /* beyond XML_DEPTH, elements only count */
	struct xml_place {
		char bdf[BDF_MAX];       /* of the function around; or "" */
		struct bdf_numbers root; /* domain and bus; bus 256: none */
		int node;                /* of NUMA; -1: unknown */
		unsigned nodes;          /* inside, so far */
		bool cache;              /* of memory */
	} place[XML_DEPTH];
};

/* The same of lspci -t: what later lines may go on with. */
enum { BRANCHES = 32 };
struct fact_branches {
	size_t n;
	struct branch {
		size_t column;
		unsigned domain, bus;
		char above[BDF_MAX]; /* that bus; or "": a root bus */
	} branch[BRANCHES];
};

/* The same of nvidia-smi topo and AMD's topologies: the columns of a table. */
enum { MATRIX = 64 };
struct fact_matrix {
	size_t n;
	bool has_node;          /* a row ends with its NUMA node */
	bool of_amd;            /* it is below a heading of AMD's */
	enum fact_kind heading; /* of AMD: of its cells; NFACTS: unknown */
	char name[MATRIX][BDF_MAX];
};

struct facts {
	struct fact *item; /* sorted by facts_sort */
	size_t n;
	/* The state of the readers between lines. */
	char heading[BDF_MAX]; /* the function of the last line of /sys */
	bool headed;           /* below "==> FILE <==" */
	size_t file;           /* which FILE */
	struct fact_log log;
	struct fact_smi smi;
	struct fact_amd amd;
	struct fact_brief brief;
	struct fact_xml xml;
	struct fact_branches tree;
	struct fact_matrix matrix;
	const char *kind; /* of text without facts, and what it lacks */
};

/* Adds a fact of the time when it was asked, unless its value is empty. */
void facts_add(struct facts *facts, const char *bdf, enum fact_kind kind,
               enum fact_source source, const char *format, ...)
    PRINTF_LIKE(5, 6);

/* Adds one of the kernel's log. */
void facts_add_logged(struct facts *facts, const char *bdf, enum fact_kind kind,
                      double time_s, const char *format, ...) PRINTF_LIKE(5, 6);

/*
 * Reads a line of paste_next() that began in a column: false if it is none of a
 * source known here. Lines of one text go in their order.
 */
bool facts_take(struct facts *facts, const char *line, size_t column);

/*
 * Reads the files of a function's directory in sysfs that any user may read,
 * except the counts of errors. The kernel wakes a function that sleeps.
 */
void facts_read_function(struct facts *facts, const char *bdf,
                         const char *directory);

/* Prints such files as grep does, which facts_take reads. */
void facts_print_function(const char *directory);

/* Sorts by function and kind; needed before all below. */
void facts_sort(struct facts *facts);

/*
 * How many functions a text lacks, whose end is missing, and what it is (a
 * constant): nvidia-smi -q with fewer GPUs than attached, XML without its end.
 */
size_t facts_lacking(const struct facts *facts, const char **what);

/* What shows that a text is of two machines, or NULL; free it. */
char *facts_two_machines(const struct facts *facts);

/* The first fact of a kind of a function, by trust, or NULL. */
const struct fact *facts_find(const struct facts *facts, const char *bdf,
                              enum fact_kind kind);

/* The last of one source, or NULL. */
const struct fact *facts_last(const struct facts *facts, const char *bdf,
                              enum fact_kind kind, enum fact_source source);

/* The next of the same function and kind, or NULL. */
const struct fact *facts_next(const struct facts *facts,
                              const struct fact *fact);

/* The value of facts_find, a number in C's notation; `missing` without. */
long facts_number(const struct facts *facts, const char *bdf,
                  enum fact_kind kind, long missing);

/* Whether a FACT_PEER says that P2P does not work. */
bool facts_deny_peer(const struct fact *fact);

/* Whether a file says that of two GPUs: "gpu0", "gpu1". */
bool facts_deny_peers(const struct facts *facts, const char *one,
                      const char *other);

/* Whether a GPU rests: drivers lower its rate from P5 on, whatever it says. */
bool facts_gpu_rests(const struct facts *facts, const char *bdf);

void facts_free(struct facts *facts);

/* Readers of one source each: as facts_take. */
bool facts_take_sysfs(struct facts *facts, const char *line);
bool facts_take_log(struct facts *facts, const char *line);
bool facts_take_smi(struct facts *facts, const char *line);
bool facts_take_amd(struct facts *facts, const char *line);
bool facts_take_brief(struct facts *facts, const char *line);
bool facts_take_xml(struct facts *facts, const char *line);
bool facts_take_tree(struct facts *facts, const char *line, size_t column);
bool facts_take_matrix(struct facts *facts, const char *line);

/* Takes a tag of nvidia-smi -q -x, the last of the reader; `text` follows. */
void facts_take_smi_tag(struct facts *facts, const char *text);

/* What XML is (a constant) whose end is missing; or NULL. */
const char *facts_open_xml(const struct facts *facts);

/* For facts_sort: gives AMD's GPUs the addresses that the text has. */
void facts_place_amd(struct facts *facts);

/* For facts_sort: sorts only. */
void facts_order(struct facts *facts);

/* For facts_sort: adds what the silence of a whole log says. */
void facts_end_log(struct facts *facts);

/* The generation with so many GT/s on a lane, or 0. */
unsigned facts_gen(double gt_s);

#endif
