/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of the simulated device, link and host. */
#ifndef PCB_COMMON_SIM_PARAMS_H
#define PCB_COMMON_SIM_PARAMS_H

#include "common/base/backend_option.h"
#include "common/base/cache_state.h"
#include "common/link/pcie.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY      (UINT64_C(1) << 40) /* bytes of the simulated machine */
#define MILLISECOND UINT64_C(1000000000)

/*
 * P(ID, range, name, default, help): what has a number, in the order of -O
 * help; pcb-sim(7) describes them. Ranges are in params.c.
 */
#define SIM_PARAMS(P)                                                          \
	/* the device */                                                       \
	P(INTERFACE, interfaces, "interface", "engine",                        \
	  "how the device issues transfers: engine or command")                \
	P(ISSUE, any_time, "issue", "150ns",                                   \
	  "time before the first request and after the last data")             \
	P(COPY_READ, any_time, "copy-read", "15ns",                            \
	  "time to store a line of read data")                                 \
	P(PACKET, any_time, "packet", "0ns", "time to handle a completion")    \
	P(COPY_WRITE, any_time, "copy-write", "15ns",                          \
	  "time to fetch a line of a later packet of a write")                 \
	P(STORE, any_time, "store", "150ns",                                   \
	  "extra time before the first packet of a write")                     \
	P(GAP, any_time, "gap", "60ns",                                        \
	  "time from a write to the read after it")                            \
	P(COMMAND, any_time, "command", "60ns",                                \
	  "total overhead of a read by a command")                             \
	P(COMMAND_STORE, any_time, "command-store", "120ns",                   \
	  "time of a command before its write")                                \
	P(LOOP, any_time, "loop", "200ns",                                     \
	  "time between two transfers of a worker")                            \
	P(TICK, ticks, "tick", "4ns", "resolution of the device's clock")      \
	P(CHUNK, chunks, "chunk", "128",                                       \
	  "bytes that the DMA engine handles at once")                         \
	P(READ_CHUNK, any_time, "read-chunk", "9ns",                           \
	  "engine time for each chunk of a read")                              \
	P(READ_ODD, any_time, "read-odd", "0ns",                               \
	  "engine time for each request of a read of part words")              \
	P(WRITE, any_time, "write", "2ns", "engine time for each write")       \
	P(WRITE_CHUNK, any_time, "write-chunk", "8ns",                         \
	  "engine time for each chunk of a write")                             \
	P(BURST, any_time, "burst", "2ns",                                     \
	  "time between bursts of a write, each at most MRRS bytes")           \
	P(CUT_WRITE, cuts, "cut-write", "4K",                                  \
	  "bytes: a burst of a write ends at their multiples")                 \
	P(RECEIVE, any_time, "receive", "0ns",                                 \
	  "shortest time between two completions")                             \
	P(TURN, any_time, "turn", "0ns",                                       \
	  "time that each line of a read delays writes")                       \
	P(TURN_MAX, any_time, "turn-max", "0ns",                               \
	  "maximum of this delay per transfer")                                \
	P(INFLIGHT, some, "inflight", "32",                                    \
	  "maximum of outstanding read requests")                              \
	P(WORKERS, some, "workers", "96", "maximum of outstanding transfers")  \
	/* the link */                                                         \
	P(ALIGN, aligns, "align", "4",                                         \
	  "a packet occupies a multiple of these bytes")                       \
	P(DLLP, dllps, "dllp", "16",                                           \
	  "bytes of Acks and UpdateFCs for each request")                      \
	P(CREDITS, some, "credits", "128",                                     \
	  "credits for headers of writes (PH)")                                \
	P(DATA_CREDITS, data_credits, "data-credits", "2048",                  \
	  "credits for data of writes (PD), 16 bytes each")                    \
	P(UPDATE, any_time, "update", "100ns",                                 \
	  "time from receiving a write to returning its credits")              \
	P(COMBINE, combined, "combine", "0",                                   \
	  "bytes: completions of smaller requests are split")                  \
	P(SPLIT, ways, "split", "0",                                           \
	  "more split completions of a read across lines")                     \
	P(SLEEP, second, "sleep-after", "0ns",                                 \
	  "silence after which the link sleeps; 0ns: never")                   \
	P(WAKE, second, "wake", "0ns", "time that it then takes to wake")      \
	/* the root complex, caches and memory */                              \
	P(RC, any_time, "rc", "300ns", "latency of the root complex")          \
	P(LINE, any_time, "line", "1ns",                                       \
	  "time that a line occupies the root complex")                        \
	P(MERGE, any_time, "merge", "0ns",                                     \
	  "extra time of a write in the last line of the one before")          \
	P(LLC, caches, "llc", "15M", "size of the last-level cache")           \
	P(WAYS, few, "ways", "20", "ways of this cache")                       \
	P(DDIO_WAYS, ways, "ddio-ways", "2",                                   \
	  "ways that writes of a device may fill; 0: none")                    \
	P(SNOOP, any_time, "snoop", "15ns",                                    \
	  "extra time if a CPU wrote the line")                                \
	P(MISS, any_time, "miss", "70ns",                                      \
	  "extra time if a read misses the cache")                             \
	P(ALLOCATE, any_time, "allocate", "60ns",                              \
	  "extra time if a write of a whole line misses")                      \
	P(REFRESH, any_time, "refresh", "350ns",                               \
	  "length of a refresh of memory")                                     \
	P(REFRESH_EVERY, any_time, "refresh-every", "7800ns",                  \
	  "interval of refreshes; 0ns: none")                                  \
	P(REMOTE, any_time, "remote", "60ns",                                  \
	  "extra time of a read from node 1")                                  \
	P(REMOTE_WRITE, any_time, "remote-write", "120ns",                     \
	  "extra time of a write to node 1 that misses")                       \
	P(WARM_NODE, nodes, "warm-node", "memory",                             \
	  "node of the CPU that warms the cache: memory (that of the "         \
	  "buffer), 0 or 1")                                                   \
	/* the IOMMU */                                                        \
	P(IOMMU, switches, "iommu", "off",                                     \
	  "on or off: whether the IOMMU translates addresses")                 \
	P(PAGE, pages, "page", "4K", "bytes of an IOTLB entry")                \
	P(IOTLB, some, "iotlb", "64", "entries of the IOTLB")                  \
	P(IOTLB_WAYS, ways, "iotlb-ways", "4",                                 \
	  "ways of the IOTLB; 0: fully associative")                           \
	P(WALK, any_time, "walk", "280ns",                                     \
	  "time of a walk through the page table")                             \
	P(WALK_CACHED, percents, "walk-cached", "75",                          \
	  "percent of walks that hit a cache if host-warm")                    \
	P(WALK_HOLD, any_time, "walk-hold", "0ns",                             \
	  "extra time of a walk for each line of a read")                      \
	P(WALKS, few, "walks", "6", "parallel walks")                          \
	P(WALK_ALONE, regions, "walk-alone", "0",                              \
	  "bytes of a region with one walk at a time; 0: none")                \
	/* random effects */                                                   \
	P(DRIFT, drift, "drift", "5000",                                       \
	  "deviation of rc between runs, parts per million")                   \
	P(JITTER, any_time, "jitter", "10ns",                                  \
	  "mean of the noise; its maximum is twice that")                      \
	P(STALL1, second, "stall1", "8us",                                     \
	  "shortest duration of a rare stall")                                 \
	P(STALL1_SPREAD, second, "stall1-spread", "2us",                       \
	  "longest minus shortest duration")                                   \
	P(STALL1_ODDS, million, "stall1-odds", "4",                            \
	  "stalls in a million transfers")                                     \
	P(STALL2, second, "stall2", "0ns",                                     \
	  "shortest duration of another rare stall")                           \
	P(STALL2_SPREAD, second, "stall2-spread", "0ns",                       \
	  "longest minus shortest duration")                                   \
	P(STALL2_ODDS, million, "stall2-odds", "0",                            \
	  "stalls in a million transfers")                                     \
	P(STALL3, second, "stall3", "0ns",                                     \
	  "shortest duration of another rare stall")                           \
	P(STALL3_SPREAD, second, "stall3-spread", "0ns",                       \
	  "longest minus shortest duration")                                   \
	P(STALL3_ODDS, million, "stall3-odds", "0",                            \
	  "stalls in a million transfers")

