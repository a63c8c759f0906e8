# SPDX-License-Identifier: GPL-2.0-or-later
# Settings a packager or developer may override on the command line.
# Of a build outside a checkout of git.
VERSION    = 0.1.0
PREFIX     = /usr/local
BINDIR     = $(PREFIX)/bin
DATADIR    = $(PREFIX)/share
LIBDIR     = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
MANDIR     = $(DATADIR)/man
INSTALL    = install
PKG_CONFIG = pkg-config

# No a * b + c in one step, which a compiler may use where a CPU has it: results
# are the same everywhere.
STD      = -std=c11 -ffp-contract=off
WARN     = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wformat=2 -Wvla
BUILD    = build
BIN      = bin

# Hardened as Debian hardens its packages. Packagers give CFLAGS and LDFLAGS of
# their own instead; HARDEN= leaves out what costs time.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
HARDEN  := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
           -fstack-clash-protection \
           $(if $(filter x86_64,$(MACHINE)),-fcf-protection) \
           $(if $(filter aarch64,$(MACHINE)),-mbranch-protection=standard)
CFLAGS   = -O2 -g $(HARDEN)
CPPFLAGS =
LDFLAGS  = -pie -Wl,-z,relro,-z,now
# Always needed, so kept apart from the flags a packager may replace.
INCS     = -Isrc -D_GNU_SOURCE -DPCB_SHAREDIR='"$(DATADIR)/pcb-tools"'

# How long `make fuzz` runs each target.
FUZZ_SECONDS = 60
