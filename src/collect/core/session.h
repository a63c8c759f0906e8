/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's request, the open device that the collector and its backend share,
 * and devices that backends find.
 */
#ifndef PCB_COLLECT_CORE_SESSION_H
#define PCB_COLLECT_CORE_SESSION_H

#include "common/base/backend_option.h"
#include "common/base/util.h"
#include "common/stream/preamble.h"

#include <signal.h>

enum bench_id {
	LAT_RD,
	LAT_WRRD,
	BW_RD,
	BW_WR,
	BW_RDWR,
	LAT_CFG,
	LAT_MMIO,
	LAT_MMIO_WR,
	LAT_MMIO_FLUSH,
	BW_MMIO_RD,
	BW_MMIO_WR,
	DDIO,
	LINK,
	RTD,
	LAT_NVME,
	LAT_RDMA,
	NBENCHES
};

#define BENCH_BIT(id) (1u << (id))

/* Sets of benches: bandwidth of a device's DMA; that, and single DMAs. */
#define DMA_BANDWIDTH (BENCH_BIT(BW_RD) | BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))
#define DMA_BENCHES   (DMA_BANDWIDTH | BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD))

/*
 * Benches of a group share key columns and options. BENCH_DMA: a device
 * transfers data. BENCH_PIO: a CPU reads registers. BENCH_COUNTERS: counters of
 * other programs' traffic. BENCH_LINKS: changes of links. BENCH_NIC_LOOP: an
 * I210 sends packets and reports the delay of its DMA reads, but not their
 * addresses. BENCH_WINDOW: a CPU reads and writes memory of a device. A bit
 * each, for sets of groups.
 */
enum bench_group {
	BENCH_DMA = 1 << 0,
	BENCH_PIO = 1 << 1,
	BENCH_COUNTERS = 1 << 2,
	BENCH_LINKS = 1 << 3,
	BENCH_NIC_LOOP = 1 << 4,
	BENCH_WINDOW = 1 << 5
};

/* Room for the value columns of one row as printed. */
#define MEASURES_MAX 128

/*
 * A sample is `width` integers from a backend, and a row its `measures`, each
 * by a letter of `format`: u the next integer, o the same or "" for UINT64_MAX,
 * n picoseconds as ns, b the Gbit/s of the bytes and picoseconds before it.
 */
struct bench {
	enum bench_id id;
	const char *name;
	const char *help;
	enum bench_group group;
	size_t width;
	bool totals; /* one sample per point and run */
	const char *measures[4];
	size_t nmeasures;
	const char *format;
	uint64_t default_count, default_warmup;
	bool paced;         /* samples come at set times, in no random order */
	bool takes_command; /* runs it meanwhile; its end ends the samples */
	bool also_windows;  /* with BACKEND_WINDOWS it is as BENCH_WINDOW */
};

extern const struct bench benches[NBENCHES];

/* Writes a row, with commas and without NUL; returns the end. */
char *sample_print(const struct bench *bench, char *to, const uint64_t *sample);

/* The bench called `name`, or NULL. */
const struct bench *find_bench(const char *name);

/*
 * Key columns, in the order of pcb-csv(5). A series holds one text for each; a
 * bench writes those of its group, see `columns` of run/sample_writer.c.
 */
enum identity {
	ID_HOST,
	ID_RUN,
	ID_KIND,
	ID_BENCH,
	ID_DEVICE,
	ID_LINK,
	ID_PARENT,
	ID_ACCESS,
	ID_REGISTER,
	ID_STORE,
	ID_TLPS,
	ID_INTERFACE,
	ID_SIZE,
	ID_OFFSET,
	ID_WINDOW,
	ID_PATTERN,
	ID_CACHE,
	ID_NODE,
	ID_IOMMU,
	ID_PAGE,
	ID_IDLE,
	ID_IDLE_BY,
	ID_SOCKET,
	ID_UNIT,
	ID_PART,
	ID_EVENT,
	ID_END,
	ID_WHAT,
	NIDENTITY
};

/* An option; value is NULL for -O NAME without a value. */
struct setting {
	char *name;
	const char *value;
};

/* In the order given: the last one of a name counts. */
struct settings {
	struct setting *item;
	size_t n;
};

/* The value of the last setting called `name`, or NULL. */
const char *settings_value(const struct settings *settings, const char *name);

/* Constant while a backend is open. */
struct request {
	const struct bench *bench;
	const char *device; /* after BACKEND:, or NULL; for BENCH_PIO a list */
	struct settings options;       /* -O, which the backend's open checks */
	struct settings bench_options; /* of struct bench_option; checked */
	char *const
	    *command;   /* the command after "--", ended by NULL; or NULL */
	uint64_t count; /* transactions per point and run */
	uint64_t runs;
	uint64_t interval; /* of counters and links, ps; 0: the default */
	uint64_t seed;
	uint64_t buffer;  /* bytes; 0: the backend's default */
	bool live;        /* a table on the terminal, not rows */
	bool cache_given; /* with --cache; else the state is a default */
	int cpu;          /* to pin to, or -1 */
};

