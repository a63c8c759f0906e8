/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/pci.h"
#include "rig/cmocka.h"

#include "rig/support.h"

#include <sys/stat.h>

void
run_shell(const char *command)
{
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

int
empty_tree(void **state)
{
	run_shell("rm -rf devices && mkdir devices");
	return 0;
}

static void
put_file(const char *bdf, const char *name, struct bytes content)
{
	char *path = xasprintf("devices/%s/%s", bdf, name);

	write_file(path, content);
	free(path);
}

void
make_function(const char *bdf, const struct byte *bytes, size_t size)
{
	char config[4096] = "\x86\x80\x34\x12";
	char *dir = xasprintf("devices/%s", bdf);

	for (; bytes && bytes->at; bytes++)
		config[bytes->at] = (char)bytes->value;
	assert_int_equal(mkdir(dir, 0777), 0);
	put_file(bdf, "config", (struct bytes){config, size});
	put_file(bdf, "vendor", (struct bytes)BYTES("0x8086\n"));
	put_file(bdf, "device", (struct bytes)BYTES("0x1234\n"));
	free(dir);
}

struct pci_tree *
read_tree(size_t n)
{
	struct pci_tree *tree = pci_tree_read(".");

	assert_non_null(tree);
	assert_int_equal(tree->n, n);
	return tree;
}
