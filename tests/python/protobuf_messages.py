"""Messages of Protocol Buffers to dictionaries, by nothing but the FileDescriptorSet that stands beside them."""

import struct


def varint(content, at):
    """A whole number and where it ends."""
    value = shift = 0
    while True:
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def pieces(content):
    """Number of the field, what stands there: an int of varints, eight bytes, or the bytes of a block."""
    at = 0
    while at < len(content):
        tag, at = varint(content, at)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, at = varint(content, at)
        elif kind == 1:
            value, at = content[at : at + 8], at + 8
        else:
            assert kind == 2, kind
            length, at = varint(content, at)
            value, at = content[at : at + length], at + length
            assert len(value) == length
        assert at <= len(content)
        yield number, value


def grouped(content):
    found = {}
    for number, value in pieces(content):
        found.setdefault(number, []).append(value)
    return found


class Schema:
    """The messages of a FileDescriptorSet (numbers of fields as in descriptor.proto)."""

    def __init__(self, content):
        self.messages, known = {}, set()
        for file in grouped(content)[1]:
            parts = grouped(file)
            package = parts[2][0].decode()
            assert set(parts.get(3, [])) <= known, "imports what is not there"
            known.add(parts[1][0])
            assert parts[12] == [b"proto3"]
            for message in parts[4]:
                inner = grouped(message)
                fields = [grouped(field) for field in inner.get(2, [])]
                self.messages[f"{package}.{inner[1][0].decode()}"] = {
                    field[3][0]: (
                        field[1][0].decode(),
                        field[5][0],
                        field[4][0] == 3,
                        field.get(6, [b"."])[0].decode()[1:],
                    )
                    for field in fields
                }

    def decode(self, name, content):
        """A message of this name."""
        out = {}
        for number, value in pieces(content):
            field, kind, repeated, inner = self.messages[name][number]
            if kind == 11:
                value = self.decode(inner, value)
            elif kind == 9:
                value = value.decode()
            elif kind == 1 and repeated:
                assert field not in out and len(value) % 8 == 0
                out[field] = list(struct.unpack(f"<{len(value) // 8}d", value))
                continue
            elif kind == 1:
                (value,) = struct.unpack("<d", value)
            else:
                assert kind in (3, 5) and isinstance(value, int)
            if repeated:
                out.setdefault(field, []).append(value)
            else:
                assert field not in out
                out[field] = value
        return out
