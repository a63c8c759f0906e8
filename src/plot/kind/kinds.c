/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of all kinds. */
#include "plot/kind/kind.h"

extern const struct kind kind_cdf, kind_ccdf, kind_pct, kind_hist, kind_box,
    kind_compare, kind_scatter, kind_lat, kind_bw, kind_window, kind_heat,
    kind_diff, kind_tree, kind_nic, kind_fleet, kind_ddio;

const struct kind *const kinds[] = {
    &kind_cdf,     &kind_ccdf,    &kind_pct,  &kind_hist, &kind_box,
    &kind_compare, &kind_scatter, &kind_lat,  &kind_bw,   &kind_window,
    &kind_heat,    &kind_diff,    &kind_tree, &kind_nic,  &kind_fleet,
    &kind_ddio,    NULL,
};
