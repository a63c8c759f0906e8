# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-tools.  `make help` lists the targets; settings live in config.mk.
include config.mk

# With -j, print the output of each target in one piece.
MAKEFLAGS += --output-sync=target --no-print-directory

# A line for each step, as in "CC src/main.c"; V=1 shows the commands.
V = 0
export V
quiet = $(if $(filter 0,$(V)),@echo '$(1) $(2)';)

# Each src/X with a main.c makes the program pcb-X, linked with src/common.
DIRS  = $(patsubst src/%/main.c,%,$(wildcard src/*/main.c))
PROGS = $(DIRS:%=pcb-%)

c-files = $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c)
objs = $(patsubst src/%.c,$(BUILD)/%.o,$(call c-files,src/$(1)))
objs-without-main = $(filter-out %/main.o,$(call objs,$(1)))

all: $(PROGS:%=$(BIN)/%) $(BIN)/pcb-experiments ## build the programs into bin/

$(BIN)/pcb-experiments: tools/pcb-experiments
	@mkdir -p $(@D)
	@ln -srf $< $@

# Look up installed packages once, before the first compilation. With `deps`
# among the goals, install them first, also with -j.
GUESTS = $(filter check-guest% guest-shell,$(MAKECMDGOALS))
TESTS = $(filter-out $(GUESTS),$(filter check%,$(MAKECMDGOALS)))
CHECKS = $(if $(TESTS),-check)
PLOTS = $(if $(TESTS)$(filter demo pictures,$(MAKECMDGOALS)),-plot)
HAVE = $(BUILD)/.have-build$(CHECKS)$(PLOTS)

$(BUILD)/.have-%: tools/deps | $(filter deps,$(MAKECMDGOALS))
	@tools/deps --missing $(subst -, ,$*)
	@mkdir -p $(@D) && touch $@

deps: ## install what building, testing and drawing need (apt)
	@tools/deps build check plot $(if $(GUESTS),guest) \
	    $(filter arm64 valgrind,$(MAKECMDGOALS:check-%=%)) \
	    $(if $(filter deb release,$(MAKECMDGOALS)),package) \
	    $(if $(filter rpm release,$(MAKECMDGOALS)),release)

# Programs ------------------------------------------------------------------
# pkg-config runs when the first recipe needs its answer, so that `make deps help
# clean` work without it, and only then.
once = $(eval $(1) := $(shell $(PKG_CONFIG) $(2)))$($(1))
CFLAGS_PCI = $(call once,CFLAGS_PCI,--cflags libpci)
LIBS_PCI = $(call once,LIBS_PCI,--libs libpci numa zlib)
CC_PCB = $(CC) $(STD) -fPIE $(INCS) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_PCI)
LINK = -Wl,--as-needed $(LDFLAGS)

# Libraries besides jansson, by the program that needs them.
$(BIN)/pcb-collect $(BIN)/pcb-doctor $(BIN)/pcb-model: LIBS = $(LIBS_PCI)
$(BIN)/pcb-import: LIBS = $(LIBS_PCI) -lcsv
$(BIN)/pcb-ddio: LIBS = -lcsv

$(foreach d,$(DIRS),$(eval $(BIN)/pcb-$(d): $(call objs,$(d))))
$(PROGS:%=$(BIN)/%): $(BUILD)/libpcb.a
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(LINK) -o $@ $(filter %.o,$^) \
	    $(BUILD)/libpcb.a $(LIBS) -pthread -ljansson -ldl -lm

$(BUILD)/libpcb.a: $(call objs,common)

%.a:
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $^

# In a checkout the version is the commit's, unless VERSION is given.
COMMIT = $(if $(filter command%,$(origin VERSION)),,$(wildcard .git))
$(BUILD)/version: always
	@mkdir -p $(@D)
	@v=$(if $(COMMIT),$$(git describe --always --dirty 2>/dev/null)); \
	v=$${v:-$(VERSION)}; \
	[ "$$v" = "$$(cat $@ 2>/dev/null)" ] || echo "$$v" >$@

$(BUILD)/common/base/version.o: $(BUILD)/version
$(BUILD)/common/base/version.o: INCS += -DVERSION="\"$$(cat $(BUILD)/version)\""

# Files that it embeds; no compiler names them in a .d.
$(BUILD)/plot/picture/script.o: src/plot/picture/page.css \
	src/plot/picture/page.js $(wildcard share/pcb-tools/plot/*.gp)
$(BUILD)/collect/cuda/ptx.o: src/collect/cuda/support.ptx src/collect/cuda/transfer.ptx

# Texts of the manual pages, for `PROGRAM help WORD`.
$(BUILD)/help-words: tools/help-words $(wildcard man/*.[157])
	@mkdir -p $(@D)
	$(call quiet,HELP,$@)tools/help-words $(filter man/%,$^) >$@.new && mv $@.new $@
$(BUILD)/common/cli/words.o: $(BUILD)/help-words
$(BUILD)/common/cli/words.o: INCS += -I$(BUILD)

# Programs for GPUs, by bytes that a lane takes at a time and scope of the clock.
SPIRV = $(foreach l,4 8 16,$(foreach c,1 3,$(BUILD)/collect/vulkan/program_$(l)_$(c).h))
$(BUILD)/collect/vulkan/programs.o: $(SPIRV)
$(BUILD)/collect/vulkan/programs.o: INCS += -I$(BUILD)

$(SPIRV): src/collect/vulkan/programs.comp | $(HAVE) $(FOLDERS)
	$(call quiet,GLSL,$@)glslangValidator --quiet -g0 --target-env vulkan1.2 \
	    $(subst _, -DCLOCK=,$(@F:program_%.h=-DLANE=%)) --vn $(@F:.h=) -o $@ $<

FOLDERS = $(sort $(dir $(patsubst src/%,$(BUILD)/%,$(call c-files,src))))
$(FOLDERS):
	@mkdir -p $@

$(BUILD)/%.o: src/%.c config.mk | $(HAVE) $(FOLDERS)
	$(call quiet,CC,$<)$(CC_PCB) $(WARN) -MMD -MP -c -o $@ $<

demo: all ## measure this machine and a simulated one
	@PATH="$(abspath $(BIN)):$$PATH" tools/demo

pictures: all ## draw the pictures of README and tutorial
	@PATH="$(abspath $(BIN)):$$PATH" tools/tutorial doc

# Tests ---------------------------------------------------------------------
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(call c-files,tests/unit))
BENCH = $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))
# The slowest ones start first; check-fast leaves them out.
CLI_SLOW = release sim_published diff_alarms faults static slurm fleet plot_all gpu man experiments pages gpu_trouble \
	hold access find vulkan plot_page rdma import_pciebench terminal mmio gpu_check \
	manifest doctor link growth redact
CLI = $(wildcard $(CLI_SLOW:%=tests/cli/%.bats)) \
	$(filter-out $(CLI_SLOW:%=tests/cli/%.bats),$(wildcard tests/cli/*.bats))
FUZZ = $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(call c-files,tests/fuzz))

# Replacements of drivers' libraries, and of calls that must fail.
FAKE = $(BUILD)/fake/libcuda.so.1 $(BUILD)/fake/vulkan/libvulkan.so.1 \
	$(BUILD)/fake/verbs/libibverbs.so.1 $(BUILD)/fake/faults.so

# Programs of another architecture, or in valgrind, run through scripts that
# call the emulator.
RUN = $(if $(EMULATOR),$(BUILD)/emulated,$(BIN))

# Environment of every test; PCB_TEST_DATA is passed on. A make that a test runs
# is independent of this one.
GIVEN = $(filter command,$(foreach v,CFLAGS LDFLAGS HARDEN,$(origin $(v))))
# script(1) runs the user's shell.
TEST_ENV = MAKEFLAGS= SHELL=/bin/sh TOP="$(CURDIR)" LC_ALL=C PATH="$(abspath $(RUN)):$$PATH" \
	FLAGS_GIVEN="$(GIVEN)" \
	PCB_FAKE="$(abspath $(BUILD)/fake)" EMULATED="$(EMULATOR)"

# A test that includes a header of a program is linked with the whole program.
INSIDE = $(foreach d,unit fuzz bench,$(call c-files,tests/$(d)))
inside = $(patsubst tests/%.c,$(BUILD)/%,$(shell grep -l '"$(1)/' $(INSIDE)))
$(foreach d,$(DIRS),$(eval $(call inside,$(d)): $(call objs-without-main,$(d))))

# tools/run-test keeps the results of each.
UNIT_CHECKS = $(UNIT:$(BUILD)/unit/%=check-unit-%)
CLI_CHECKS = $(CLI:tests/cli/%.bats=check-cli-%)
RESULTS = $(BUILD)/results/single
run-test = tools/run-test $(RESULTS)

# Seconds until a unit test counts as hung.
UNIT_LIMIT = $(if $(EMULATOR),3000,300)

# checked GOALS[,LEFT_OUT]: makes all goals, even if some fail, as many at a
# time as there are CPUs or -j says, and ends with the summary of their tests.
# The test that observes a whole CPU runs last.
FIND = $(filter %-find,$(CLI_CHECKS))
checked = +@rm -rf $(BUILD)/results/$@; start=$$(date +%s); status=0; \
	make="$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) -k \
	    RESULTS=$(BUILD)/results/$@"; \
	$$make $(1) || status=1; \
	$(if $(filter checks-cli,$(1)),$(FIND:%=$$make % || status=1;)) \
	tools/test-summary $(BUILD)/results/$@ $$status \
	    $$(($$(date +%s) - start)) $(2)

check: | $(HAVE) ## run the tests that need no guest
	$(call checked,checks-unit checks-cli check-man)

check-fast: | $(HAVE) ## run those that take less than a minute together
	$(call checked,checks-unit checks-cli-fast check-man,$(CLI_SLOW))

check-unit: | $(HAVE) ## run the unit tests (cmocka)
	$(call checked,checks-unit)

check-cli: | $(HAVE) ## run the tests of the command line (bats)
	$(call checked,checks-cli)

check-programs: | $(HAVE)
	$(call checked,checks-unit checks-cli,$(NOT_RUN))

checks-unit: $(UNIT_CHECKS)
checks-cli: $(filter-out %-find,$(CLI_CHECKS))
checks-cli-fast: $(filter-out $(CLI_SLOW:%=check-cli-%),$(CLI_CHECKS))

$(UNIT_CHECKS): check-unit-%: $(BUILD)/unit/%
	@$(TEST_ENV) $(run-test) UNIT $* $(UNIT_LIMIT) $(EMULATOR) "$(abspath $<)"

$(BUILD)/emulated/%: $(BIN)/% tools/emulate
	@tools/emulate $(EMULATOR) $(abspath $< $@)

$(CLI_CHECKS): check-cli-%: $(PROGS:%=$(RUN)/%) $(BIN)/pcb-experiments $(FAKE)
	@$(TEST_ENV) $(run-test) BATS tests/cli/$*.bats 0 bats tests/cli/$*.bats

sim-validate: all ## predict each published machine by others (PUBLISHED=DIR)
	@test "$(PUBLISHED)" || { echo "PUBLISHED=DIR: pcie-bench's data"; exit 2; }
	@PATH="$(abspath $(BIN)):$$PATH" tools/sim-compare -l $(PUBLISHED)

flows-score: all ## compare pcb-model flows with published rates (DIR=DIR)
	@test "$(DIR)" || { echo "DIR=DIR: concurrent.csv, topo, matrices"; exit 2; }
	@PATH="$(abspath $(BIN)):$$PATH" tools/flows-score $(DIR)

why-score: all ## how often pcb-model why is right (DIR=test data)
	@test "$(DIR)" || { echo "DIR=DIR: the test data"; exit 2; }
	@PATH="$(abspath $(BIN)):$$PATH" tools/why-score $(DIR)

doctor-corpus: all ## rows of pcb-doctor on public dumps (DIR=dumps)
	@test "$(DIR)" || { echo "DIR=DIR: listings of lspci"; exit 2; }
	@PATH="$(abspath $(BIN)):$$PATH" tools/doctor-corpus -v $(DIR)

check-gpu: all ## check and measure the GPU of this machine
	@tools/gpu-check

check-fresh: ## time from clone to first table, in a bare system (network)
	@tools/first-table $(BUILD)/fresh

check-man: | $(HAVE) ## check the man pages (mandoc)
	@$(run-test) MAN man 0 mandoc -Tlint -Wwarning man/*

$(BUILD)/fake/libcuda.so.1: $(wildcard tests/fake/libcuda*.c tests/fake/vgpu*.c)
$(BUILD)/fake/vulkan/libvulkan.so.1: tests/fake/libvulkan.c
$(BUILD)/fake/verbs/libibverbs.so.1: tests/fake/libibverbs.c
$(BUILD)/fake/faults.so: tests/fake/faults.c

# It defines functions that _FORTIFY_SOURCE makes inline.
$(FAKE): config.mk | $(HAVE)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC_PCB) $(WARN) -U_FORTIFY_SOURCE -MMD -MP -MF $@.d \
	    -MT $@ -fPIC -shared -o $@ $(filter %.c,$^) -ldl

CC_TEST = $(call quiet,CC,$<)$(CC_PCB) -Itests -Wall -Wextra -Wno-unused-parameter -MMD -MP -MF $@.d -MT $@ $(LINK) -o $@ \
	$(filter %.c %.o,$^) $(filter %.a,$^) $(LIBS_PCI) -pthread -lcsv -ljansson -ldl -lm

# Code that tests share, as a library; each test links what it needs.
SHARED = $(patsubst tests/%.c,$(BUILD)/%.o,$(wildcard tests/fake/vgpu*.c) \
	$(wildcard tests/rig/*.c))

$(SHARED): $(BUILD)/%.o: tests/%.c config.mk | $(HAVE)
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC_PCB) -Itests $(WARN) -Wno-unused-parameter -MMD -MP -c -o $@ $<

$(BUILD)/rig/librig.a: $(SHARED)

$(UNIT): $(BUILD)/unit/%: tests/unit/%.c $(BUILD)/rig/librig.a \
	$(BUILD)/libpcb.a config.mk | $(HAVE)
	@mkdir -p $(@D)
	$(CC_TEST) -lcmocka

$(BENCH): $(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libpcb.a config.mk
	@mkdir -p $(@D)
	$(CC_TEST)

$(FUZZ): $(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libpcb.a config.mk
	@mkdir -p $(@D)
	$(CC_TEST) -fsanitize=fuzzer

# Programs for the guest, and the library that makes calls fail there.
GUEST_C = $(patsubst tests/guest/%.c,$(BIN)/guest/%,$(wildcard tests/guest/*.c))
GUEST_PROGRAMS = $(GUEST_C) $(BIN)/guest/faults.so $(BIN)/guest/engine

# The example links nothing of this project.
$(BIN)/guest/engine: examples/engine/engine.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) -std=gnu11 $(WARN) $(CFLAGS) -o $@ $<

$(BIN)/guest/faults.so: $(BUILD)/fake/faults.so
	@mkdir -p $(@D)
	@cp $< $@

$(GUEST_C): $(BIN)/guest/%: tests/guest/%.c $(BUILD)/libpcb.a \
	$(call objs-without-main,collect) config.mk
	@mkdir -p $(@D) $(BUILD)/guest
	$(call quiet,CC,$<)$(CC_PCB) -Wall -Wextra -MMD -MP \
	    -MF $(BUILD)/guest/$*.d -MT $@ $(LINK) -o $@ $(filter %.c %.o,$^) $(BUILD)/libpcb.a $(LIBS_PCI) -pthread \
	    -ljansson -lm

guest-programs: $(GUEST_PROGRAMS)

# guest PROGRAMS: runs their tests in a guest and prints the summary.
guest = @rm -rf $(BUILD)/results/$@; start=$$(date +%s); status=0; \
	tools/run-test $(BUILD)/results/$@ GUEST guest 0 \
	    tests/guest/run $(1) $(BUILD)/guest $(TOPICS) || status=1; \
	tools/test-summary $(BUILD)/results/$@ $$status \
	    $$(($$(date +%s) - start))

# With its own kernel and PCI tree; TOPICS chooses from tests/guest/topics.
# Skipped without QEMU or the kernel.
check-guest: all $(GUEST_PROGRAMS) ## run the tests in a guest of QEMU
	$(call guest,$(BIN))

guest-shell: all $(GUEST_PROGRAMS) ## a shell in that guest
	@tests/guest/run --shell $(BIN) $(BUILD)/guest

check-build: all $(UNIT) $(BENCH) $(GUEST_PROGRAMS)

# The tests below use their own build directories. They leave out those that run
# programs as other tests do, studies and examples of pages, or no programs.
LEFT_OUT = demo diff_alarms examples experiments fleet growth gpu_check man \
	package pages plot_page recipes release sim_published slurm static
CLI_LEFT = $(filter-out $(LEFT_OUT:%=tests/cli/%.bats),$(CLI))
without = CLI='$(CLI_LEFT)' NOT_RUN='$(LEFT_OUT)'
in = BUILD=$(BUILD)/$(1) BIN=$(BUILD)/$(1)/bin DATADIR=$(CURDIR)/share
SAN = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=address,undefined

# A sanitizer that finds something exits with 99, a status that no program or
# test uses; the roots of LeakSanitizer are linked into everything.
ROOTS = $(BUILD)/san/roots.o
IN_SAN = $(call in,san) CFLAGS='$(SAN)' LDFLAGS='$(abspath $(ROOTS))'

$(ROOTS): tests/san/roots.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC_PCB) $(WARN) -c -o $@ $<

check-san: $(ROOTS) ## run the tests under ASan and UBSan
	@$(MAKE) check-build $(IN_SAN)
	@ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 \
	$(MAKE) check-programs $(IN_SAN) $(without)

# Only they start threads.
check-thread: ## run the tests of threads under ThreadSanitizer
	@$(MAKE) check-threads $(call in,thread) UNIT_LIMIT=1800 LDFLAGS= \
	    CFLAGS='-O1 -g -fsanitize=thread'

check-threads: | $(HAVE)
	$(call checked,check-unit-stats/read_samples check-unit-common/stat/histogram)

check-guest-san: $(ROOTS) ## run the tests in a guest under ASan and UBSan
	@$(MAKE) all guest-programs $(IN_SAN)
	$(call guest,$(BUILD)/san/bin)

# Each process writes its findings into its own file. Failed tests alone do not
# count: in valgrind time-outs are short, and a long double has 64 bits.
FOUND = $(abspath $(BUILD)/valgrind/found)
GRIND = --quiet --error-exitcode=99 --leak-check=full --log-file=$(FOUND)/%p
IN_VALGRIND = $(call in,valgrind) EMULATOR=valgrind $(without)

check-valgrind: | $(BUILD)/.have-valgrind ## run the tests in valgrind: takes hours
	@$(MAKE) check-build $(IN_VALGRIND)
	@rm -rf $(FOUND)
	@mkdir $(FOUND)
	-@VALGRIND_OPTS='$(GRIND)' $(MAKE) check-programs $(IN_VALGRIND)
	@[ "$$(ls $(FOUND))" ] && ! grep -r . $(FOUND)

# Cross-built with Debian's libraries for arm64, and run in QEMU's user mode;
# skipped without them.
ARM64 = $(call in,arm64) CC=aarch64-linux-gnu-gcc \
	EMULATOR=qemu-aarch64-static $(without)
ARM64_PKG = /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig

check-arm64: | $(filter deps,$(MAKECMDGOALS)) ## run the tests as arm64 programs
	@if missing=$$(tools/deps --missing arm64 2>&1); then \
	    PKG_CONFIG_LIBDIR=$(ARM64_PKG) \
	        $(MAKE) check-programs $(ARM64); \
	else \
	    echo "skipped: arm64:" $$missing; \
	    echo "0 passed, 0 failed, 1 skipped in 0 s"; \
	fi

# Failed tests do not prevent the report: an ordinary user, for one, may not
# write gcov's files. The guest's coverage is in its results.
IN_COVERAGE = $(call in,coverage) \
	CFLAGS='-O0 -g --coverage -fprofile-update=atomic'
COVERED = $(abspath $(BUILD)/coverage)

coverage: ## run the tests, write coverage/index.html
	rm -rf $(BUILD)/coverage coverage
	-$(MAKE) check-programs $(IN_COVERAGE)
	$(MAKE) all guest-programs $(IN_COVERAGE)
	-tests/guest/run $(BUILD)/coverage/bin $(BUILD)/guest
	for gcov in $(BUILD)/guest/results/*/gcov; do \
	    [ ! -e $$gcov ] || gcov-tool merge -o $(COVERED) $(COVERED) \
	        $$gcov$(COVERED) || exit; \
	done
	mkdir -p coverage
	gcovr --root . --filter src/ --html-details coverage/index.html \
	    --print-summary $(BUILD)/coverage

fuzz: ## run each fuzz target for FUZZ_SECONDS
	@$(MAKE) fuzz-run $(call in,fuzz) CC=clang CPPFLAGS=-DREAD_SIZE=16 \
	    CFLAGS='$(SAN) -fsanitize=fuzzer-no-link'

# New inputs go to the build directory, listed before the corpus of the tree.
fuzz-run: $(FUZZ)
	@for f in $(FUZZ); do \
	    name=$${f#$(BUILD)/fuzz/}; found=$(BUILD)/corpus/$$name; \
	    given=tests/fuzz/corpus/$$name; mkdir -p $$found; \
	    [ -d $$given ] || given=; \
	    echo "fuzz $$name for $(FUZZ_SECONDS) s"; \
	    $$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0 \
	        -print_final_stats=1 -artifact_prefix=$(BUILD)/crash-$${f##*/}- \
	        $$found $$given || exit 1; \
	done

bench: all $(BENCH) ## run the benchmarks of the programs themselves
	@export $(TEST_ENV) BENCH="$(abspath $(BUILD)/bench)"; \
	for b in $(wildcard tests/bench/*.sh); do echo "$$b"; $$b || exit 1; done

# Style ---------------------------------------------------------------------
C_FILES = $(call c-files,src)
HEADERS = $(wildcard src/*/*.h src/*/*/*.h)
TEST_FILES = $(call c-files,tests) $(wildcard tests/unit/*/*/*.c tests/fuzz/*/*/*.c)
LAYOUT = $(C_FILES) $(HEADERS) $(TEST_FILES) $(wildcard tests/*/*.h)
SCRIPTS = $(COMPLETION) $(wildcard tools/* tests/bench/*.sh tests/guest/*.sh \
	tests/guest/topics/*.sh) .ci/run $(STUDY_SCRIPTS) \
	experiments/gpu/tables experiments/gpu/halves \
	debian/tests/cli debian/tests/pipe examples/fleet/slurm-prolog \
	examples/fleet/fleet.sbatch \
	$(addprefix tests/guest/,init initramfs kernel machine run)
BATS = $(wildcard tests/cli/*.bats tests/cli/*.bash)
LINTS = lint-layout lint-shell lint-page lint-spelling lint-headers lint-rooms \
	lint-cycles lint-cppcheck lint-tidy lint-gcc lint-clang

lint: $(LINTS) ## run every linter

coverage fuzz format $(filter-out lint-spelling,$(LINTS)): | $(BUILD)/.have-lint

lint-layout:
	$(call quiet,LINT,layout)clang-format --dry-run --Werror $(LAYOUT)

# bats sets variables, and runs tests in subshells; tests have formats of printf
# and programs in single quotes as arguments.
lint-shell:
	$(call quiet,LINT,scripts)shellcheck $(SCRIPTS)
	$(call quiet,LINT,assertions)tools/lint-bats $(BATS) $(filter tests/guest/%.sh,$(SCRIPTS))
	$(call quiet,LINT,tests/cli)[ ! "$(BATS)" ] || shellcheck -s bats \
	    -e SC1003,SC2016,SC2030,SC2031,SC2059,SC2154 $(BATS)

# The syntax of the script of HTML pages.
lint-page:
	$(call quiet,LINT,page)node --check src/plot/picture/page.js
	$(call quiet,LINT,templates)! grep -nE '[@`]|system|eval [^a-z]' share/pcb-tools/plot/*.gp

# Add new words to tests/spelling.words, sorted as by LC_ALL=C sort.
lint-spelling:
	$(call quiet,LINT,spelling)tools/spelling $(wildcard man/* *.md doc/*.md)

# Checks the include rules of src/ROOMS.
lint-rooms:
	$(call quiet,LINT,rooms)tools/lint-rooms

# Finds units that depend on each other in a cycle.
lint-cycles: all
	tools/lint-cycles $(BUILD)

# Each header compiles on its own.
lint-headers: | $(HAVE)
	$(call quiet,LINT,headers)for h in $(HEADERS); do \
	    $(CC_PCB) $(WARN) -Werror -fsyntax-only -x c $$h || exit 1; \
	done

lint-cppcheck:
	$(call quiet,LINT,cppcheck)cppcheck --quiet --std=c11 --library=posix,gnu --inline-suppr \
	    --enable=warning,style,performance,portability \
	    --suppressions-list=.cppcheck --error-exitcode=1 $(INCS) -DVERSION=\"\" -D__x86_64__ src

lint-tidy: $(SPIRV) | $(HAVE)
	$(call quiet,LINT,tidy)printf '%s\n' $(C_FILES) | xargs -P "$$(nproc)" -I{} \
	    clang-tidy --quiet {} -- $(STD) $(INCS) -I$(BUILD) -DVERSION=\"\" $(CPPFLAGS) \
	    $(CFLAGS_PCI)

# No warnings with either compiler. gcc finds some only while it optimizes, clang
# all without. Nothing else compiles the fuzz targets; clang has no headers of
# the sanitizers.
lint-gcc:
	@$(MAKE) check-build $(call in,gcc) CC=gcc CFLAGS='$(CFLAGS) -Werror'

by-clang = xargs -P "$$(nproc)" -n 9 clang $(STD) $(INCS) -I$(BUILD) -DVERSION=\"\" \
	$(CPPFLAGS) $(CFLAGS_PCI) -Werror -fsyntax-only

lint-clang: $(SPIRV) $(BUILD)/help-words | $(HAVE)
	$(call quiet,LINT,clang)printf '%s\n' $(C_FILES) | $(by-clang) $(WARN)
	@printf '%s\n' $(filter-out tests/san/%,$(TEST_FILES)) | $(by-clang) -Itests \
	    -Wall -Wextra -Wno-unused-parameter

format: ## lay out the C files with clang-format
	$(call quiet,FORMAT,src tests)clang-format -i $(LAYOUT)

# Installation --------------------------------------------------------------
# Quoted once for make and once for the shell; may contain blanks.
DEST = "$$DESTDIR"
export DESTDIR
MAN = $(notdir $(wildcard man/*.[157]))
man-path = $(DEST)$(MANDIR)/man$(subst .,,$(suffix $(1)))/$(1)
# src/common/sys/datadir.c finds these.
SHARE = $(wildcard share/pcb-tools/*/*.csv share/pcb-tools/*/*.json)
share-path = $(1:share/%=$(DEST)$(DATADIR)/%)
# pcb-experiments runs these from any directory.
STUDIES = experiments/Makefile \
	$(wildcard experiments/*.mk $(STUDY_DATA:%=%/*))
STUDY_DATA = experiments/miller experiments/ddio experiments/h100 experiments/h200
STUDY_SCRIPTS = $(addprefix experiments/,lock pick report unread)
study-path = $(1:%=$(DEST)$(DATADIR)/pcb-tools/%)
STUDY_DIRS = $(call study-path,experiments $(STUDY_DATA))
SHARE_DIRS = $(sort $(dir $(call share-path,$(SHARE))))
# bash and fish look for a file with the program's name; zsh reads all files.
COMPLETION = share/bash-completion/completions/pcb-tools
FISH = share/fish/vendor_completions.d/pcb-tools.fish
SHELLS = $(COMPLETION) $(FISH) share/zsh/site-functions/_pcb-tools
DOCS = $(DEST)$(DATADIR)/doc/pcb-tools
# At the places that the links of README.md name.
TEXTS = $(wildcard examples/*/*) README.md NEWS.md $(wildcard doc/*.md doc/*.svg)
COMPLETIONS = $(dir $(call share-path,$(COMPLETION)))
FISHES = $(dir $(call share-path,$(FISH)))

install: all ## install below DESTDIR/PREFIX
	$(INSTALL) -d $(DEST)$(BINDIR) $(SHARE_DIRS) $(STUDY_DIRS) \
	    $(dir $(call share-path,$(SHELLS))) \
	    $(sort $(dir $(foreach m,$(MAN),$(call man-path,$(m)))))
	$(INSTALL) $(PROGS:%=$(BIN)/%) $(DEST)$(BINDIR)
	$(foreach m,$(MAN),$(INSTALL) -m 644 man/$(m) $(call man-path,$(m)) &&) :
	$(foreach s,$(SHARE) $(SHELLS), \
	    $(INSTALL) -m 644 $(s) $(call share-path,$(s)) &&) :
	$(foreach p,$(PROGS),ln -sf pcb-tools $(COMPLETIONS)$(p) && \
	    ln -sf pcb-tools.fish $(FISHES)$(p).fish &&) :
	$(foreach s,$(STUDIES),$(INSTALL) -m 644 $(s) $(call study-path,$(s)) &&) :
	$(INSTALL) $(STUDY_SCRIPTS) $(call study-path,experiments)
	$(INSTALL) tools/pcb-experiments $(DEST)$(BINDIR)
	$(INSTALL) -d $(addprefix $(DOCS)/,$(sort $(dir $(TEXTS))))
	$(foreach t,$(TEXTS),$(INSTALL) -m 644 $(t) $(DOCS)/$(t) &&) :

uninstall: ## remove what install put there
	rm -f $(PROGS:%=$(DEST)$(BINDIR)/%)
	rm -f $(foreach m,$(MAN),$(call man-path,$(m)))
	rm -f $(call share-path,$(SHARE) $(SHELLS))
	rm -f $(PROGS:%=$(COMPLETIONS)%) $(PROGS:%=$(FISHES)%.fish)
	rm -f $(call study-path,$(STUDIES) $(STUDY_SCRIPTS))
	rm -f $(DEST)$(BINDIR)/pcb-experiments
	rm -rf $(DOCS)
	rmdir $(SHARE_DIRS) $(STUDY_DIRS) $(call study-path,experiments) \
	    $(DEST)$(DATADIR)/pcb-tools 2>/dev/null || :

# Packages are built from the tarball alone, to verify that it is complete.
RELEASE = $(BUILD)/release
TREE = pcb-tools-$(VERSION)
dist: ## pack the committed tree
	@mkdir -p $(RELEASE)
	git archive --prefix=$(TREE)/ -o $(RELEASE)/$(TREE).tar.gz HEAD

deb: dist | $(filter deps,$(MAKECMDGOALS)) ## build a package of Debian from that
	@tools/deps --missing package
	rm -rf $(RELEASE)/$(TREE)
	tar -C $(RELEASE) -xzf $(RELEASE)/$(TREE).tar.gz
	cd $(RELEASE)/$(TREE) && MAKEFLAGS= \
	    DEB_BUILD_OPTIONS="$$DEB_BUILD_OPTIONS $(NOCHECK)" dpkg-buildpackage -us -uc

# Debian's rpm does not know which of its packages are installed.
rpm: dist | $(filter deps,$(MAKECMDGOALS)) ## build a package for rpm from that
	MAKEFLAGS= rpmbuild -tb --define '_topdir $(abspath $(RELEASE)/rpm)' \
	    --define '_rpmdir $(abspath $(RELEASE))' \
	    --define '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' \
	    $(if $(wildcard /etc/debian_version),--nodeps) $(RPMFLAGS) \
	    $(RELEASE)/$(TREE).tar.gz

# Names of devices come from pci.ids in the tarball.
static: ## pack programs without libraries for x86-64 (network once)
	@tools/deps build static
	@tools/static pcb-doctor pcb-model pcb-stats pcb-diff pcb-import

# Its package of Debian runs every test.
NOCHECK = nocheck
release: ## build all four of VERSION into build/release, tested
	@[ -z "$$(git status --porcelain)" ] || { \
	    echo "release: commit or remove what git status shows" >&2; exit 2; }
	@grep -qx '## $(VERSION), [0-9-]*' NEWS.md || { \
	    echo "release: NEWS.md has no line '## $(VERSION), DATE'" >&2; exit 2; }
	rm -rf $(RELEASE)
	$(MAKE) deb rpm static NOCHECK= VERSION=$(VERSION)
	cp $(BUILD)/static/$(TREE)-*.tar.gz $(RELEASE)
	cd $(RELEASE) && sha256sum *.tar.* *.deb *.rpm >SHA256SUMS

clean: ## remove everything built
	rm -rf $(BUILD) $(BIN) coverage

help: ## list these targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1	\2/p' Makefile | \
	    while IFS='	' read -r goal text; do \
	        printf '  %-15s %s\n' "$$goal" "$$text"; done

-include $(foreach d,* */* */*/*,$(wildcard $(BUILD)/$(d)/*.d))

.PHONY: all always doctor-corpus why-score deps demo pictures check check-fast check-programs \
	check-unit checks-unit $(UNIT_CHECKS) check-cli checks-cli checks-cli-fast \
	$(CLI_CHECKS) check-gpu check-man \
	check-build check-fresh check-san check-thread check-threads check-valgrind check-arm64 check-guest \
	check-guest-san guest-programs guest-shell coverage fuzz fuzz-run bench \
	lint $(LINTS) format install uninstall dist deb rpm static release clean help
