/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about the status of a controller and of commands. */
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CC   0x14
#define CSTS 0x1c

static struct pci_function function = {.bdf = "0000:03:00.0"};
static struct vfio_engine device = {.function = &function};

static void
assert_failed(struct session *s, const char *text)
{
	assert_int_equal(s->failure.status, STATUS_TROUBLE);
	assert_string_equal(s->failure.text, text);
	free(s->failure.text);
	*s = (struct session){0};
}

static void
states_of_a_controller(void **state)
{
	static const struct {
		uint32_t csts;
		uint64_t ns;
		const char *said; /* NULL: it is alive */
	} cases[] = {
	    {0x1, UINT64_C(9999999999), NULL},
	    {0x1, UINT64_C(10000000000),
	     "0000:03:00.0: a command did not complete within 10 s"},
	    {0x0, 0,
	     "0000:03:00.0: the controller has stopped (CSTS.RDY): it was "
	     "reset, or its memory was disabled"},
	    {0x3, 0,
	     "0000:03:00.0: the controller has failed (CSTS.CFS): it may not "
	     "reach host memory, see dmesg"},
	    {UINT32_MAX, 0,
	     "0000:03:00.0: the controller's registers read all ones: it was "
	     "removed, or its memory was disabled"},
	};
	uint32_t registers[16] = {0};
	struct nvme nvme = {.engine = &device,
	                    .bar = (volatile unsigned char *)registers};
	struct session s = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		registers[CSTS / 4] = cases[i].csts;
		assert_int_equal(nvme_is_alive(&s, &nvme, cases[i].ns),
		                 !cases[i].said);
		if (cases[i].said)
			assert_failed(&s, cases[i].said);
	}
}

/* Type in bits 10:8, code in bits 7:0; other flags above. */
static void
statuses_of_commands(void **state)
{
	static const struct {
		uint16_t status;
		const char *said;
	} cases[] = {
	    {0x0004, "0000:03:00.0: Identify: status type 0, code 0x04: it "
	             "does not reach host memory, see dmesg for faults of the "
	             "IOMMU"},
	    {0x4080, "0000:03:00.0: Identify: status type 0, code 0x80: beyond "
	             "the last block"},
	    {0x6281, "0000:03:00.0: Identify: status type 2, code 0x81: the "
	             "medium could not be read"},
	    {0x0104, "0000:03:00.0: Identify: status type 1, code 0x04"},
	    {0x0081, "0000:03:00.0: Identify: status type 0, code 0x81"},
	    {0x0f04, "0000:03:00.0: Identify: status type 7, code 0x04"},
	};
	struct nvme nvme = {.engine = &device};
	struct session s = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_false(
		    nvme_failed(&s, &nvme, "Identify", cases[i].status));
		assert_failed(&s, cases[i].said);
	}
}

/* A controller whose registers disappear for a while after a stop. */
static void *
goes_away(void *data)
{
	volatile uint32_t *registers = data;
	const struct timespec away = {.tv_nsec = 200000000};

	while (registers[CC / 4] & 1) {
		if (registers[CC / 4] >> 14 & 3)
			registers[CSTS / 4] = 0x9;
	}
	registers[CSTS / 4] = UINT32_MAX;
	nanosleep(&away, NULL);
	registers[CSTS / 4] = 0;
	return NULL;
}

/* Else the next driver would find no controller. */
static void
a_controller_that_goes_away_is_waited_for(void **state)
{
	static const struct pci_function pm1725 = {
	    .bdf = "0000:03:00.0", .vendor_id = 0x144d, .device_id = 0xa821};
	struct vfio_engine away = {.function = &pm1725};
	struct nvme_command entry;
	uint32_t registers[16] = {[CC / 4] = 1, [CSTS / 4] = 1};
	struct nvme nvme = {.engine = &away,
	                    .bar = (volatile unsigned char *)registers,
	                    .caps = {.timeout_ns = UINT64_C(20000000000)},
	                    .admin = {.sq = &entry}};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, goes_away, registers),
	                 0);
	nvme_close(&nvme);
	assert_int_equal(*(volatile uint32_t *)&registers[CSTS / 4], 0);
	pthread_join(thread, NULL);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(states_of_a_controller),
	    cmocka_unit_test(statuses_of_commands),
	    cmocka_unit_test(a_controller_that_goes_away_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
