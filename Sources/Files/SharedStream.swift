internal import Glibc

/// Whether a stream has room, or its reader is gone, before so many milliseconds have passed. One
/// that others have too is asked before each write: it must not wait for its reader, and making it
/// non-blocking would make it so for everybody.
func hasRoom(_ stream: CInt, milliseconds: Int) -> Bool {
    var wanted = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
    while true {
        let count = unsafe poll(&wanted, 1, CInt(milliseconds))
        if count >= 0 { return count > 0 }
        guard errno == EINTR else { return false }
    }
}

/// PIPE_BUF: a pipe that has room takes so many bytes at once.
let pipePieceBytes = 4096
