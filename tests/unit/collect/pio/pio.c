/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to a register, what disturbs a read, and reads by other CPUs. */
#include "collect/host/cpu.h"

#include "collect/host/restore.h"
#include "collect/pio/pio.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <numa.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
	unsigned opened, closed;
	unsigned refused; /* index of the open that fails */
	atomic_uint reads;

	/* Of the reading thread. */
	int policy;
	sigset_t blocked;
	cpu_set_t cpus;

	/* Of a machine with more CPUs than this one may have. */
	bool is_taken;
	char order[16];
} made_up;

/* Its threads run anywhere; records the order in which CPUs are taken. */
int
pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size,
                            const cpu_set_t *cpus)
{
	int (*real)(pthread_attr_t *, size_t, const cpu_set_t *);

	if (!made_up.is_taken) {
		*(void **)&real =
		    dlsym(RTLD_NEXT, "pthread_attr_setaffinity_np");
		return real(attributes, size, cpus);
	}
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		if (CPU_ISSET_S(cpu, size, cpus))
			made_up.order[strlen(made_up.order)] =
			    (char)('0' + cpu);
	}
	return 0;
}

/* libnuma's prints to stderr. */
void
numa_warn(int number, char *format, ...)
{
	assert_null(format);
}

/* Descriptors of readers, which no other file has. */
#define READERS 200

/* Replaces the C library's. */
int
close(int fd)
{
	made_up.closed += fd >= READERS;
	return (int)syscall(SYS_close, fd);
}

static bool
open_made_up(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	r->fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, READERS);
	return ++made_up.opened != made_up.refused ||
	       fail(s, STATUS_ABSENT, "refused");
}

/* The first reads fail. */
static bool
read_made_up(const struct reader *r, uint32_t *value)
{
	*value = 0;
	made_up.policy = sched_getscheduler(0);
	pthread_sigmask(SIG_SETMASK, NULL, &made_up.blocked);
	sched_getaffinity(0, sizeof made_up.cpus, &made_up.cpus);
	return atomic_fetch_add(&made_up.reads, 1) >= 3;
}

static const struct access_method method = {
    .name = "made up",
    .open = open_made_up,
    .read = read_made_up,
};

static struct target item[2] = {{.reader.method = &method},
                                {.reader.method = &method}};

static const struct targets two = {.item = item, .n = 2};

static int
forget(void **state)
{
	made_up.opened = made_up.closed = made_up.refused = 0;
	made_up.is_taken = false;
	atomic_store(&made_up.reads, 0);
	return 0;
}

/* Until there are some reads. */
static void
load_for_a_while(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	assert_true(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	for (int tries = 0; !load_count(&load) && tries < 10000; tries++)
		nanosleep(&moment, NULL);
	assert_true(load_count(&load) > 0);
	load_end(&load);
}

/* Otherwise rows would claim a load that does not exist. */
static void
a_read_that_fails_is_not_the_end(void **state)
{
	load_for_a_while();
	assert_int_equal(made_up.opened, 2);
	assert_int_equal(made_up.closed, 2);
}

/* The measuring process may be a real-time one, and signals are for it. */
static void
readers_are_ordinary_threads_of_one_cpu(void **state)
{
	const struct sched_param param = {0};

	assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &param), 0);
	load_for_a_while();
	assert_int_equal(sched_getscheduler(0), SCHED_BATCH);
	assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &param), 0);
	assert_int_equal(made_up.policy, SCHED_OTHER);
	assert_int_equal(CPU_COUNT(&made_up.cpus), 1);
	assert_true(sigismember(&made_up.blocked, SIGINT));
	assert_false(sigismember(&made_up.blocked, SIGBUS));
}

/* The CPUs of a core have this list, the others none. */
static void
write_core(const char *core)
{
	char path[] = "sys/devices/system/cpu/cpu0/topology/"
	              "thread_siblings_list";
	char *number = strstr(path, "cpu0") + 3;

	for (*number = '0'; *number < '8'; ++*number) {
		const char *text = strchr(core, *number) ? core : "";

		write_below(path, (struct bytes){text, strlen(text)});
	}
}

/* CPU 0 of the CPUs 0 to 6 measures. */
static void
check_order(const char *core, size_t n, const char *order)
{
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = numa_bitmask_alloc(64);

	for (unsigned cpu = 0; cpu < 7; cpu++)
		numa_bitmask_setbit(allowed, cpu);
	write_core(core);
	made_up.is_taken = true;
	memset(made_up.order, 0, sizeof made_up.order);
	assert_true(load_begin(&s, &load, &two, n, allowed, 0));
	load_end(&load);
	numa_free_cpumask(allowed);
	assert_string_equal(made_up.order, order);
}

