/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of the model's numbers share. */
#ifndef PCB_TESTS_RIG_MODEL_H
#define PCB_TESTS_RIG_MODEL_H

#include "common/link/model.h"

#include <stdio.h>

/* Fails the test unless they agree to nine digits. */
void assert_near(double got, double wanted);

/* A link by its grammar, with COMPLETER_COMBINE and ACCOUNTING_PCIE_BENCH. */
struct link_config link_config(const char *link);

/* Payload of a bench with transfers at address 0. */
double model_gbit_s(const struct link_config *config, const char *bench,
                    uint64_t size);

/* A file of the source tree, whose root is in TOP; release it with free. */
char *in_tree(const char *dir, const char *name);

/* A table of the published model, behind its comments and its header. */
FILE *open_table(const char *name);

#endif
