private import URISyntax

/// Whether Android verifies a host, without the star of a wildcard: beside host names, it takes those with `_` within
/// labels, but for the last one (AOSP, `Patterns.DOMAIN_NAME`).
package func isAndroidHost(_ name: String) -> Bool {
    let underscore = UInt8(ascii: "_")
    let last = name.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
    guard !last.contains(underscore) else { return false }
    // A hyphen stands in the same places of a label.
    let plain = name.utf8.map { $0 == underscore ? UInt8(ascii: "-") : $0 }
    return (try? HostName(String(decoding: plain, as: UTF8.self))) != nil
}