/* The user's value for the option `name` of this table, or its default. */
const char *option_value(const struct request *request,
                         const struct backend_option *options,
                         const char *name);

/*
 * An option --NAME of the benches of one group, and of the backends that
 * measure them.
 */
struct bench_option {
	const char *name;     /* NULL ends a table */
	char letter;          /* or 0 */
	const char *argument; /* of the value, for --help; NULL: no value */
	const char *help;
	const char *words; /* values for completion, " " between; or NULL */

	/* Returns NULL, or why the value is wrong. NULL: any value is valid. */
	const char *(*check)(const char *value);
	bool is_list; /* repeated options extend the list */
};

/* The value given for a bench option, "" if it takes none; or NULL. */
const char *bench_option(const struct request *request, const char *name);

/*
 * A key column that shows the value of an option; other benches refuse -O with
 * that option.
 */
struct option_column {
	const char *option; /* NULL ends a table */
	const char *column;
	unsigned benches; /* BENCH_BIT of each */

	/* The text of the column, to be freed; NULL: the option's value. */
	char *(*cell)(const char *value);
};

/*
 * The backend fills id[] with series_set; the caller supplies host, run, bench
 * and labels where a text is empty. The backend's run stores samples of
 * bench->width integers each in raw and counts them in n; the caller has
 * allocated and touched the memory.
 */
struct series {
	char *id[NIDENTITY];
	uint64_t *raw;
	size_t n;
};

/* Replaces a text, or NULL; sets one text of the identity. */
void text_set(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);
#define series_set(series, column, ...)                                        \
	text_set(&(series)->id[column], __VA_ARGS__)

/*
 * Sets the columns of every device: the kind of its numbers, its name for -d,
 * and its link, "" if unknown.
 */
void series_identify(struct series *series, const char *kind,
                     const char *device, const char *link);

/* Why an operation failed, for the user, and the exit status. */
struct failure {
	int status; /* STATUS_TROUBLE or STATUS_ABSENT */
	char *text; /* one line, without program name and newline */
};

/* The backend owns only what `state` holds. */
struct session {
	const struct request *request;
	struct preamble *preamble; /* open adds lines to it */
	struct series *series;     /* prepare makes them with series_make */
	size_t nseries;
	bool incomplete; /* the backend could not deliver everything */
	bool warming;    /* what is measured is not recorded */
	bool silent;     /* with --idle: a run is one sample after silence */
	/* Each run is one interval, of 0 to 2 samples; 0 is not the end. */
	bool more;
	/* Non-zero: stop as soon as possible, after a whole sample. */
	const volatile sig_atomic_t *interrupted;
	struct failure failure;
	void *state; /* backend.state_size bytes */
};

/* Replaces the session's series by n empty ones; 0 frees them. */
void series_make(struct session *s, size_t n);

/* Stores the reason and returns false, for the caller to return. */
bool fail(struct session *s, int status, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Fails because of an option of this table: "-O NAME=VALUE: WHY". */
bool option_refuse(struct session *s, const struct backend_option *options,
                   const char *name, const char *why);

/* Reads an option that is an integer from `least` to `most`; or fails. */
bool option_integer(struct session *s, const struct backend_option *options,
                    const char *name, uint64_t least, uint64_t most,
                    uint64_t *value);

/* The same, or `automatic` if it is the word "auto". */
bool option_number(struct session *s, const struct backend_option *options,
                   const char *name, uint64_t least, uint64_t most,
                   uint64_t automatic, uint64_t *value);

/* Reads an option that is one of n words: the index of the word; or fails. */
bool option_word(struct session *s, const struct backend_option *options,
                 const char *name, const char *const word[], size_t n,
                 size_t *which);

/* Reads an option that is one of two words: whether the first; or fails. */
bool option_either(struct session *s, const struct backend_option *options,
                   const char *name, const char *first, const char *second,
                   bool *is_first);

/* Devices that backends find, for `pcb-collect list` and for choosing one. */
struct finding {
	const char *backend;
	char *device; /* value of the device column; "": no device */
	char *parent, *link, *driver, *node, *name;
	uint16_t vendor_id, device_id; /* instead of a name; 0 if not PCI */
	unsigned benches;              /* BENCH_BIT of those that can run now */
	bool automatic; /* a candidate if the user names no device */
	char *why_not;  /* why the other benches cannot run; or "" */
	char *remedy;   /* what would help, for a user who asks for it; or "" */
};

struct findings {
	struct finding *item;
	size_t n;
};

/* Appends a finding with empty texts; set them with text_set. */
struct finding *findings_add(struct findings *list, const char *backend);
void findings_free(struct findings *list);

#endif
