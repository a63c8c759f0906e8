#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The expected values of quantile_ci.c: sums of binomial probabilities, exact
up to n = 5000, above that in floating point from the logarithm of a factorial
with 50 digits (mpmath). The same in R, where p is not 0 or 1:

    lower <- qbinom((1 - level) / 2, n, p)     # 0: there is none
    upper <- qbinom((1 + level) / 2, n, p) + 1 # n + 1: there is none

except that R's lower is 1 less where a probability equals (1 - level) / 2.
"""
from fractions import Fraction
from math import comb, sqrt

from mpmath import exp, log, loggamma, mp, mpf

mp.dps = 50


def exact(n, p, tail):
    total = Fraction(0)
    for k in range(n + 1):
        total += comb(n, k) * p ** k * (1 - p) ** (n - k)
        if total > tail:
            return k
    return n


def summed(n, p, tail):
    mean, deviation = int(n * p), sqrt(n * p * (1 - p))
    k = max(0, mean - int(15 * deviation) - 60)
    q = mpf(p.numerator) / p.denominator
    term = float(exp(loggamma(n + 1) - loggamma(k + 1) - loggamma(n - k + 1) +
                     k * log(q) + (n - k) * log(1 - q)))
    odds, tail = float(p / (1 - p)), float(tail)
    total = term
    while total <= tail:
        term *= (n - k) / (k + 1) * odds
        total += term
        k += 1
    return k


def lower(n, percent, level):
    p = Fraction(percent) / 100
    tail = (1 - Fraction(level) / 100) / 2
    return (exact if n <= 5000 else summed)(n, p, tail)


for n, percent, level in (
        (1, "50", "95"), (5, "50", "95"), (6, "50", "95"), (9, "50", "95"),
        (10, "50", "95"), (25, "50", "95"), (100, "50", "95"),
        (6, "50", "96.875"), (6, "50", "96.876"), (100, "50", "99.9"),
        (71, "95", "95"), (72, "95", "95"), (1000, "95", "95"),
        (1000, "99.9", "95"), (4000, "99.9", "99"), (5000, "12.5", "80"),
        (10**6, "99.99", "95"), (2 * 10**6, "50", "95"),
        (2 * 10**6, "99", "95"), (2 * 10**6, "50", "99.9999999999"),
        (4 * 10**9, "50", "95"), (4 * 10**9 + 4, "50", "95"),
        (10**11, "99", "95"), (10**12, "99.9", "99.9"),
        (10**11, "90", "95"), (10**11, "99.5", "95"),
        (2 * 10**11, "99", "95"), (3 * 10**11, "99.8", "95"),
        (10**18, "99.9999999999", "95")):
    upper = n + 1 - lower(n, str(100 - Fraction(percent)), level)
    print(n, percent, level, lower(n, percent, level),
          0 if upper == n + 1 else upper)
