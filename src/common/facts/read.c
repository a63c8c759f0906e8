/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives lines to the reader of their source. */
#include "common/facts/facts.h"

bool
facts_take(struct facts *facts, const char *line, size_t column)
{
	if (facts_take_xml(facts, line) || facts_take_sysfs(facts, line) ||
	    facts_take_log(facts, line) || facts_take_amd(facts, line) ||
	    facts_take_smi(facts, line) || facts_take_brief(facts, line) ||
	    facts_take_tree(facts, line, column) ||
	    facts_take_matrix(facts, line))
		return true;
	facts_recognise(facts, line);
	return false;
}

void
facts_sort(struct facts *facts)
{
	size_t n = facts->n;

	facts_place_amd(facts);
	facts_order(facts);
	facts_end_log(facts);
	if (facts->n > n)
		facts_order(facts);
}
