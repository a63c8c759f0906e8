#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The expected values of test_quantile_types in histogram.c, in rational
arithmetic, from the definitions in R's help page of quantile. The same in R:

    x <- c(1040, 13.3, 66.7, 26.7, 80, 40, 53.3, 93.3)
    p <- c(0, 1, 6.25, 12.5, 18.75, 25, 33.3, 50, 68.75, 75, 90, 93.75,
           99.9, 100) / 100
    for (i in p)
        print(sapply(1:9, function(t) quantile(x, i, type = t)), digits = 15)
"""
from fractions import Fraction
from math import floor


def quantile(samples, p, kind):
    x = sorted(samples)
    n = len(x)
    m = {1: Fraction(0), 2: Fraction(0), 3: Fraction(-1, 2), 4: Fraction(0),
         5: Fraction(1, 2), 6: p, 7: 1 - p, 8: (p + 1) / 3,
         9: p / 4 + Fraction(3, 8)}[kind]
    j = floor(n * p + m)
    g = n * p + m - j
    if kind == 1:
        g = 1 if g else 0
    elif kind == 2:
        g = 1 if g else Fraction(1, 2)
    elif kind == 3:
        g = 1 if g or j % 2 else 0
    low, high = (x[min(max(i, 1), n) - 1] for i in (j, j + 1))
    return (1 - g) * low + g * high


samples = [Fraction(x) for x in
           "1040 13.3 66.7 26.7 80 40 53.3 93.3".split()]
for percent in ("0 1 6.25 12.5 18.75 25 33.3 50 68.75 75 90 93.75 99.9 "
                "100").split():
    part = Fraction(percent) / 100
    print(percent, *("%.15g" % quantile(samples, part, kind)
                     for kind in range(1, 10)))
