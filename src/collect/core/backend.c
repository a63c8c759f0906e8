/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the optional functions of a backend. */
#include "collect/core/backend.h"

void
backend_probe(const struct backend *backend, const struct request *request,
              struct findings *list)
{
	if (backend->probe)
		backend->probe(request, list);
}
