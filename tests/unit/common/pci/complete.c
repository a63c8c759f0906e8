/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What files of sysfs show is what registers show. */
#include "rig/cmocka.h"

#include "common/doctor/doctor.h"
#include "common/pci/tree.h"
#include "common/sys/sysfs.h"
#include "rig/support.h"

/* A switch with two devices, a device, an integrated one; and a PCI bus. */
static const struct place {
	const char *path;
	unsigned class;
	int lanes; /* -1: no files of a link */
	enum port port;
} places[] = {
    {"0000:00:01.0", 0x060400, 16, PORT_ROOT},
    {"0000:00:01.0/0000:01:00.0", 0x060400, 16, PORT_UPSTREAM},
    {"0000:00:01.0/0000:01:00.0/0000:02:00.0", 0x060400, 8, PORT_DOWNSTREAM},
    {"0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0", 0x020000, 8,
     PORT_ENDPOINT},
    {"0000:00:01.0/0000:01:00.0/0000:02:01.0", 0x060400, 0, PORT_DOWNSTREAM},
    {"0000:00:02.0", 0x060400, 4, PORT_ROOT},
    {"0000:00:02.0/0000:07:00.0", 0x010802, 4, PORT_ENDPOINT},
    {"0000:00:03.0", 0x088000, 0, PORT_INTEGRATED},
    {"0000:00:1f.0", 0x060100, -1, PORT_NONE},
    {"0000:00:1c.0", 0x060400, 1, PORT_ROOT},
    {"0000:00:1c.0/0000:08:00.0", 0x060400, 1, PORT_TO_PCI},
    {"0000:00:1c.0/0000:08:00.0/0000:09:00.0", 0x040100, -1, PORT_NONE},
};

static struct pci_tree *
read_paste(const char *text)
{
	FILE *f = fopen("paste", "w");
	struct pci_tree *tree;

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	tree = pci_tree_read_dump("paste", 0);
	assert_non_null(tree);
	return tree;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(places_say_what_a_port_is)
{
	char *text = xstrdup("");
	struct pci_tree *tree;

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const struct place *p = &places[i];

		xappend(&text, "", "/sys/devices/pci0000:00/%s/class:0x%06x\n",
		        p->path, p->class);
		if (p->lanes >= 0)
			xappend(&text, "",
			        "/sys/devices/pci0000:00/%s/current_link_width:"
			        "%d\n/sys/devices/pci0000:00/%s/"
			        "current_link_speed:%s\n",
			        p->path, p->lanes, p->path,
			        p->lanes ? "8.0 GT/s PCIe" : "Unknown");
	}
	tree = read_paste(text);
	assert_int_equal(tree->n, ARRAY_LEN(places));
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const struct place *p = &places[i];
		const char *slash = strrchr(p->path, '/');
		const struct pci_function *f =
		    pci_find(tree, slash ? slash + 1 : p->path);

		assert_non_null(f);
		if (f->pcie.port != p->port)
			fail_msg("%s is %d, not %d", p->path, f->pcie.port,
			         p->port);
		if (slash)
			assert_memory_equal(f->up->bdf, slash - 12, 12);
		else
			assert_null(f->up);
		if (p->port == PORT_ENDPOINT) {
			assert_int_equal(f->link.gen, 3);
			assert_int_equal(f->link.lanes, p->lanes);
			assert_true(f->link.assumed);
		}
	}
	pci_tree_free(tree);
	free(text);
}

/* Dumps ------------------------------------------------------------------- */

/* Whether files of sysfs would show all that is asked of its links. */
static bool
is_complete(const struct pci_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if (*f->bdf == '?' || f->pcie.port == PORT_UNSEEN ||
		    f->pcie.port == PORT_FROM_PCI || doctor_is_dead(f) ||
		    (f->pcie.port != PORT_NONE &&
		     f->pcie.port != PORT_INTEGRATED &&
		     (!f->registers.seen[REG_LNKCAP] ||
		      !f->registers.seen[REG_LNKSTA])) ||
		    /* A port that was left out. */
		    (!f->up && f->pcie.port != PORT_ROOT &&
		     f->pcie.port != PORT_NONE &&
		     f->pcie.port != PORT_INTEGRATED))
			return false;
	}
	return tree->n > 1;
}

/* Its directory in sysfs; free it. */
static char *
path_of(const struct pci_function *f)
{
	char *below = xstrdup(f->bdf), *path;

	for (; f->up; f = f->up) {
		path = xasprintf("%s/%s", f->up->bdf, below);
		free(below);
		below = path;
	}
	path = xasprintf("/sys/devices/pci%.*s/%s", (int)strlen(f->bdf) - 5,
	                 f->bdf, below);
	free(below);
	return path;
}

