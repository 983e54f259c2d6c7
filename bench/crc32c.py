"""Masked CRC32C of many equally long byte rows at once, in numpy.

A CRC is linear: for rows of one length it is the CRC of a template, xor-ed with one table entry per byte that differs
from the template. The table depends only on the distance of that byte from the end. So only the columns that vary are
looked up, two bytes at a time; the constant ones (tag names, framing) cost nothing.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]

POLYNOMIAL = 0x82F63B78  # Castagnoli, reflected
MASK_DELTA = 0xA282EAD8  # TFRecord stores rotated and shifted CRCs


def of_bytes(data: bytes) -> int:
    """Compute the CRC32C of one byte string, byte by byte."""
    table = _table_at(0)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ int(table[(crc ^ byte) & 0xFF])
    return crc ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    """Return the masked form of a CRC, as stored in TFRecord files."""
    return (((crc >> 15) | (crc << 17)) + MASK_DELTA) & 0xFFFFFFFF


def masked_rows(rows: Bytes, template: bytes, varying: list[slice]) -> Words:
    """Return the masked CRC of each row. Rows equal `template` except in the `varying` columns, which are 0 there."""
    length = len(template)
    crc = np.full(len(rows), of_bytes(template), np.uint32)
    for columns in varying:
        start, stop = columns.start, columns.stop
        # Pairs halve the lookups, but their tables are large: useful for numbers, not for whole images.
        paired = start + (stop - start) // 2 * 2 if stop - start <= 8 else start
        for column in range(start, paired, 2):
            pairs = rows[:, column].astype(np.uint16) | (rows[:, column + 1].astype(np.uint16) << 8)
            crc ^= _pair_table_at(length - 1 - column)[pairs]
        for column in range(paired, stop):
            crc ^= _table_at(length - 1 - column)[rows[:, column]]
    rotated: Words = (crc >> np.uint32(15)) | (crc << np.uint32(17))
    return np.asarray(rotated + np.uint32(MASK_DELTA), np.uint32)


def _first_table() -> Words:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(POLYNOMIAL), table >> 1).astype(np.uint32)
    return table


_tables: list[Words] = [_first_table()]  # grows on demand; entry d is for a byte followed by d bytes


def _table_at(distance: int) -> Words:
    """Return the contribution of each byte value to the CRC if `distance` bytes follow it."""
    while len(_tables) <= distance:
        last = _tables[-1]
        _tables.append((last >> np.uint32(8)) ^ _tables[0][last & np.uint32(0xFF)])
    return _tables[distance]


@functools.lru_cache(maxsize=256)
def _pair_table_at(distance: int) -> Words:
    """The same for two bytes (little endian); `distance` bytes follow the first."""
    pair = _table_at(distance)[np.newaxis, :] ^ _table_at(distance - 1)[:, np.newaxis]
    return np.ascontiguousarray(pair).reshape(-1)
