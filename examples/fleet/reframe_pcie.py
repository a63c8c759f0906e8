# SPDX-License-Identifier: GPL-2.0-or-later
# ReFrame: the slowest GPU of a node copies from host memory as fast as healthy
# ones do. The reference is that of gen4 x16: write the one of your link, by
#     pcb-model floor gen4x16 --tool nvbandwidth --line reframe
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class PcieBandwidth(rfm.RunOnlyRegressionTest):
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'nvbandwidth'
    executable_opts = ['-t', 'host_to_device_memcpy_ce']
    # h2d: 16 healthy results, bound 29.14 GB/s
    reference = {'*': {'h2d': (22.07, 0, None, 'GB/s')}}

    @sanity_function
    def has_run(self):
        return sn.assert_found('SUM host_to_device_memcpy_ce', self.stdout)

    @performance_function('GB/s')
    def h2d(self):
        # One row of numbers, behind that of the names of the GPUs.
        row = sn.extractsingle(r'^ *0 +([0-9]+\.[0-9. ]+)$', self.stdout, 1)
        return min(float(number) for number in str(row).split())
