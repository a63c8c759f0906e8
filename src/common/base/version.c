/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that is compiled again when the version changes. */
#include "common/base/version.h"

const char program_version[] = VERSION;
