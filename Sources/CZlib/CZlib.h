// zlib, and functions for what it offers as macros.
#pragma once
#include <string.h>
#include <zlib.h>

static inline int waymark_deflate_gzip(z_stream *stream, int level) {
    memset(stream, 0, sizeof *stream);
    // 15 bits of window, and 16 to ask for gzip's frame in place of zlib's.
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

static inline int waymark_inflate_gzip(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, 15 + 16);
}

// Without a frame, as zip has it.
static inline int waymark_inflate_raw(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, -15);
}