static void
the_core_that_measures_is_taken_last(void **state)
{
	static struct {
		char core[8];
		size_t n;
		const char *order;
	} rows[] = {
	    {"", 3, "123"},    {"0", 3, "123"},       {"02", 3, "134"},
	    {"0123", 2, "45"}, {"0123", 6, "456123"},
	};

	root_set(".");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check_order(rows[i].core, rows[i].n, rows[i].order);
}

static void
what_was_opened_before_a_failure_is_closed(void **state)
{
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	made_up.refused = 2;
	assert_false(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	assert_string_equal(s.failure.text, "refused");
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	load_end(&load);
	assert_int_equal(made_up.closed, 2);
	assert_int_equal(made_up.reads, 0);
	free(s.failure.text);
}

/* Quiet ------------------------------------------------------------------ */

#define GOVERNOR(cpu) "sys/devices/system/cpu/" cpu "/cpufreq/scaling_governor"

/* Replaces the C library's. */
int
sched_getcpu(void)
{
	return 3;
}

static void
assert_governors(const char *two, const char *three)
{
	char *second = read_first_line(GOVERNOR("cpu2"));
	char *third = read_first_line(GOVERNOR("cpu3"));

	assert_string_equal(second, two);
	assert_string_equal(third, three);
	free(second);
	free(third);
}

/* The chosen CPU's, or the current one's; no other. */
static void
the_governor_is_that_of_our_cpu(void **state)
{
	static char hold_option[] = "hold";
	static struct setting given[] = {{hold_option, "governor"}};
	static const struct request request = {.bench_options = {given, 1}};
	static const struct {
		int cpu;
		const char *two, *three;
	} cases[] = {{2, "performance", "schedutil"},
	             {-1, "powersave", "performance"}};

	root_set(".");
	write_below("run/lock", (struct bytes)BYTES(""));
	write_below(GOVERNOR("cpu2"), (struct bytes)BYTES("powersave\n"));
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("schedutil\n"));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct preamble pre = {0};
		struct session s = {.request = &request, .preamble = &pre};
		struct quiesce hold = {0};

		assert_true(quiesce_begin(&s, &hold, NULL, cases[i].cpu));
		assert_governors(cases[i].two, cases[i].three);
		assert_string_equal(preamble_get(&pre, "held"), "governor");
		changes_check(&hold.changes);
		quiesce_end(&hold);
		assert_governors("powersave", "schedutil");
		preamble_free(&pre);
	}
}

static void
remove_governor(void)
{
	if (unlink(GOVERNOR("cpu3")) && rmdir(GOVERNOR("cpu3")))
		abort();
}

/* The governor cannot be read at the end, but later. */
static void
hold_until_offline(const void *data)
{
	static char hold_option[] = "hold";
	static struct setting given[] = {{hold_option, "governor"}};
	static const struct request request = {.bench_options = {given, 1}};
	struct preamble pre = {0};
	struct session s = {.request = &request, .preamble = &pre};
	struct quiesce hold = {0};
	char *governor;
	int status;

	quiesce_begin(&s, &hold, NULL, 3);
	remove_governor();
	mkdir(GOVERNOR("cpu3"), 0777);
	quiesce_end(&hold);
	preamble_free(&pre);
	remove_governor();
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("performance\n"));
	status = changes_restore_left();
	governor = read_first_line(GOVERNOR("cpu3"));
	printf("%d %s\n", status, governor);
	free(governor);
}

/* The kernel does not answer for an offline CPU. */
static void
the_governor_of_a_cpu_that_went_offline_is_restored(void **state)
{
	struct ended e;

	root_set(".");
	write_below("run/lock", (struct bytes)BYTES(""));
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("schedutil\n"));
	e = in_child(hold_until_offline, NULL, (struct bytes)BYTES(""),
	             FEED_FILE);
	assert_ended(
	    &e, 0, "./" GOVERNOR("cpu3") "\n0 schedutil\n",
	    "t: ./" GOVERNOR("cpu3") ": cannot restore "
	                             "'schedutil': Is a directory: echo "
	                             "schedutil >./" GOVERNOR("cpu3") "\n");
	ended_free(&e);
}

/* MCFG ------------------------------------------------------------------- */

#define HEADER 44
#define ENTRY  16

struct window {
	uint64_t base;
	unsigned segment, first, last;
};

