/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats, in the order of --help: pciebench is first, csv last. */
#ifndef PCB_IMPORT_FORMATS_H
#define PCB_IMPORT_FORMATS_H

#include "import/import.h"

extern const struct importer pciebench_importer, nettlp_importer, ndl_importer,
    nvbandwidth_importer, bandwidthtest_importer, p2ptest_importer,
    gdrcopy_importer, transferbench_importer, rocm_importer, perftest_importer,
    mlc_importer, fio_importer, xdma_importer, qdma_importer, iostat_importer,
    pcm_iio_importer, nccl_importer, ucx_importer, hip_importer, gdsio_importer,
    nvbench_importer, csv_importer;

static const struct importer *const importers[] = {
    &pciebench_importer,   &nettlp_importer,        &ndl_importer,
    &nvbandwidth_importer, &bandwidthtest_importer, &p2ptest_importer,
    &gdrcopy_importer,     &transferbench_importer, &rocm_importer,
    &perftest_importer,    &mlc_importer,           &fio_importer,
    &xdma_importer,        &qdma_importer,          &iostat_importer,
    &pcm_iio_importer,     &nccl_importer,          &ucx_importer,
    &hip_importer,         &gdsio_importer,         &nvbench_importer,
    &csv_importer,
};

/*
 * The index, in importers, of the only format in which the files of the job can
 * be read, with its labels; says which on stderr. Dies if there is none, or
 * more than one. Standard input can be read from its start afterwards.
 */
size_t recognise_format(const struct job *job);

#endif
