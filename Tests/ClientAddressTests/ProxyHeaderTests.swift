import ClientAddress
import Testing

@Suite("PROXY protocol")
struct ProxyHeaderTests {
    /// Headers, the client that each tells, and nothing behind them.
    static let accepted: [(header: [UInt8], client: String?)] = [
        (text("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443"), "192.0.2.1:56324"),
        (text("PROXY TCP4 0.0.0.0 255.255.255.255 0 65535"), "0.0.0.0:0"),
        (text("PROXY TCP6 2001:db8::1 2001:db8::2 1 2"), "2001:db8::1:1"),
        (text("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2"), "192.0.2.1:1"), (text("PROXY UNKNOWN"), nil),
        (text("PROXY UNKNOWN what ever\rthis is"), nil),
        (text("PROXY UNKNOWN ".padded(to: 105)), nil),
        (binary(0x21, 0x11, v4), "192.0.2.1:56324"), (binary(0x21, 0x21, v6), "2001:db8::1:443"),
        (binary(0x21, 0x00, []), nil), (binary(0x21, 0x00, [1, 2, 3]), nil),
        (binary(0x21, 0x31, [UInt8](repeating: 0, count: 216)), nil), (binary(0x20, 0x00, []), nil),
        // What a health check says of itself is not looked at.
        (binary(0x20, 0xFF, [9, 9]), nil), (binary(0x20, 0x11, []), nil),
        (binary(0x21, 0x11, v4 + [0x04, 0, 2, 0, 0, 0xEA, 0, 1, 7]), "192.0.2.1:56324"),
    ]

    @Test("a header is read when all of it is there", arguments: accepted)
    func accepts(_ header: [UInt8], _ client: String?) throws {
        for count in 0..<header.count {
            #expect(try read(Array(header[..<count])) == nil)
        }
        let read = try #require(try read(header + [0x16, 0x03]))
        #expect(read.length == header.count)
        #expect(read.source.map { "\($0.address):\($0.port)" } == client)
    }

    static let refused: [(header: [UInt8], error: ProxyHeaderError)] = [
        (Array("GET / HTTP/1.1\r\n".utf8), .noSignature), ([0x16, 0x03, 0x01], .noSignature),
        (Array("proxy TCP4".utf8), .noSignature), (Array("PROXY\t".utf8), .noSignature),
        (text("PROXY "), .malformedLine), (text("PROXY TCP4"), .malformedLine),
        (text("PROXY UNKNOWNX"), .malformedLine),
        (text("PROXY  TCP4 1.1.1.1 2.2.2.2 1 2"), .malformedLine),
        (text("PROXY UDP4 1.1.1.1 2.2.2.2 1 2"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 1"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 1 2 "), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 1 2 3"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1  2.2.2.2 1 2"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 01 2"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 1 65536"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 2.2.2.2 -1 2"), .malformedLine),
        (text("PROXY TCP4 1.1.1.01 2.2.2.2 1 2"), .malformedLine),
        (text("PROXY TCP4 ::1 ::2 1 2"), .malformedLine),
        (text("PROXY TCP6 1.1.1.1 2.2.2.2 1 2"), .malformedLine),
        (text("PROXY TCP4 1.1.1.1 ::1 1 2"), .malformedLine),
        (Array("PROXY TCP4 1.1.1.1 2.2.2.2 1 2\n".utf8), .unendedLine),
        (Array("PROXY UNKNOWN\n".utf8), .unendedLine),
        (Array("PROXY UNKNOWN".padded(to: 107).utf8), .unendedLine),
        (text("PROXY UNKNOWN ".padded(to: 106)), .unendedLine),
        (Array("\r\n\r\n\0\r\nQUIT\r".utf8), .noSignature), ([0x0D, 0x0D], .noSignature),
        (binary(0x11, 0x11, v4), .unknownVersion), (binary(0x31, 0x11, v4), .unknownVersion),
        (binary(0x22, 0x11, v4), .unknownCommand), (binary(0x2F, 0x11, v4), .unknownCommand),
        (binary(0x21, 0x12, v4), .unknownFamily), (binary(0x21, 0x22, v6), .unknownFamily),
        (binary(0x21, 0x41, v4), .unknownFamily), (binary(0x21, 0x13, v4), .unknownFamily),
        (binary(0x21, 0x10, v4), .unknownFamily), (binary(0x21, 0x01, []), .unknownFamily),
        (binary(0x21, 0x11, Array(v4.dropLast())), .wrongLength),
        (binary(0x21, 0x21, Array(v6.dropLast())), .wrongLength),
        (binary(0x21, 0x11, v4 + [4]), .wrongLength),
        (binary(0x21, 0x11, v4 + [4, 0]), .wrongLength),
        (binary(0x21, 0x11, v4 + [4, 0, 1]), .wrongLength),
        (binary(0x21, 0x11, v4 + [3, 0, 3, 0, 0, 0]), .wrongLength),
        (binary(0x21, 0x11, v4 + [3, 0, 4, 0, 0, 0, 0]), .wrongChecksum),
        (binary(0x21, 0x00, [UInt8](repeating: 0, count: 4081)), .tooLong),
    ]

    /// Each refusal comes with the byte that makes it certain, and no earlier.
    @Test("what is no header is refused", arguments: refused)
    func refuses(_ header: [UInt8], _ error: ProxyHeaderError) throws {
        #expect(throws: error) { try read(header) }
        var count = 0
        while (try? read(Array(header[..<count]))) == .some(nil), count < header.count {
            count += 1
        }
        #expect(throws: error) { try read(Array(header[..<count])) }
    }

    @Test func `a checksum that is right is accepted`() throws {
        var header = Self.binary(0x21, 0x11, Self.v4 + [3, 0, 4, 0, 0, 0, 0])
        let checksum = castagnoli(header)
        for index in 0..<4 {
            header[header.count - 4 + index] = UInt8(
                truncatingIfNeeded: checksum >> (24 - 8 * index))
        }
        #expect(try read(header)?.source?.port == 56324)
        header[17] ^= 1
        #expect(throws: ProxyHeaderError.wrongChecksum) { try read(header) }
    }

    @Test func `a header may be as long as the limit says`() throws {
        let longest = Self.binary(0x20, 0, [UInt8](repeating: 0, count: 4080))
        #expect(try read(longest)?.length == 4096)
    }

    private func read(_ bytes: [UInt8]) throws -> ProxyHeader? {
        try ProxyHeader.read(bytes.span, bytesMax: 4096)
    }

    private static func text(_ line: String) -> [UInt8] { Array("\(line)\r\n".utf8) }

    private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        Array("\r\n\r\n\0\r\nQUIT\n".utf8)
            + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    private static let v4: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 1, 0xDC, 0x04, 0x01, 0xBB]
    private static let v6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        + [UInt8](repeating: 0, count: 16) + [0x01, 0xBB, 0, 80]

    /// Another way to the same number: bit by bit, as the polynomial is written.
    private func castagnoli(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = ~0
        for byte in bytes {
            for bit in 0..<8 {
                let top = (remainder & 1) ^ UInt32(byte >> UInt8(bit) & 1)
                remainder = remainder >> 1 ^ (top == 1 ? UInt32(0x1EDC_6F41).reversed : 0)
            }
        }
        return ~remainder
    }
}

extension UInt32 {
    fileprivate var reversed: UInt32 {
        (0..<32).reduce(UInt32(0)) { $0 | (self >> UInt32($1) & 1) << UInt32(31 - $1) }
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "x", count: count - utf8.count)
    }
}