#define SIM_ID(id, ...) SIM_##id,
enum sim_param {
	SIM_PARAMS(SIM_ID) SIM_NUMBERS,
	SIM_LINK = SIM_NUMBERS,
	SIM_NPARAMS
};
#undef SIM_ID

enum { SIM_ENGINE, SIM_COMMANDS }; /* values of SIM_INTERFACE */

#define SIM_COMMAND_BYTES 128 /* most bytes that one command moves */

/* Name, default and help of all parameters; a NULL name ends them. */
extern const struct backend_option sim_options[];

/* Times in picoseconds, sizes in bytes, words by index. */
struct sim_params {
	const char *text[SIM_NPARAMS]; /* as given */
	uint64_t number[SIM_NUMBERS];
	struct link link;
	char *profile; /* without directory and extension */
	char *own[SIM_NPARAMS];
	char *walk_source; /* if a profile assumes the IOMMU; or NULL */
};

/*
 * Sets all parameters to their defaults, then applies the profiles `which` (see
 * share_find), joined by +, one after the other, each after its bases; NULL and
 * "default" have none. False if one does not exist; dies with file:line if one
 * is wrong. Free with sim_params_free in either case.
 */
bool sim_params_load(struct sim_params *params, const char *which);

/*
 * NULL, or why two parameters contradict each other (a constant); *param is the
 * one to name in the message.
 */
const char *sim_params_agree(const struct sim_params *params,
                             enum sim_param *param);

/*
 * NULL, or why the profile cannot answer (a constant): it has no constants of
 * an IOMMU that is on, or of memory on another node, and no option supplies
 * them. The profile "default" is an assumption as a whole.
 */
const char *sim_params_lack(const struct sim_params *params, bool remote);

/* Warns if the IOMMU is on and its constants are those of another host. */
void sim_params_say_assumed(const struct sim_params *params);

/* The parameter called `name`, or SIM_NPARAMS. */
enum sim_param sim_param_find(const char *name);

/*
 * Sets a parameter. Returns NULL, or why it cannot have this value (a
 * constant). The text must outlive the parameters.
 */
const char *sim_param_set(struct sim_params *params, enum sim_param param,
                          const char *text);

void sim_params_free(struct sim_params *params);

/*
 * What the options of a program with no other backend choose. Zero-initialise;
 * free the array. Texts point into argv.
 */
struct sim_choice {
	const char *profile;  /* behind "sim:"; NULL: none */
	const char **setting; /* NAME=VALUE */
	size_t n;
};

/* Setters of the options -d sim:NAME and -O NAME=VALUE, for option tables. */
const char *sim_choice_set_profile(void *to, const char *text);
const char *sim_choice_add_setting(void *to, const char *text);

/*
 * Loads the chosen parameters; the profile is "default" unless chosen. Exits
 * with 3 if the profile does not exist, with 2 if a file or setting is wrong or
 * parameters contradict each other. Free with sim_params_free; the choice must
 * outlive them.
 */
void sim_choice_load(const struct sim_choice *choice,
                     struct sim_params *params);

#endif
