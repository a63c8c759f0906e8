/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs all checks of one function. */
#include "common/doctor/doctor.h"

#include "common/doctor/checks.h"

void
doctor_check_function(struct doctor *d, const struct pci_function *f)
{
	if (f->pcie.port == PORT_UNSEEN) {
		d->unseen++;
		return;
	}
	d->examined++;
	d->links += f->link.bus == BUS_PCIE;
	doctor_check_link(d, f);
	doctor_check_payload(d, f);
	doctor_check_requests(d, f);
	doctor_check_aspm(d, f);
	doctor_check_acs(d, f);
	doctor_check_errors(d, f);
	doctor_check_state(d, f);
}
