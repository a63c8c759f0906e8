/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the format of a file. */
#ifndef PCB_IMPORT_RECOGNISE_H
#define PCB_IMPORT_RECOGNISE_H

#include "import/import.h"

/*
 * The index, in importers, of the only format in which the files of the job can
 * be read, with its labels; says which on stderr. Dies if there is none, or
 * more than one. Standard input can be read from its start afterwards.
 */
size_t recognise_format(const struct job *job);

#endif
