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

/* In the order of -O help; pcb-sim(7) describes them. */
enum sim_param {
	/* the device */
	SIM_INTERFACE,
	SIM_ISSUE,
	SIM_COPY_READ,
	SIM_PACKET,
	SIM_COPY_WRITE,
	SIM_STORE,
	SIM_GAP,
	SIM_COMMAND,
	SIM_COMMAND_STORE,
	SIM_LOOP,
	SIM_TICK,
	SIM_CHUNK,
	SIM_READ_CHUNK,
	SIM_READ_ODD,
	SIM_WRITE,
	SIM_WRITE_CHUNK,
	SIM_BURST,
	SIM_CUT_WRITE,
	SIM_RECEIVE,
	SIM_TURN,
	SIM_TURN_MAX,
	SIM_INFLIGHT,
	SIM_WORKERS,
	/* the link */
	SIM_ALIGN,
	SIM_DLLP,
	SIM_CREDITS,
	SIM_DATA_CREDITS,
	SIM_UPDATE,
	SIM_COMBINE,
	SIM_SPLIT,
	SIM_SLEEP,
	SIM_WAKE,
	/* the root complex, caches and memory */
	SIM_RC,
	SIM_LINE,
	SIM_MERGE,
	SIM_LLC,
	SIM_WAYS,
	SIM_DDIO_WAYS,
	SIM_SNOOP,
	SIM_MISS,
	SIM_ALLOCATE,
	SIM_REFRESH,
	SIM_REFRESH_EVERY,
	SIM_REMOTE,
	SIM_REMOTE_WRITE,
	SIM_WARM_NODE,
	/* the IOMMU */
	SIM_IOMMU,
	SIM_PAGE,
	SIM_IOTLB,
	SIM_IOTLB_WAYS,
	SIM_WALK,
	SIM_WALK_CACHED,
	SIM_WALK_HOLD,
	SIM_WALKS,
	SIM_WALK_ALONE,
	/* random effects */
	SIM_DRIFT,
	SIM_JITTER,
	SIM_STALL1,
	SIM_STALL1_SPREAD,
	SIM_STALL1_ODDS,
	SIM_STALL2,
	SIM_STALL2_SPREAD,
	SIM_STALL2_ODDS,
	SIM_STALL3,
	SIM_STALL3_SPREAD,
	SIM_STALL3_ODDS,
	SIM_NUMBERS,
	SIM_LINK = SIM_NUMBERS,
	SIM_NPARAMS
};

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
