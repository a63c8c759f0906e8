/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Roots of LeakSanitizer: by default it also scans 12 MB of the sanitizers' own
 * data, which doubles the run time of programs.
 */
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/lsan_interface.h>

#include "common/base/util.h"

const char *
__lsan_default_options(void)
{
	return "use_globals=0";
}

static int turned_off;

int
__lsan_is_turned_off(void)
{
	return turned_off;
}

static int
add_data_of(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(object->dlpi_name, "/libasan.so") ||
	    strstr(object->dlpi_name, "/libubsan.so"))
		return 0;
	/*
	 * What a driver of Vulkan leaks cannot be told from our leaks: its
	 * module is unloaded, and has no name any more.
	 */
	if (strstr(object->dlpi_name, "/libvulkan.so"))
		turned_off = 1;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && part->p_flags & PF_W)
			__lsan_register_root_region(
			    (void *)(object->dlpi_addr + part->p_vaddr),
			    part->p_memsz);
	}
	return 0;
}

/*
 * A program that gives up ends in the middle of a call that does not return:
 * the compiler keeps no local variable of its callers, so that what they point
 * to looks lost in some runs and not in others.
 */
static void
leave_to_kernel(int status, void *unused)
{
	(void)unused;
	if (status == STATUS_TROUBLE)
		turned_off = 1;
}

__attribute__((constructor)) static void
watch_status(void)
{
	on_exit(leave_to_kernel, NULL);
}

/* At exit, when the libraries that a program opens are loaded, too. */
__attribute__((destructor)) static void
add_data(void)
{
	dl_iterate_phdr(add_data_of, NULL);
}
