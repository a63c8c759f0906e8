/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of all kinds. */
#include "plot/kind/kind.h"

const struct kind *const kinds[NKINDS] = {
    [KIND_CDF] = &kind_cdf,         [KIND_CCDF] = &kind_ccdf,
    [KIND_PCT] = &kind_pct,         [KIND_HIST] = &kind_hist,
    [KIND_BOX] = &kind_box,         [KIND_COMPARE] = &kind_compare,
    [KIND_SCATTER] = &kind_scatter, [KIND_LAT] = &kind_lat,
    [KIND_BW] = &kind_bw,           [KIND_WINDOW] = &kind_window,
    [KIND_HEAT] = &kind_heat,       [KIND_DIFF] = &kind_diff,
    [KIND_TREE] = &kind_tree,       [KIND_NIC] = &kind_nic,
    [KIND_FLEET] = &kind_fleet,     [KIND_DDIO] = &kind_ddio,
};
