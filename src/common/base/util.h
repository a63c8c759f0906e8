/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every program includes: messages, memory, start and exit. */
#ifndef PCB_COMMON_BASE_UTIL_H
#define PCB_COMMON_BASE_UTIL_H

#include "common/base/macros.h"
#include "common/base/message.h"
#include "common/base/program.h"
#include "common/base/xalloc.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#endif
