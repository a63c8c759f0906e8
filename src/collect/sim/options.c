/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/sim/options.h"

#include "common/sys/datadir.h"

static bool
refuse(struct session *s, enum sim_param param, const char *text,
       const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", sim_options[param].name,
	            text, why);
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
	enum sim_param param;
	const char *why;

	if (!sim_params_load(params, which))
		return fail(
		    s, STATUS_ABSENT,
		    "sim:%s: no such profile%s (-d sim:help lists them)", which,
		    share_hint("sim", which));
	if (!read_settings(s, params))
		return false;
	why = sim_params_agree(params, &param);
	return !why || refuse(s, param, params->text[param], why);
}
