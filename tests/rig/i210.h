/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backend i210 on a fake kernel and NIC: a register that holds the longest
 * delay until it is read, and packets that leave by the clock.
 */
#ifndef PCB_TESTS_RIG_I210_H
#define PCB_TESTS_RIG_I210_H

#include "collect/i210/i210.h"

#include <signal.h>

#define SAMPLES_MAX 256

/* Faults, and the number of the packet they hit; 0: none. */
struct fake {
	struct nic nic;
	uint64_t now, launch;
	uint32_t delay, held;
	unsigned sent, missed_from, missed_to, zero_from, zero_to;
	unsigned thief; /* somebody reads after this many */
	unsigned down_at, unplugged_at, gone_at, signal_at, ones_at;
	uint64_t lag;       /* until a reset starts */
	uint64_t settled;   /* when the carrier is back after a reset */
	uint64_t set_again; /* when the clock is set again */
	int64_t offset;
	unsigned moved_at; /* clock moves `by` while this packet waits */
	int64_t by;
	uint64_t back; /* undone by our clock then */
	int attach_error, read_error, clock_error, take_error;
	int socket_error, send_error, find_error;
	unsigned interrupted; /* sleeps interrupted with a packet in flight */
	bool refuses;         /* a missed packet is refused when sent */
	bool is_missed, taken, attached, has_socket;
	unsigned resets;
};

/* One NIC and one session, for the current test. */
extern struct fake fake;

extern struct rig {
	volatile sig_atomic_t interrupted;
	uint64_t raw[2 * SAMPLES_MAX];
	struct preamble preamble, ending;
	struct setting settings[2];
	struct request request;
	struct session session;
	uint64_t state[2048]; /* of the backend */
} rig;

/*
 * cmocka fixtures: each test starts with a working I210, eth1, and checks that
 * nothing of it is left taken.
 */
int rig_begin(void **state);
int rig_end(void **state);

#define RIG_TEST(name) TEST_IN(name, rig_begin, rig_end)

/* Sets an option of the session. */
void rig_set(const char *name, const char *value);

/* Opens and takes samples; their number is rig.session.series[0].n. */
bool rig_run(uint64_t want);

/* Fails the test unless opening fails with this text in the reason. */
void assert_not_opened(int status, const char *part);

/* Fails the test unless the session failed with this text in the reason. */
void assert_failure(int status, const char *part);

/* Fails the test unless the end line has this value. */
void assert_end(const char *key, const char *value);

#endif
