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
CFLAGS   = -O2 -g
CPPFLAGS =
LDFLAGS  =
# Always needed, so kept apart from the flags a packager may replace.
INCS     = -Isrc -D_GNU_SOURCE -DPCB_SHAREDIR='"$(DATADIR)/pcb-tools"'

# How long `make fuzz` runs each target.
FUZZ_SECONDS = 60
