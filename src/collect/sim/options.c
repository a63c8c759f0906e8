/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All parameters of a session: the defaults, a profile, -O. */
#include "collect/sim/params.h"

#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

static bool
refuse(struct session *s, enum sim_param param, const char *text,
       const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", sim_options[param].name,
	            text, why);
}

/* What one parameter allows depends on another one. */
static bool
agree(struct session *s, const struct sim_params *p)
{
	const uint64_t *n = p->number;

	if (n[SIM_LLC] / LINE < n[SIM_WAYS])
		return refuse(s, SIM_WAYS, p->text[SIM_WAYS],
		              "more than the cache has lines");
	if (n[SIM_DDIO_WAYS] > n[SIM_WAYS])
		return refuse(s, SIM_DDIO_WAYS, p->text[SIM_DDIO_WAYS],
		              "more than the cache has ways");
	if (n[SIM_IOTLB_WAYS] && n[SIM_IOTLB] % n[SIM_IOTLB_WAYS])
		return refuse(s, SIM_IOTLB_WAYS, p->text[SIM_IOTLB_WAYS],
		              "does not divide the entries of the IO-TLB");
	return true;
}

static bool
read_settings(struct session *s, struct sim_params *params)
{
	const struct settings *given = &s->request->options;

	for (size_t i = 0; i < given->n; i++) {
		const struct setting *set = &given->item[i];
		enum sim_param param = sim_param_find(set->name);
		const char *why;

		why = sim_param_set(params, param, set->value);
		if (why)
			return refuse(s, param, set->value, why);
	}
	return true;
}

bool
sim_params_read(struct session *s, struct sim_params *params)
{
	const char *which = s->request->device;

	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		sim_param_set(params, i, sim_options[i].value);
	if (!which || !strcmp(which, "default"))
		params->profile = xstrdup("default");
	else if (!sim_profile_read(params, which))
		return fail(s, STATUS_ABSENT,
		            "sim:%s: no such profile%s (-d sim:help lists them)",
		            which, share_hint("sim", which));
	return read_settings(s, params) && agree(s, params);
}

void
sim_params_free(struct sim_params *params)
{
	for (size_t i = 0; i < SIM_NPARAMS; i++)
		free(params->own[i]);
	free(params->profile);
}
