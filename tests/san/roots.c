/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where LeakSanitizer looks for pointers: by itself also in the 12 MB of the
 * sanitizers' own data, and a program takes twice as long.
 */
#include <link.h>
#include <string.h>

#include <sanitizer/lsan_interface.h>

const char *
__lsan_default_options(void)
{
	return "use_globals=0";
}

static int
add_data_of(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (strstr(object->dlpi_name, "/libasan.so") ||
	    strstr(object->dlpi_name, "/libubsan.so"))
		return 0;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && part->p_flags & PF_W)
			__lsan_register_root_region(
			    (void *)(object->dlpi_addr + part->p_vaddr),
			    part->p_memsz);
	}
	return 0;
}

/* At the end, when libraries that a program opens are loaded, too. */
__attribute__((destructor)) static void
add_data(void)
{
	dl_iterate_phdr(add_data_of, NULL);
}
