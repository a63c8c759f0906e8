/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sim/choice.h"

#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "sim:"

const char *
sim_choice_set_profile(void *to, const char *text)
{
	struct sim_choice *choice = to;

	if (!strcmp(text, "sim")) {
		choice->profile = "default";
		return NULL;
	}
	if (strncmp(text, PREFIX, strlen(PREFIX)) != 0)
		return "not sim:NAME, such as sim:e5-2630v4";
	choice->profile = text + strlen(PREFIX);
	if (strcmp(choice->profile, "help") != 0)
		return NULL;
	share_list("sim");
	options_finish();
}

const char *
sim_choice_add_setting(void *to, const char *text)
{
	struct sim_choice *choice = to;

	if (!strchr(text, '='))
		return "not NAME=VALUE, such as rc=300ns";
	choice->setting = xreallocarray(choice->setting, choice->n + 2,
	                                sizeof *choice->setting);
	choice->setting[choice->n++] = text;
	choice->setting[choice->n] = NULL;
	return NULL;
}

static _Noreturn void
refuse_name(const char *name)
{
	struct nearest nearest = {.typed = name};

	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		nearest_offer(&nearest, sim_options[i].name);
	die_usage("-O %s: no such parameter%s", name, nearest_hint(&nearest));
}

static void
apply(struct sim_params *params, const char *setting)
{
	const char *value = strchr(setting, '=') + 1;
	char *name = xasprintf("%.*s", (int)(value - setting - 1), setting);
	enum sim_param param = sim_param_find(name);
	const char *why;

	if (param == SIM_NPARAMS)
		refuse_name(name);
	why = sim_param_set(params, param, value);
	if (why)
		die("-O %s: %s", setting, why);
	free(name);
}

void
sim_choice_load(const struct sim_choice *choice, struct sim_params *params)
{
	enum sim_param param;
	const char *why;

	if (!sim_params_load(params, choice->profile)) {
		warn("sim:%s: no such profile (-d sim:help lists them)",
		     choice->profile);
		exit(STATUS_ABSENT);
	}
	for (size_t i = 0; i < choice->n; i++)
		apply(params, choice->setting[i]);
	why = sim_params_agree(params, &param);
	if (why)
		die("-O %s=%s: %s", sim_options[param].name,
		    params->text[param], why);
}

void
sim_choice_free(struct sim_choice *choice)
{
	free(choice->setting);
}
