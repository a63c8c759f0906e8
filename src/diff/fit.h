/* --fit: the delay model of Miller et al. over links of several widths. */
#ifndef PCB_DIFF_FIT_H
#define PCB_DIFF_FIT_H

#include "diff/link_rows.h"

/*
 * T_RTT = 2 (T_proc + T_serdes / lanes + T_flight), ANCS 2009, 4.1. What does
 * not depend on lanes cannot be told apart: proc_ns holds T_flight, too.
 */
struct delays {
	double proc_ns, serdes_ns;
};

/*
 * Least squares over n round trips in ns, of links of so many lanes, at least
 * 1; both NAN with fewer than two widths.
 */
struct delays fit_delays(const double lanes[], const double round_trip_ns[],
                         size_t n);

/*
 * A row for each PCI Express link, fitted with those that have the same group
 * and generation; as write_links. Warns of what the fits do not tell.
 */
void write_fit(const struct links *l, const struct table *t,
               const struct columns *c, struct out *o);

#endif
