"""Why two parsers of requests may differ: each reason with what the message must then look like."""

import ipaddress
import re

LINE = rb"(?:\r\n)?(\S+) (\S*) HTTP/(\d\.\d)\r?\n"
VALUE = rb"\n%b:[ \t]*([^\r\n]*?)[ \t]*\r?\n"
HOST = re.compile(
    rb"((?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\]"
    rb"|\[[Vv][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\])(:\d{0,5})?")
EXTENSION = rb"[ \t]*;[ \t]*[!#-'*+.^`|~\w-]+(?:[ \t]*=[ \t]*(?:\"[^\r\n]*\"|[!#-'*+.^`|~\w-]+))?"
# What RFC 3986 allows, and what browsers send unescaped all the same.
PATH = re.compile(rb"(?:/[!$-;=@-z|~]*)?(?:\?[!$-;=?-~]*)?")
LONE = rb"(?<!\r)\n|\r(?!\n)"
CONTROL = rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
CONTENT_BYTES_MAX = 65536


def value(text, name):
    """The first value of a field in the head that a text begins with."""
    found = re.search(rb"(?i)" + VALUE % name, text)
    return found.group(1) if found else None


def split_target(target):
    """Authority and path of a target in absolute form; of another nothing, and what it is."""
    found = re.match(rb"(?i)https?://([^/?]*)(.*)", target)
    return found.groups() if found else (None, target)


def is_host(text):
    found = HOST.fullmatch(text)
    if not found or int((found.group(2) or b"")[1:] or b"0") > 65535:
        return False
    if not text.startswith(b"[") or text[1:2] in b"Vv":
        return True
    try:
        return ipaddress.IPv6Address(found.group(1)[1:-1].decode()) is not None
    except ValueError:
        return False


def is_target(text):
    """Whether it is in the form that its method wants."""
    method, target = re.match(LINE, text).groups()[:2]
    if method == b"CONNECT":
        return is_host(target) and b":" in target
    authority, path = split_target(target)
    if authority is not None:
        return is_host(authority) and PATH.fullmatch(path)
    return path.startswith(b"/") and PATH.fullmatch(path) or (method, path) == (b"OPTIONS", b"*")


# What ours refuses and h11 reads: why, and what the message must then look like.
STRICTER = {
    "lineNotEndedByCRLF": (
        "LF or CR alone, which recipients read differently (RFC 9112 §2.2)",
        lambda text: re.search(LONE, text)),
    "fieldLineWithoutColon": (
        "the same: the line is none because of it", lambda text: re.search(LONE, text)),
    "foldedFieldLine": (
        "a server must refuse or unfold it, and refusing is safer (RFC 9112 §5.2)",
        lambda text: re.search(rb"\r\n[ \t]", text)),
    "invalidFieldValue": (
        "control characters are no part of a value (RFC 9110 §5.5)",
        lambda text: re.search(CONTROL, text)),
    "invalidTarget": (
        "none of the four forms, or with what neither RFC 3986 allows nor browsers send (RFC 9112 §3)",
        lambda text: not is_target(text)),
    "methodTooLong": (
        "over 64 bytes", lambda text: re.match(rb"(?:\r\n)*[!-~]{65}", text)),
    "invalidHost": (
        "no host with or without a port (RFC 9110 §7.2), or an empty one (§4.2.1)",
        lambda text: not is_host(value(text, b"host"))),
    "unsupportedVersion": (
        "another major version (RFC 9110 §15.6.6)",
        lambda text: re.match(LINE, text).group(3)[:1] != b"1"),
    "invalidContentLength": (
        "a list of equal numbers may be refused, a number over 2⁶³ must be (RFC 9110 §8.6)",
        lambda text: b"," in value(text, b"content-length")
        or int(value(text, b"content-length")) >= 1 << 63),
    "repeatedContentLength": (
        "the same in two lines",
        lambda text: len(re.findall(rb"(?i)\ncontent-length:", text)) > 1),
    "contentLengthWithTransferEncoding": (
        "ought to be handled as an error (RFC 9112 §6.3)",
        lambda text: value(text, b"content-length") and value(text, b"transfer-encoding")),
    "invalidChunk": (
        "whitespace behind a size, which only an extension may follow (RFC 9112 §7.1.1), over 16 "
        "digits, an extension without a name, control characters in one or in a trailer field, LF "
        "or CR alone",
        lambda text: re.search(
            b"|".join([
                rb"\n[\da-fA-F]+[ \t]+[;\r]", rb"\n[\da-fA-F]{17}", CONTROL, LONE,
                rb"\n[\da-fA-F]+(?:%b)*[ \t]*;(?!%b[ \t]*[;\r])" % (EXTENSION, EXTENSION[8:])]),
            text)),
    "transferEncodingBeforeHTTP11": (
        "its framing counts as faulty (RFC 9112 §6.1)",
        lambda text: re.match(LINE, text).group(3) == b"1.0"),
    "missingHost": (
        "h11 does without in versions over 1.1, and RFC 9112 §3.2 does not",
        lambda text: re.match(LINE, text).group(3) > b"1.1"),
    "contentTooLarge": (
        f"over {CONTENT_BYTES_MAX} bytes",
        lambda text: any(
            int(size, 16) > CONTENT_BYTES_MAX
            for size in re.findall(rb"\n([0-9A-Fa-f]{5,20})(?:[;\s]|$)", text))
        or int(value(text, b"content-length")) > CONTENT_BYTES_MAX),
}
# What h11 refuses and ours reads.
LAXER = {
    "no request line received": (
        "an empty line before a request is passed over (RFC 9112 §2.2)",
        lambda text: text.startswith(b"\r\n")),
    "illegal request line": ("the beginning of such a line", lambda text: text == b"\r"),
}
