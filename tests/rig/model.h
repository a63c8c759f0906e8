/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by tests of the model's numbers. */
#ifndef PCB_TESTS_RIG_MODEL_H
#define PCB_TESTS_RIG_MODEL_H

#include "common/link/model.h"

#include <stdio.h>

/* Fails the test unless they agree to nine digits. */
void assert_near(double got, double wanted);

/* A link by its grammar, with COMPLETER_COMBINE and ACCOUNTING_PCIE_BENCH. */
struct link_config link_config(const char *link);

/* Bandwidth of a bench with transfers at address 0. */
double model_gbit_s(const struct link_config *config, const char *bench,
                    uint64_t size);

/* A path in the source tree, whose root is in TOP; free it. */
char *in_tree(const char *dir, const char *name);

/* A table of the published model, positioned after comments and header. */
FILE *open_table(const char *name);

#endif
