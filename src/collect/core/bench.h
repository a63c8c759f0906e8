/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benches: what can be measured. */
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

/* Sets of benches: bandwidth of a device's DMA; that, and single DMAs. */
#define DMA_BANDWIDTH (BENCH_BIT(BW_RD) | BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))
#define DMA_BENCHES   (DMA_BANDWIDTH | BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD))

/*
 * Benches of a group share key columns and options. BENCH_DMA: a device
 * transfers data. BENCH_PIO: a CPU reads registers. BENCH_COUNTERS: counters of
 * other programs' traffic. BENCH_NIC_LOOP: an I210 sends packets and reports
 * the delay of its DMA reads, but not their addresses. BENCH_WINDOW: a CPU
 * reads and writes memory of a device.
 */
enum bench_group {
	BENCH_DMA,
	BENCH_PIO,
	BENCH_COUNTERS,
	BENCH_NIC_LOOP,
	BENCH_WINDOW
};

/* Room for the value columns of one row as printed. */
#define MEASURES_MAX 128

/*
 * A sample is `width` integers from a backend; print writes them as the fields
 * of `measures` (separated by commas, no NUL) and returns the end.
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
	char *(*print)(char *to, const uint64_t *sample);
	uint64_t default_count, default_warmup;
	bool paced;         /* samples come at set times, in no random order */
	bool takes_command; /* runs it meanwhile; its end ends the samples */
	bool also_windows;  /* with BACKEND_WINDOWS it is as BENCH_WINDOW */
};

extern const struct bench benches[NBENCHES];

/* The bench called `name`, or NULL. */
const struct bench *find_bench(const char *name);

/* Size of the longest text of bench_names. */
#define BENCH_NAMES_MAX 256

/* Writes the names of a set of BENCH_BIT, separated by blanks. */
void bench_names(char text[BENCH_NAMES_MAX], unsigned set);

/*
 * Key columns, in the order of pcb-csv(5). A series holds one text for each; a
 * bench writes those of its group.
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
	/* BENCH_DMA; size and window also BENCH_WINDOW */
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

/* Whether rows of this group's benches have the column. */
bool has_identity(enum bench_group group, enum identity column);

#endif
