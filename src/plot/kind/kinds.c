/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot/kind/kind.h"

const struct kind *const kinds[] = {
    &kind_cdf,  &kind_ccdf, &kind_hist,   &kind_box,  &kind_scatter,
    &kind_lat,  &kind_bw,   &kind_window, &kind_heat, &kind_diff,
    &kind_tree, &kind_nic,  &kind_ddio,   NULL,
};
