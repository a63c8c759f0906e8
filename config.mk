# SPDX-License-Identifier: GPL-2.0-or-later
# Settings a packager or developer may override on the command line.
# Of a build outside a checkout of git.
VERSION    = 0.1.0
PREFIX     = /usr/local
BINDIR     = $(PREFIX)/bin
DATADIR    = $(PREFIX)/share
MANDIR     = $(DATADIR)/man
INSTALL    = install
PKG_CONFIG = pkg-config

# Compilers must not fuse a * b + c on CPUs that can: results are the same
# everywhere.
STD      = -std=c11 -ffp-contract=off
WARN     = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wformat=2 -Wvla
BUILD    = build
BIN      = bin

# Debian's hardening of its packages. Packagers give their own CFLAGS and
# LDFLAGS instead; HARDEN= omits flags that cost time.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
HARDEN  := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
           -fstack-clash-protection \
           $(if $(filter x86_64,$(MACHINE)),-fcf-protection) \
           $(if $(filter aarch64,$(MACHINE)),-mbranch-protection=standard)
CFLAGS   = -O2 -g $(HARDEN)
CPPFLAGS =
LDFLAGS  = -pie -Wl,-z,relro,-z,now
# Always needed, so separate from the flags that a packager may replace.
INCS     = -Isrc -D_GNU_SOURCE -DPCB_SHAREDIR='"$(DATADIR)/pcb-tools"'

# Seconds per target of `make fuzz`.
FUZZ_SECONDS = 60
