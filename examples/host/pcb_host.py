# SPDX-License-Identifier: GPL-2.0-or-later
"""A host for test benches of cocotb: reads take as long as on a real one.

In place of a root complex that answers in no time:

    host = PcbHost("sim:e5-2630v4", at="root")
    tb.rc.mem_read = host.delayed(tb.rc.mem_read)

The address and length of a read are the first two arguments of the function.
`python3 pcb_host.py` shows what a few reads take, without cocotb.
"""
import subprocess


class PcbHost:
    """pcb-host(1) at the other end of two pipes; times are picoseconds."""

    def __init__(self, profile="sim", *options, at="device"):
        self.process = subprocess.Popen(
            ["pcb-host", "-d", profile, "--at", at, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line):
        """Sends a line that has no answer, such as "idle"."""
        self.process.stdin.write(line + "\n")

    def _ask(self, time, address, size, kind):
        self.tell(f"{time} {address} {size} {kind}")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("pcb-host has ended: see its message")
        first, last = answer.split()
        return int(first), int(last)

    def read(self, time, address, size):
        """When the first and the last of the data have arrived."""
        return self._ask(time, address, size, "read")

    def write(self, time, address, size):
        """When the write has left the device, and when it is visible."""
        return self._ask(time, address, size, "write")

    def delayed(self, read):
        """The coroutine `read` with the latency of the host before it."""
        from cocotb.triggers import Timer
        from cocotb.utils import get_sim_time

        async def slow_read(address, length, *args, **kwargs):
            now = int(get_sim_time("ps"))
            _, last = self.read(now, address, length)
            await Timer(last - now, "ps")
            return await read(address, length, *args, **kwargs)

        return slow_read

    def close(self):
        """Ends pcb-host; its exit status."""
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


if __name__ == "__main__":
    host = PcbHost("sim", "-O", "jitter=0ns", "-O", "refresh=0ns",
                   "-O", "drift=0", at="root")
    for start in (0, 1_000_000):
        print(f"a read at {start} ps:", host.read(start, 0x1000, 64)[1])
    host.tell("idle")
    print("a write, and a read behind it:", host.write(0, 0x1000, 64)[1],
          host.read(0, 0x1000, 64)[1])
    raise SystemExit(host.close())
