/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The backend i210 on a kernel and a NIC that are played here: a register
 * that holds the longest delay until it is read, and packets that leave when
 * the clock says so.
 */
#ifndef PCB_TESTS_RIG_I210_H
#define PCB_TESTS_RIG_I210_H

#include "collect/i210/i210.h"

#include <signal.h>

#define SAMPLES_MAX 256

/* What goes wrong, and with which packet; 0 is nothing. */
struct fake {
	struct nic nic;
	uint64_t now, launch;
	uint32_t delay, held;
	unsigned sent, missed_from, missed_to, zero_from, zero_to;
	unsigned thief; /* somebody reads after this many packets */
	unsigned down_at, unplugged_at, gone_at, signal_at, ones_at;
	uint64_t lag;       /* until a reset begins */
	uint64_t settled;   /* when the carrier is back after a reset */
	uint64_t set_again; /* when its clock is */
	int64_t offset;
	unsigned moved_at; /* the clock, by `by`, while this packet waits */
	int64_t by;
	uint64_t back; /* of ours then */
	int attach_error, read_error, clock_error, take_error;
	int socket_error, send_error, find_error;
	unsigned interrupted; /* so many sleeps with a packet under way */
	bool refuses;         /* what is missed, when it is sent */
	bool is_missed, taken, attached, has_socket;
	unsigned resets;
};

/* One NIC and one session at a time, those of the test that runs. */
extern struct fake fake;
extern const struct nic_system fake_nics;

extern struct rig {
	volatile sig_atomic_t interrupted;
	uint64_t raw[2 * SAMPLES_MAX];
	struct preamble preamble, ending;
	struct setting settings[2];
	struct request request;
	struct session session;
} rig;

/*
 * cmocka fixtures: before each test there is an I210 in good order, eth1, and
 * behind it nothing of it is left taken.
 */
int rig_begin(void **state);
int rig_end(void **state);

#define RIG_TEST(name) cmocka_unit_test_setup_teardown(name, rig_begin, rig_end)

/* Sets an option of the session. */
void rig_set(const char *name, const char *value);

/* Opens and takes samples; rig.session.series[0].n says how many there are. */
bool rig_run(uint64_t want);

/* Fails the test unless it cannot be opened, for a reason with this part. */
void assert_not_opened(int status, const char *part);

/* Fails the test unless the session failed for a reason with this part. */
void assert_failure(int status, const char *part);

/* Fails the test unless the end line says so. */
void assert_end(const char *key, const char *value);

#endif
