/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives the simulated device through its backend, as pcb-collect does. */
#ifndef PCB_TESTS_RIG_SIM_H
#define PCB_TESTS_RIG_SIM_H

#include "collect/core/backend.h"
#include "collect/sim/device.h"

#include <signal.h>

#define COUNT 20000

/* Those of `exact`, and some more. */
#define OPTIONS_MAX 32

extern const struct backend sim_backend;

/* What to simulate; `options` are words NAME=VALUE. */
struct scene {
	enum bench_id bench;
	const char *options;
	bool exact;
	struct point point;
	uint64_t seed, count, buffer;
	const char *which;
};

/* An open device and its output. */
struct rig {
	struct setting setting[OPTIONS_MAX];
	struct request request;
	struct preamble preamble;
	struct session session;
	struct sim_device device;
	uint64_t raw[COUNT];
};

/* Stops a run; rig_open sets it to 0. */
extern volatile sig_atomic_t rig_halt;

/* A cold window of 64 KiB, and COUNT samples. */
struct scene noisy(enum bench_id bench, uint64_t size);

/*
 * The same without random effects, with an exact clock and a few round costs:
 * 100 ns in the device, 400 in the root complex, 70 in memory, and the time of
 * packets on a link gen3x8/mps256/mrrs512/rcb64.
 */
struct scene exact(enum bench_id bench, uint64_t size, const char *options);

/* False with the reason in rig->session.failure; rig_close follows anyway. */
bool rig_open(struct rig *rig, const struct scene *sc);
bool rig_prepare(struct rig *rig, const struct point *point);
void rig_close(struct rig *rig);

/* Samples of a whole session, valid until the next one. */
const uint64_t *simulate(struct scene sc);

/* The first sample in ps; the mean of all samples. */
uint64_t latency(struct scene sc);
double mean(struct scene sc);

/* The bandwidth of the session, which must have moved all bytes. */
double gbit_s(struct scene sc);

/* Fails the test and prints the scene unless its first sample is this. */
void assert_latency(struct scene sc, uint64_t ps);

/* Fails the test unless the scene is refused with this text in the message. */
void assert_refused(struct scene sc, int status, const char *text);

#endif
