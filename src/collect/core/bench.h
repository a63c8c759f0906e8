/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be measured: one row per bench. */
#ifndef PCB_COLLECT_CORE_BENCH_H
#define PCB_COLLECT_CORE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	RTD,
	LAT_NVME,
	LAT_RDMA,
	NBENCHES
};

#define BENCH_BIT(id) (1u << (id))

/*
 * Benches of a group have the same identity columns and the same options.
 * BENCH_DMA: a device transfers data. BENCH_PIO: a CPU reads registers.
 * BENCH_COUNTERS: traffic of others is counted. BENCH_NIC_LOOP: an I210 sends
 * packets and reports the delay of its DMA reads, but not where they went.
 * BENCH_WINDOW: a CPU reads and writes memory of a device.
 */
enum bench_group {
	BENCH_DMA,
	BENCH_PIO,
	BENCH_COUNTERS,
	BENCH_NIC_LOOP,
	BENCH_WINDOW
};

/* Room for the measures of one row as print writes them. */
#define MEASURES_MAX 128

/*
 * A sample is `width` integers, as a backend counts them; print turns them
 * into the fields named by `measures` (comma between, no NUL) and returns
 * the end.
 */
struct bench {
	enum bench_id id;
	const char *name;
	const char *help;
	enum bench_group group;
	size_t width;
	bool totals; /* one sample per point and run, over all transactions */
	const char *measures[4];
	size_t nmeasures;
	char *(*print)(char *to, const uint64_t *sample);
	uint64_t default_count, default_warmup;
	bool paced; /* samples come when it is time, in no order that has a seed
	             */
	bool takes_command; /* which runs meanwhile and ends the samples */
};

extern const struct bench benches[NBENCHES];

/* The bench called `name`, or NULL. */
const struct bench *find_bench(const char *name);

/* Room for the names of all. */
#define BENCH_NAMES_MAX 256

/* Writes the names of those in a set of BENCH_BIT, " " between. */
void bench_names(char text[BENCH_NAMES_MAX], unsigned set);

/*
 * Identity columns, in the order of pcb-csv(5). A series holds one text for
 * each; a bench writes those of its group.
 */
enum identity {
	ID_HOST,
	ID_RUN,
	ID_KIND,
	ID_BENCH,
	ID_DEVICE,
	ID_LINK,
	/* BENCH_PIO and BENCH_WINDOW */
	ID_PARENT,
	ID_ACCESS,
	ID_REGISTER,
	/* BENCH_WINDOW */
	ID_STORE,
	ID_TLPS,
	/* BENCH_DMA; BENCH_WINDOW has size and window, too */
	ID_INTERFACE,
	ID_SIZE,
	ID_OFFSET,
	ID_WINDOW,
	ID_PATTERN,
	ID_CACHE,
	ID_NODE,
	ID_IOMMU,
	ID_PAGE,
	/* BENCH_COUNTERS */
	ID_SOCKET,
	ID_UNIT,
	ID_PART,
	ID_EVENT,
	NIDENTITY
};

extern const char *const identity_names[NIDENTITY];

/* Whether rows of benches of this group have the column. */
bool has_identity(enum bench_group group, enum identity column);

#endif
