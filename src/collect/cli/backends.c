/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of backends. */
#include "collect/core/backend.h"

extern const struct backend cuda_backend, edu_backend, i210_backend,
    mmio_backend, nvme_backend, pci_backend, pmu_backend, rdma_backend,
    sim_backend, vulkan_backend;

const struct backend *const backends[] = {
    &pci_backend,    &pmu_backend, &i210_backend, &cuda_backend,
    &vulkan_backend, &edu_backend, &nvme_backend, &mmio_backend,
    &rdma_backend,   &sim_backend, NULL,
};