static void
put(unsigned char *to, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* Writes a table as firmware does; returns its length. */
static size_t
make_table(unsigned char *table, const struct window *windows, size_t n)
{
	size_t length = HEADER + n * ENTRY;
	unsigned char sum = 0;

	memset(table, 0, length);
	memcpy(table, "MCFG", 4);
	put(table + 4, length, 4);
	for (size_t i = 0; i < n; i++) {
		unsigned char *entry = table + HEADER + i * ENTRY;

		put(entry, windows[i].base, 8);
		put(entry + 8, windows[i].segment, 2);
		put(entry + 10, windows[i].first, 1);
		put(entry + 11, windows[i].last, 1);
	}
	for (size_t i = 0; i < length; i++)
		sum = (unsigned char)(sum + table[i]);
	table[9] = (unsigned char)-sum;
	return length;
}

static const struct window windows[] = {
    {0xe0000000, 0, 0, 0x7f},
    {0x380000000000, 0, 0x80, 0xff},
    {0x4000000000, 1, 0x10, 0x1f},
};

static void
addresses_are_those_of_the_window(void **state)
{
	static const struct {
		struct bdf_numbers bdf;
		uint64_t address; /* 0: none */
	} cases[] = {
	    {{0, 0, 0, 0}, 0xe0000000},
	    {{0, 0, 0x1f, 7}, 0xe00ff000},
	    {{0, 3, 0, 0}, 0xe0300000},
	    {{0, 0x7f, 1, 2}, 0xe7f0a000},
	    /* The base is that of bus 0, in the window or not. */
	    {{0, 0x80, 0, 0}, 0x380008000000},
	    {{1, 0x1f, 0, 0}, 0x4001f00000},
	    {{1, 0x0f, 0, 0}, 0},
	    {{1, 0x20, 0, 0}, 0},
	    {{2, 0, 0, 0}, 0},
	    {{0x10000, 0, 0, 0}, 0},
	};
	unsigned char table[256];
	size_t size = make_table(table, windows, ARRAY_LEN(windows));

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t address = 0;
		const char *why =
		    mcfg_find(table, size, &cases[i].bdf, &address);

		assert_int_equal(address, cases[i].address);
		if (cases[i].address)
			assert_null(why);
		else
			assert_string_equal(why,
			                    "no ECAM window holds its bus");
	}
}

static void
assert_refused(const unsigned char *table, size_t size)
{
	const struct bdf_numbers bdf = {0};
	uint64_t address;

	assert_string_equal(mcfg_find(table, size, &bdf, &address),
	                    "not a table of ECAM windows");
}

static void
damaged_tables_are_refused(void **state)
{
	unsigned char table[256];
	size_t size = make_table(table, windows, ARRAY_LEN(windows));

	assert_refused(table, 0);
	for (size_t i = 0; i < size; i++)
		assert_refused(table, i);
	for (size_t i = 0; i < size; i++) {
		table[i] ^= 0x10;
		assert_refused(table, size);
		table[i] ^= 0x10;
	}
}

/* /proc/iomem of a QEMU with q35, and of an older kernel. */
static void
windows_that_the_kernel_uses(void **state)
{
	static const struct {
		uint64_t address;
		bool used;
	} rows[] = {
	    {0xafffffff, false},
	    {0xb0000000, true},
	    {0xb0100008, true},
	    {0xbfffffff, true},
	    {0xc0000000, false},
	    {0xfe000000, false},
	    {UINT64_C(0x7ff0000008), true},
	    {0, false},
	};

	run_shell("cat >iomem <<'EOF'\n"
	          "00001000-0009fbff : System RAM\n"
	          "b0000000-bfffffff : Reserved\n"
	          "  b0000000-bfffffff : PCI ECAM 0000 [bus 00-ff]\n"
	          "fe000000-fe003fff : 0000:01:00.0\n"
	          "7ff0000000-7fffffffff : PCI MMCONFIG 0001 [bus 00-ff]\n"
	          "EOF");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(mcfg_is_used("iomem", rows[i].address),
		                 rows[i].used);
	/* As ordinary users see it. */
	run_shell("echo '00000000-00000000 : PCI ECAM 0000' >iomem");
	assert_false(mcfg_is_used("iomem", 0xb0000000));
	assert_false(mcfg_is_used("nowhere", 0xb0000000));
}

/* Access ----------------------------------------------------------------- */

#define PORT   "0000:00:01.0"
#define DEVICE "0000:01:00.0"

static const struct access_method by_kernel = {.wakes = true}, past_it;

static const struct reg_addr config = {CONFIG_SPACE, 8}, memory = {0, 8};

static void
make_tree(void)
{
	static const struct byte port[] = {
	    {0x0e, 1}, {0x19, 1}, {0x1a, 1}, {0}};

	empty_tree(NULL);
	make_function(PORT, port, 256);
	make_function(DEVICE, NULL, 256);
	run_shell("mkdir devices/" PORT "/power devices/" DEVICE "/power");
}

static void
assert_sleeps(struct pci_tree *tree, const struct reg_addr *addr, bool sleeps)
{
	const struct pci_function *f = pci_find(tree, DEVICE);
	struct reader r = {.method = &past_it, .function = f, .addr = *addr};

	assert_int_equal(reader_is_suspended(tree, &r), sleeps);
	r.method = &by_kernel;
	assert_false(reader_is_suspended(tree, &r));
}

