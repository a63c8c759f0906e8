// SPDX-License-Identifier: GPL-2.0-or-later
// Icarus Verilog with pcb-host as the host, over two named pipes:
//
//     mkfifo to from
//     pcb-host --at root <to >from &
//     iverilog -o tb host_tb.v && vvp tb
//
// The test bench opens `to` before `from`, as pcb-host's shell does.
`timescale 1ns / 1ps

module host_tb;
	integer to, from, got;
	reg [63:0] first, last;
	realtime start;

	// Waits as long as the host takes for a read of so many bytes.
	task host_read(input [63:0] address, input integer size);
		begin
			$fwrite(to, "%0d 0x%0h %0d read\n",
			        $rtoi($realtime * 1000), address, size);
			$fflush(to);
			got = $fscanf(from, "%d %d", first, last);
			if (got != 2) begin
				$display("no answer");
				$finish;
			end
			#((last - $rtoi($realtime * 1000)) / 1000.0);
		end
	endtask

	initial begin
		to = $fopen("to", "w");
		from = $fopen("from", "r");
		#100 start = $realtime;
		host_read(64'h1000, 64);
		$display("a read of 64 bytes: %0.3f ns", $realtime - start);
		#900 start = $realtime;
		host_read(64'h1000, 64);
		$display("and the next one: %0.3f ns", $realtime - start);
		$fclose(to);
		$finish;
	end
endmodule
