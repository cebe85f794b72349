"""Check digits of the numbers people carry. They raise a score; none of them may ever hide a number.

All take plain ASCII (digits, upper-case letters where a number has them) without separators.
"""

from __future__ import annotations

from datetime import date

# First two digits of a resident identity number: provinces, and 81 to 83 for residence permits.
_PROVINCES = (
    *(11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46),
    *(50, 51, 52, 53, 54, 61, 62, 63, 64, 65, 71, 81, 82, 83),
)
PROVINCES = frozenset(map(str, _PROVINCES))


def luhn(digits: str) -> bool:
    """The check digit of bank cards."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return bool(digits) and total % 10 == 0


def real_date(year: int, month: int, day: int) -> bool:
    """Whether there was such a day, within a lifetime or two."""
    if not 1880 <= year <= 2099:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def resident_id_plausible(number: str) -> bool:
    """A 15, 17 or 18 character identity number starts with a province and holds a real date."""
    if number[:2] not in PROVINCES:
        return False
    if len(number) == 15:
        return real_date(1900 + int(number[6:8]), int(number[8:10]), int(number[10:12]))
    return real_date(int(number[6:10]), int(number[10:12]), int(number[12:14]))


def resident_id_valid(number: str) -> bool:
    """ISO 7064 MOD 11-2 over the 18 characters of a mainland identity number."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(char) * weight for char, weight in zip(number[:17], weights, strict=True))
    return "10X98765432"[total % 11] == number[17].upper()


def hong_kong_id_valid(letters: str, digits: str, check: str) -> bool:
    """The bracketed check of a Hong Kong identity card; one letter is padded with a blank worth 36."""
    values = [36, *(ord(c) - 55 for c in letters)][-2:] + [int(c) for c in digits]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    return (total + (10 if check in "Aa" else int(check))) % 11 == 0


def taiwan_id_valid(number: str) -> bool:
    """The check digit of a Taiwan identity or residence number: a letter and nine digits."""
    order = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
    code = 10 + order.index(number[0].upper())
    digits = [code // 10, code % 10, *map(int, number[1:])]
    weights = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return sum(d * w for d, w in zip(digits, weights, strict=True)) % 10 == 0


def credit_code_valid(number: str) -> bool:
    """The check character of an 18 character unified social credit code (GB 32100)."""
    alphabet = "0123456789ABCDEFGHJKLMNPQRTUWXY"
    if any(char not in alphabet for char in number):
        return False
    total = sum(alphabet.index(char) * pow(3, place, 31) for place, char in enumerate(number[:17]))
    return alphabet[-total % 31] == number[17]
