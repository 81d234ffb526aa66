internal import Glibc

/// The name by which operators recognize this machine among others, from its host name (gethostname(2)); nil if that
/// names nothing. It has 1 to 64 letters, digits, full stops, hyphens and underscores of ASCII.
package func machineName() -> String? {
    var bytes = [UInt8](repeating: 0, count: hostNameBytesMax + 1)
    let isRead = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress.map { start in
            unsafe gethostname(start, hostNameBytesMax) == 0
        }
    }
    return isRead == true ? machineName(from: Array(bytes.prefix { $0 != 0 })) : nil
}

/// The same from a host name, which a system takes with any bytes: each other than those is a hyphen.
package func machineName(from hostName: [UInt8]) -> String? {
    // The kernel's, before somebody has set one.
    guard hostName != Array("(none)".utf8) else { return nil }
    let bytes = hostName.prefix(machineNameBytesMax).map { $0.isOfName ? $0 : UInt8(ascii: "-") }
    guard bytes.contains(where: \.isLetterOrDigit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}

extension UInt8 {
    fileprivate var isOfName: Bool {
        isLetterOrDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_")
    }

    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

/// The most bytes of a host name on Linux, and of a name that is made of it.
private let hostNameBytesMax = 255
private let machineNameBytesMax = 64
