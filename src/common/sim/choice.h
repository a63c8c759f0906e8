/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options -d sim:NAME and -O NAME=VALUE, for programs with one backend. */
#ifndef PCB_COMMON_SIM_CHOICE_H
#define PCB_COMMON_SIM_CHOICE_H

#include "common/cli/option_table.h"
#include "common/sim/params.h"

/* Zero-initialise; release with sim_choice_free. Texts point into argv. */
struct sim_choice {
	const char *profile;  /* behind "sim:"; NULL: none */
	const char **setting; /* NULL-terminated; or NULL */
	size_t n;
};

/* Rows of an option table, for a struct sim_choice. */
#define SIM_OPTION_PROFILE(where, in)                                          \
	{                                                                      \
		"profile", 'd', "sim:NAME",                                    \
		    "the simulated host and its device (-d sim:help lists "    \
		    "them), or a file",                                        \
		    (in), .set = sim_choice_set_profile, .to = (where)         \
	}
#define SIM_OPTION_SETTING(where, in)                                          \
	{                                                                      \
		"option", 'O', "NAME=VAL",                                     \
		    "a parameter of it, see pcb-sim(7)", (in),                 \
		    .set = sim_choice_add_setting, .to = (where),              \
		    .again = OPTION_ADDS                                       \
	}
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

void sim_choice_free(struct sim_choice *choice);

#endif
