/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads all parameters: defaults and profiles; finds contradictions. */
#include "common/sim/params.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

bool
sim_params_load(struct sim_params *params, const char *which)
{
	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		sim_param_set(params, i, sim_options[i].value);
	if (which && strcmp(which, "default") != 0)
		return sim_profile_read(params, which);
	params->profile = xstrdup("default");
	return true;
}

const char *
sim_params_agree(const struct sim_params *params, enum sim_param *param)
{
	const uint64_t *n = params->number;

	*param = SIM_WAYS;
	if (n[SIM_LLC] / LINE < n[SIM_WAYS])
		return "more than the cache has lines";
	*param = SIM_DDIO_WAYS;
	if (n[SIM_DDIO_WAYS] > n[SIM_WAYS])
		return "more than the cache has ways";
	*param = SIM_IOTLB_WAYS;
	if (n[SIM_IOTLB_WAYS] && n[SIM_IOTLB] % n[SIM_IOTLB_WAYS])
		return "does not divide the entries of the IOTLB";
	return NULL;
}

void
sim_params_free(struct sim_params *params)
{
	for (size_t i = 0; i < SIM_NPARAMS; i++)
		free(params->own[i]);
	free(params->profile);
}
