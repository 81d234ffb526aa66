import TestSupport
import Glibc

// What slow clients do.

extension TestClient {
    /// Sends the piece four times a second until there is a response, and reads that; gives up
    /// after twenty seconds.
    func drip(_ piece: String) throws -> TestResponse {
        for _ in 0..<80 {
            if isReady(POLLIN, milliseconds: 250) { return try readResponse() }
            send(piece)
        }
        throw ClientError.incomplete("")
    }

    /// Reads 8 KiB at a time, less than half a megabyte each second unless said otherwise.
    /// - Returns: whether so many bytes came before the connection ended.
    func sip(atLeast count: Int, pausing microseconds: UInt32 = 20_000) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var taken = 0
        while taken < count {
            usleep(microseconds)
            let more = recv(socket, &bytes, bytes.count, 0)
            guard more > 0 else { return false }
            taken += more
        }
        return true
    }

    /// Sends bytes until the kernel takes no more for half a second, or for five if it `waits`.
    /// - Returns: how many it has.
    func send(_ bytes: [UInt8], from start: Int, waits: Bool) -> Int {
        var sent = start
        while sent < bytes.count, isReady(POLLOUT, milliseconds: waits ? 5000 : 500) {
            let piece = Array(bytes[sent..<min(bytes.count, sent + 65_536)])
            let more = Glibc.send(
                socket, piece, piece.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            guard more > 0 else { break }
            sent += more
        }
        return sent
    }

    /// Ends the connection at once, whatever is under way.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // Taken apart without being closed twice: an address of no family resets it (connect(2)).
        var nowhere = sockaddr(
            sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Whether the server resets the connection while nothing is read.
    func isReset(withinSeconds seconds: CInt = 5) -> Bool {
        isReady(0, milliseconds: 1000 * seconds)
    }

    private func isReady(_ events: CInt, milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
