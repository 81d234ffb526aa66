import TestSupport
import Glibc

// What slow clients do.

extension TestClient {
    /// Sends the piece four times in each second of the origin's stopped clock until there is a
    /// response, and reads that; gives up after twenty of these seconds.
    func drip(_ piece: String, to origin: TestOrigin) throws -> TestResponse {
        for _ in 0..<80 {
            if isReady(POLLIN, milliseconds: 0) { return try readResponse() }
            send(piece)
            try origin.advance(milliseconds: 250)
        }
        throw ClientError.incomplete("")
    }

    /// Reads so many bytes, about 800,000 in a second of the origin's clock, if it is stopped.
    /// - Returns: whether so many came before the connection ended.
    func sip(atLeast count: Int, from origin: TestOrigin? = nil) throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var (taken, pauses) = (0, 1)
        while taken < count {
            if let origin, taken >= pauses * 200_000 {
                pauses += 1
                try origin.advance(milliseconds: 250)
            }
            let more = recv(socket, &bytes, bytes.count, 0)
            guard more > 0 else { return false }
            taken += more
        }
        return true
    }

    /// Sends bytes until the kernel takes no more for half a second, or until the safety net's time
    /// is over if it `waits`.
    /// - Returns: how many it has.
    func send(_ bytes: [UInt8], from start: Int, waits: Bool) -> Int {
        let milliseconds = waits ? CInt(1000 * safetyNetSeconds) : 500
        var sent = start
        while sent < bytes.count, isReady(POLLOUT, milliseconds: milliseconds) {
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
    func isReset(waits: Bool = true) -> Bool {
        isReady(0, milliseconds: waits ? CInt(1000 * safetyNetSeconds) : 0)
    }

    /// Turns the clock until the connection is reset, or so many seconds further than anything came. The kernel brings more after the
    /// client's last read, as there is room: a closed window is probed in real time, less often each time. So before it says no, it
    /// waits in real time; what came meanwhile begins the count anew.
    func isReset(by origin: TestOrigin, within seconds: Int) throws -> Bool {
        let end = ContinuousClock.now + .seconds(safetyNetSeconds)
        var (unread, quiet) = (unreadBytes, 0)
        while ContinuousClock.now < end {
            if isReady(0, milliseconds: quiet < seconds ? 0 : 5_000) { return true }
            let now = unreadBytes
            if now == unread && quiet >= seconds { return false }
            quiet = now == unread ? quiet + 1 : 0
            unread = now
            try origin.advance(milliseconds: 1_000)
        }
        return false
    }

    /// The bytes that have come and were not taken.
    private var unreadBytes: CInt {
        var count: CInt = 0
        _ = ioctl(socket, UInt(FIONREAD), &count)
        return count
    }

    private func isReady(_ events: CInt, milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
