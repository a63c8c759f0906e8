/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds network interfaces that are a usable I210. */
#include "collect/i210/i210.h"

#include <stdlib.h>
#include <string.h>

#define INTEL 0x8086
#define I211  0x1539

/* Device IDs: copper, fibre, SerDes, SGMII; copper and SerDes without flash. */
static const unsigned i210_ids[] = {0x1533, 0x1536, 0x1537,
                                    0x1538, 0x157b, 0x157c};

static bool
is_i210(const struct nic *nic)
{
	for (size_t i = 0; i < ARRAY_LEN(i210_ids); i++) {
		if (nic->vendor == INTEL && nic->device == i210_ids[i])
			return true;
	}
	return false;
}

char *
i210_why_not(const struct nic *nic)
{
	if (!*nic->bdf)
		return xstrdup("no Intel I210: it is not a PCI device itself");
	if (nic->vendor == INTEL && nic->device == I211)
		return xstrdup("an I211, on which igb refuses launch times");
	if (!is_i210(nic))
		return xasprintf("%04x:%04x is no Intel I210", nic->vendor,
		                 nic->device);
	if (strcmp(nic->driver, "igb") != 0)
		return xasprintf("an I210, but its driver is %s, not igb",
		                 nic->driver);
	if (!nic->up)
		return xasprintf("an I210, but down: ip link set %s up",
		                 nic->ifname);
	if (!nic->carrier)
		return xstrdup("an I210 without a carrier: plug in a cable");
	return NULL;
}

static void
add_found(struct findings *list, const struct nic *nic)
{
	struct finding *found = findings_add(list, "i210");
	char *why = i210_why_not(nic);

	finding_text(&found->device, "%s", nic->ifname);
	finding_text(&found->driver, "%s", nic->driver);
	finding_text(&found->name, "network interface%s%s",
	             *nic->bdf ? " of " : "", nic->bdf);
	finding_text(&found->why_not, "%s", why ? why : "");
	found->benches = why ? 0 : BENCH_BIT(RTD);
	free(why);
}

void
i210_probe(const struct nic_system *system, struct findings *list)
{
	struct nics nics = system->list();

	for (size_t i = 0; i < nics.n; i++) {
		/* lo and bridges are no devices. */
		if (*nics.item[i].driver)
			add_found(list, &nics.item[i]);
	}
	if (nics.error)
		finding_text(&findings_add(list, "i210")->why_not,
		             "i210: network interfaces cannot be listed: %s",
		             strerror(nics.error));
	free(nics.item);
}
