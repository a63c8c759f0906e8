# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of the pcb programs in fish, by --completion-data as in bash.

function __pcb_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l before (string match -r '^(?:--[^=]*=)?(?:.*,)?' -- $words[-1])

    for found in ($words[1] --completion-data $words[2..-1] 2>/dev/null)
        echo "$before$found"
    end
end

for program in collect ddio diff doctor experiments import model plot stats
    complete -c pcb-$program -a '(__pcb_complete)'
end
