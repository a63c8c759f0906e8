/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the states of caches. */
#include "common/base/cache_state.h"

const char *const cache_names[NCACHES] = {
    [CACHE_COLD] = "cold",
    [CACHE_THRASHED] = "thrashed",
    [CACHE_HOST_WARM] = "host-warm",
    [CACHE_DEVICE_WARM] = "device-warm",
};
