/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles, units and kinds: tables of names. */
#include "common/stream/column_role.h"

#include "common/base/list.h"
#include "common/base/util.h"

#include <string.h>

static const char *const units[] = {"ns", "gbit_s", "per_s", "pct", "value"};

static const char *const measures[] = {
    "n",        "count",     "seq",      "transfers",       "transferred_bytes",
    "rx_bytes", "tx_bytes",  "runs",     "limited_by",      "tlps",
    "differs",  "flags",     "outliers", "clocks",          "mrd_tlps",
    "mwr_tlps", "cpld_tlps", "inflight", "median_inflight", "p99_inflight",
};

static const char *const kinds[] = {"measured", "virtual", "simulated",
                                    "published", "imported"};

bool
is_name(const char *name)
{
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	return *name >= 'a' && *name <= 'z' && !name[strspn(name, rest)];
}

bool
is_kind(const char *kind)
{
	return find_word(kind, kinds, ARRAY_LEN(kinds)) < ARRAY_LEN(kinds);
}

const char *
unit_of(const char *name)
{
	size_t length = strlen(name);

	if (!strcmp(name, "value"))
		return name;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		size_t n = strlen(units[i]);

		if (length > n && name[length - n - 1] == '_' &&
		    !strcmp(name + length - n, units[i]))
			return name + length - n;
	}
	return name + length;
}

bool
is_identity(const char *name)
{
	return find_word(name, measures, ARRAY_LEN(measures)) ==
	           ARRAY_LEN(measures) &&
	       !*unit_of(name);
}

bool
is_bare_statistic(const char *name)
{
	static const char *const names[] = {"min",  "mean", "median",
	                                    "mode", "max",  "stddev"};
	size_t digits = *name == 'p' ? strspn(name + 1, "0123456789") : 0;

	if (find_word(name, names, ARRAY_LEN(names)) < ARRAY_LEN(names))
		return true;
	if (!digits)
		return false;
	name += 1 + digits;
	return !*name || (*name == '_' && name[1] &&
	                  !name[1 + strspn(name + 1, "0123456789")]);
}

bool
is_numeric_key(const char *name)
{
	static const char *const names[] = {"run", "node", "socket", "part",
	                                    "load"};
	static const char bytes[] = "_bytes";
	size_t length = strlen(name), n = sizeof bytes - 1;

	return find_word(name, names, ARRAY_LEN(names)) < ARRAY_LEN(names) ||
	       (length > n && !strcmp(name + length - n, bytes));
}

bool
is_text_key(const char *name)
{
	static const char *const names[] = {
	    "host",    "kind",   "bench",    "device",        "link",
	    "parent",  "access", "register", "name",          "interface",
	    "store",   "unit",   "event",    "cross_traffic", "driver",
	    "backend", "file",   "pattern",  "cache",         "iommu",
	    "metric",  "why_not"};

	return find_word(name, names, ARRAY_LEN(names)) < ARRAY_LEN(names);
}
