#include "collect/backend.h"

extern const struct backend gpu_backend, i210_backend, pci_backend, pmu_backend,
    sim_backend, replay_backend;

const struct backend *const backends[] = {
    &pci_backend, &pmu_backend,    &i210_backend, &gpu_backend,
    &sim_backend, &replay_backend, NULL,
};
