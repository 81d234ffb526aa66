"""Files of countries in the format MaxMind DB 2.0, with as many networks as somebody wants."""

import random
import time

# Networks of IPv4 are /20, and those of IPv6 /24 beneath 2000::/3: so dense are the files that publishers make.
BITS_V4, BITS_V6 = 20, 21
CODES = [first + second for first in "ABCDEFGHIJKLMNOPQRSTUVW" for second in "ABCDEFGHIJ"]


def control(kind, size):
    """The control bytes of a value."""
    if size < 29:
        low, more = size, b""
    elif size < 285:
        low, more = 29, bytes([size - 29])
    else:
        low, more = 30, (size - 285).to_bytes(2, "big")
    return (bytes([kind << 5 | low]) if kind < 8 else bytes([low, kind - 7])) + more


def encoded(value):
    """A value of the data section: a text, a number, a list or a mapping."""
    if isinstance(value, str):
        return control(2, len(value.encode())) + value.encode()
    if isinstance(value, int):
        content = value.to_bytes((value.bit_length() + 7) // 8, "big")
        return control(9 if len(content) > 4 else 6, len(content)) + content
    if isinstance(value, list):
        return control(11, len(value)) + b"".join(map(encoded, value))
    return control(7, len(value)) + b"".join(encoded(key) + encoded(own) for key, own in value.items())


class Tree:
    """The nodes of a file, each with two records: a node, or a place in the data below 0, or nothing."""

    def __init__(self):
        self.nodes = [[None, None]]

    def step(self, node, bit):
        """The node to which a bit leads, which is made where it is missing."""
        if self.nodes[node][bit] is None:
            self.nodes.append([None, None])
            self.nodes[node][bit] = len(self.nodes) - 1
        return self.nodes[node][bit]

    def add(self, node, number, bits, place):
        """Gives a network below a node, none of which is in another one, its place in the data."""
        for shift in range(bits - 1, 0, -1):
            node = self.step(node, number >> shift & 1)
        self.nodes[node][number & 1] = -1 - place

    def content(self):
        """The nodes with records of 28 bits."""
        count = len(self.nodes)
        content = bytearray()
        for pair in self.nodes:
            left, right = (count if own is None else own if own >= 0 else count + 16 - 1 - own for own in pair)
            content += (left & 0xFFFFFF).to_bytes(3, "big")
            content.append(left >> 24 << 4 | right >> 24)
            content += (right & 0xFFFFFF).to_bytes(3, "big")
        return bytes(content)


def country_file(count, built=None):
    """A file with so many networks, the first half of IPv4.

    Returns its bytes, and addresses of IPv4 with their countries, as many as are wanted for requests.
    """
    chance, tree, data, places = random.Random(7), Tree(), bytearray(), []
    for code in CODES:
        places.append(len(data))
        data += encoded({"continent": {"code": "EU"}, "country": {"geoname_id": 2_000_000, "iso_code": code,
                         "names": {language: f"The country {code}" for language in ("de", "en", "fr", "ja")}}})
    roots = []
    for prefix, bits in ((0, 96), (1, 3)):
        node = 0
        for shift in range(bits - 1, -1, -1):
            node = tree.step(node, prefix >> shift & 1)
        roots.append(node)
    known = []
    v4 = chance.sample(range(1, 1 << BITS_V4), (count + 1) // 2)
    for network in v4:
        own = chance.randrange(len(CODES))
        tree.add(roots[0], network, BITS_V4, places[own])
        known.append((network << 32 - BITS_V4 | 7, CODES[own]))
    for network in chance.sample(range(1 << BITS_V6), count // 2):
        tree.add(roots[1], network, BITS_V6, places[chance.randrange(len(CODES))])
    metadata = {
        "binary_format_major_version": 2, "binary_format_minor_version": 0,
        "build_epoch": int(time.time()) if built is None else built, "database_type": "Test-Country",
        "description": {"en": "A file for measurements"}, "ip_version": 6, "languages": ["en"],
        "node_count": len(tree.nodes), "record_size": 28}
    content = tree.content() + bytes(16) + bytes(data) + b"\xab\xcd\xefMaxMind.com" + encoded(metadata)
    chance.shuffle(known)
    return content, len(tree.nodes), [(".".join(map(str, address.to_bytes(4, "big"))), code) for address, code in known]