/* What grep would print of the files of sysfs. */
static char *
as_files(const struct pci_tree *tree)
{
	static const char *const rates[] = {"Unknown", "2.5",  "5.0", "8.0",
	                                    "16.0",    "32.0", "64.0"};
	char *text = xstrdup("");

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		bool linked = f->pcie.port != PORT_INTEGRATED;
		unsigned gen = linked ? f->pcie.gen % 7 : 0;
		unsigned most = linked ? pci_max_gen(f) % 7 : 0;
		/* A listing may show the class in words that it alone knows. */
		bool bridge = f->pcie.port == PORT_ROOT ||
		              f->pcie.port == PORT_UPSTREAM ||
		              f->pcie.port == PORT_DOWNSTREAM ||
		              f->pcie.port == PORT_TO_PCI || f->first_bus;
		char *path = path_of(f);

		xappend(&text, "",
		        "%s/class:0x%06x\n%s/vendor:0x%04x\n"
		        "%s/device:0x%04x\n",
		        path, bridge ? 0x060400 : f->class_code >> 8, path,
		        f->vendor_id, path, f->device_id);
		if (f->pcie.port != PORT_NONE)
			xappend(&text, "",
			        "%s/current_link_speed:%s GT/s PCIe\n"
			        "%s/current_link_width:%u\n"
			        "%s/max_link_speed:%s GT/s PCIe\n"
			        "%s/max_link_width:%u\n",
			        path, rates[gen], path,
			        linked ? f->pcie.lanes : 0, path, rates[most],
			        path, linked ? pci_max_lanes(f) : 0);
		free(path);
	}
	return text;
}

static bool
has_finding(const struct doctor *d, const struct doctor_finding *f)
{
	for (size_t i = 0; i < d->found.n; i++) {
		if (!strcmp(d->found.row[i].check, f->check) &&
		    !strcmp(d->found.row[i].device, f->device))
			return true;
	}
	return false;
}

static struct doctor
examine(const struct pci_tree *tree)
{
	struct doctor d = {.tree = tree};

	for (size_t i = 0; i < tree->n; i++)
		doctor_check_function(&d, &tree->function[i]);
	return d;
}

/* Fails unless each link finding of `a` is one of `b`, except this check. */
static void
must_find(const char *file, const struct doctor *a, const struct doctor *b,
          const char *except)
{
	for (size_t i = 0; i < a->found.n; i++) {
		const struct doctor_finding *f = &a->found.row[i];

		/* Only registers say if an empty port has a link, or a card. */
		if (!strncmp(f->check, "link_", 5) &&
		    strcmp(f->check, "link_unseen") != 0 &&
		    strcmp(f->check, "link_down") != 0 &&
		    strcmp(f->check, except) != 0 && !has_finding(b, f))
			fail_msg("%s: %s %s by %s only: %s", file, f->check,
			         f->device, a->tree->facts.n ? "files" : "dump",
			         f->what);
	}
}

TEST(files_show_what_a_dump_shows)
{
	const char *data = getenv("PCB_TEST_DATA"), *top = getenv("TOP");
	size_t compared = 0, links = 0;
	glob_t files = {0};

	find_files(&files, "%s/tests/data/lspci/*.txt", top ? top : ".");
	if (data)
		find_files(&files, "%s/lspci/*", data);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *file = files.gl_pathv[i];
		struct pci_tree *dump = pci_tree_read_dump(file, 0), *paste;
		struct doctor a, b;
		char *text;

		if (!is_complete(dump)) {
			pci_tree_free(dump);
			continue;
		}
		compared++;
		text = as_files(dump);
		paste = read_paste(text);
		assert_int_equal(paste->n, dump->n);
		for (size_t k = 0; k < dump->n; k++) {
			const struct pci_function *f = &dump->function[k];
			const struct pci_function *g = &paste->function[k];

			assert_string_equal(f->bdf, g->bdf);
			if (f->link.gen != g->link.gen ||
			    f->link.lanes != g->link.lanes ||
			    (f->link.bus == BUS_PCIE &&
			     (f->could_gen != g->could_gen ||
			      f->could_lanes != g->could_lanes)))
				fail_msg("%s: %s gen%ux%u is gen%ux%u", file,
				         f->bdf, f->link.gen, f->link.lanes,
				         g->link.gen, g->link.lanes);
			links += f->link.bus == BUS_PCIE;
		}
		a = examine(dump);
		b = examine(paste);
		/* Only registers tell which ports have slots. */
		must_find(file, &a, &b, "");
		must_find(file, &b, &a, "link_slot");
		doctor_findings_free(&a.found);
		doctor_findings_free(&b.found);
		pci_tree_free(dump);
		pci_tree_free(paste);
		free(text);
	}
	printf("%zu dumps, %zu links\n", compared, links);
	assert_true(links > 0);
	globfree(&files);
}
