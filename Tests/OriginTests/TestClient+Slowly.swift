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

    /// Reads less than half a megabyte each second.
    /// - Returns: whether so many bytes came before the connection ended.
    func sip(atLeast count: Int) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var taken = 0
        while taken < count {
            usleep(20_000)
            let more = recv(socket, &bytes, bytes.count, 0)
            guard more > 0 else { return false }
            taken += more
        }
        return true
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
