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
	DDIO,
	RTD,
	LAT_NVME,
	NBENCHES
};

#define BENCH_BIT(id) (1u << (id))

/*
 * Who starts the transactions decides which columns tell rows apart. With
 * BY_OTHERS nothing is started: what happens anyhow is counted. A NIC is a
 * device that says nothing about its transactions but how long they took.
 */
enum initiator { BY_DEVICE, BY_CPU, BY_OTHERS, BY_NIC };

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
	enum initiator initiator;
	size_t width;
	bool totals; /* one sample per point and run, over all transactions */
	const char *measures[4];
	size_t nmeasures;
	char *(*print)(char *to, const uint64_t *sample);
	uint64_t default_count;
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
 * each; a bench writes those of its initiator.
 */
enum identity {
	ID_HOST,
	ID_RUN,
	ID_KIND,
	ID_BENCH,
	ID_DEVICE,
	ID_LINK,
	/* BY_CPU */
	ID_PARENT,
	ID_ACCESS,
	ID_REGISTER,
	/* BY_DEVICE */
	ID_INTERFACE,
	ID_SIZE,
	ID_OFFSET,
	ID_WINDOW,
	ID_PATTERN,
	ID_CACHE,
	ID_NODE,
	ID_IOMMU,
	ID_PAGE,
	/* BY_OTHERS */
	ID_SOCKET,
	ID_UNIT,
	ID_PART,
	ID_EVENT,
	NIDENTITY
};

extern const char *const identity_names[NIDENTITY];

/* Whether rows of benches of this initiator have the column. */
bool has_identity(enum initiator initiator, enum identity column);

#endif
