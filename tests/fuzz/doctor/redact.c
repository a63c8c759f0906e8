/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts without names, whatever stands before a name. */
#include "fuzz/target.h"

#include "doctor/redact.h"

#include <sys/mman.h>
#include <unistd.h>

/* The output for a text; free it. */
static char *
redacted(const char *text, size_t size)
{
	int given = memfd_create("given", MFD_CLOEXEC);
	int written = memfd_create("written", MFD_CLOEXEC);
	char *path = xasprintf("/proc/self/fd/%d", given), *output;
	off_t length;

	if (given < 0 || write(given, text, size) != (ssize_t)size ||
	    dup2(written, STDOUT_FILENO) < 0)
		abort();
	redact(&path, 1);
	fflush(stdout);
	length = lseek(written, 0, SEEK_END);
	output = xmalloc((size_t)length + 1);
	if (pread(written, output, (size_t)length, 0) != length)
		abort();
	output[length] = '\0';
	close(given);
	close(written);
	free(path);
	return output;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char planted[] = "\n 02:ff:fe:00:a1:b2 \nbox7@box7:~#\n";
	char *text, *output, *end;
	size_t controls = 0;

	for (size_t i = 0; i < size; i++)
		controls += bytes[i] && bytes[i] < ' ' && bytes[i] != '\n';
	/* Another kind of text, which does not end there, or is refused. */
	if (size > 1 && (*bytes == 0x1f || controls > size / 32))
		return 0;
	text = xmalloc(size + sizeof planted);
	memcpy(text, bytes, size);
	memcpy(text + size, planted, sizeof planted);
	output = redacted(text, size + sizeof planted - 1);
	end = output + strlen(output) - 1;
	for (int line = 0; line < 2; line++) {
		while (end > output && end[-1] != '\n')
			end--;
		must(line ? !strncmp(end, " mac", 4)
		          : !strncmp(end, "host", 4));
		end--;
	}
	free(text);
	free(output);
	return 0;
}
