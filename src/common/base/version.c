/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that a new version makes the build compile again. */
#include "common/base/util.h"

const char program_version[] = VERSION;
