#include "collect/backend.h"

extern const struct backend gpu_backend, pci_backend, pmu_backend, sim_backend,
    replay_backend;

const struct backend *const backends[] = {
    &pci_backend, &pmu_backend,    &gpu_backend,
    &sim_backend, &replay_backend, NULL,
};
