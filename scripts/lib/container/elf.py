"""Which libraries a program or library asks for."""

import struct

DYNAMIC, LOAD = 2, 1
NEEDED, STRINGS = 1, 5


def needed(data):
    """The names of the libraries that a file of 64 bits is linked with; none where it is no such file."""
    if data[:6] != b"\x7fELF\x02\x01":
        return []
    (at,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQ", data, at + size * number) for number in range(count)]
    dynamic = next((segment for segment in segments if segment[0] == DYNAMIC), None)
    if dynamic is None:
        return []
    entries = list(struct.iter_unpack("<QQ", data[dynamic[2] : dynamic[2] + dynamic[5] // 16 * 16]))
    strings = next((value for tag, value in entries if tag == STRINGS), None)
    # The table of names is given by its address in memory.
    home = next(
        (
            segment
            for segment in segments
            if segment[0] == LOAD and segment[3] <= (strings or 0) < segment[3] + segment[5]
        ),
        None,
    )
    if home is None:
        return []
    begin = strings - home[3] + home[2]
    return [text(data, begin + value) for tag, value in entries if tag == NEEDED]


def text(data, begin):
    return data[begin : data.index(b"\0", begin)].decode()