static void
who_is_asleep(void **state)
{
	static const struct {
		const char *what;
		bool config, memory; /* whether that does not answer */
	} rows[] = {
	    {"true", false, false},
	    {"echo active >devices/" DEVICE "/power/runtime_status", false,
	     false},
	    {"echo suspended >devices/" DEVICE "/power/runtime_status", false,
	     true},
	    {"echo D0 >devices/" DEVICE "/power_state", false, false},
	    {"echo unknown >devices/" DEVICE "/power_state", false, false},
	    {"echo D1 >devices/" DEVICE "/power_state", false, true},
	    {"echo D3hot >devices/" DEVICE "/power_state", false, true},
	    {"echo D3cold >devices/" DEVICE "/power_state", true, true},
	    {"echo suspended >devices/" PORT "/power/runtime_status; "
	     "echo suspended >devices/" DEVICE "/power/runtime_status",
	     true, true},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pci_tree *tree;

		make_tree();
		run_shell(rows[i].what);
		tree = read_tree(2);
		assert_sleeps(tree, &config, rows[i].config);
		assert_sleeps(tree, &memory, rows[i].memory);
		pci_tree_free(tree);
	}
}

static void
who_may_fall_asleep(void **state)
{
	struct pci_tree *tree;
	struct reader r = {.method = &past_it, .addr = memory};

	make_tree();
	tree = read_tree(2);
	r.function = pci_find(tree, DEVICE);
	assert_false(reader_may_suspend(tree, &r));
	run_shell("echo on >devices/" DEVICE "/power/control");
	assert_false(reader_may_suspend(tree, &r));
	run_shell("echo auto >devices/" DEVICE "/power/control");
	assert_true(reader_may_suspend(tree, &r));
	r.method = &by_kernel;
	assert_false(reader_may_suspend(tree, &r));
	r.method = &past_it;
	r.addr = config;
	assert_false(reader_may_suspend(tree, &r));
	pci_tree_free(tree);
}

/* Addresses -------------------------------------------------------------- */

static void
places_have_one_text(void **state)
{
	static const struct {
		const char *text, *column;
	} cases[] = {
	    {"0x08", "0x08"},
	    {"8", "0x08"},
	    {"0", "0x00"},
	    {"0xFFC", "0xffc"},
	    {"256", "0x100"},
	    {"BAR0+0x8", "BAR0+0x8"},
	    {"bar5+16", "BAR5+0x10"},
	    {"BAR2", "BAR2+0x0"},
	    {"BAR1+0xfffffffffffffffc", "BAR1+0xfffffffffffffffc"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct reg_addr addr;
		char text[REG_ADDR_TEXT_MAX];

		assert_null(reg_addr_parse(cases[i].text, &addr));
		reg_addr_format(&addr, text);
		assert_string_equal(text, cases[i].column);
	}
}

static void
others_are_refused(void **state)
{
	static const char *const texts[] = {
	    "",         "0x",    "0x2",    "6",      "0x1000",   "BAR",
	    "BAR6",     "BAR0+", "BAR0+2", "BAR0-4", "BAR0 + 4", "BAR01",
	    "BAR0+BAR", "-4",    "+4",     "0x08 ",  "BAR-1+0",  "4K",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct reg_addr addr = {3, 28};

		assert_non_null(reg_addr_parse(texts[i], &addr));
		assert_int_equal(addr.bar, 3);
		assert_int_equal(addr.offset, 28);
	}
}

static void
ids_and_class_are_constant(void **state)
{
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 0}));
	assert_true(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 8}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){CONFIG_SPACE, 4}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 0}));
	assert_false(reg_addr_is_constant(&(struct reg_addr){0, 8}));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_read_that_fails_is_not_the_end, forget),
	    cmocka_unit_test_setup(readers_are_ordinary_threads_of_one_cpu,
	                           forget),
	    cmocka_unit_test_setup(the_core_that_measures_is_taken_last,
	                           forget),
	    cmocka_unit_test_setup(what_was_opened_before_a_failure_is_closed,
	                           forget),
	    cmocka_unit_test(the_governor_is_that_of_our_cpu),
	    cmocka_unit_test(
	        the_governor_of_a_cpu_that_went_offline_is_restored),
	    cmocka_unit_test(addresses_are_those_of_the_window),
	    cmocka_unit_test(damaged_tables_are_refused),
	    cmocka_unit_test(windows_that_the_kernel_uses),
	    cmocka_unit_test(who_is_asleep),
	    cmocka_unit_test(who_may_fall_asleep),
	    cmocka_unit_test(places_have_one_text),
	    cmocka_unit_test(others_are_refused),
	    cmocka_unit_test(ids_and_class_are_constant),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
