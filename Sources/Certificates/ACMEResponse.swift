package import HTTPMessages
import JSONSyntax

/// A response of an authority.
package struct ACMEResponse: Sendable {
    package let head: ResponseHead
    package let content: [UInt8]

    package init(head: ResponseHead, content: [UInt8]) {
        self.head = head
        self.content = content
    }

    var status: Int { head.status }
    var isSuccess: Bool { (200..<300).contains(status) }
    var nonce: String? { head.value("replay-nonce") }
    /// The URL of what was made; nil if it is too long to be kept.
    var location: String? {
        head.value("location").flatMap { $0.utf8.count <= Self.urlBytesMax ? $0 : nil }
    }

    /// The content as JSON; nil if it is none.
    var json: JSONValue? {
        let document = JSONDocument(content, file: "")
        return document.isValid ? document.root : nil
    }

    /// The earliest time for another request (RFC 9110 §10.2.3), in seconds since 1970; nil if the
    /// authority names none.
    func retryTime(now: Int) -> Int? {
        guard let text = head.value("retry-after") else { return nil }
        if let seconds = Int(text), seconds >= 0 { return now + min(seconds, Self.retrySecondsMax) }
        let bytes = Array(text.utf8)
        return HTTPDate.parse(bytes, bytes.indices, now: now)
            .map { min(max($0, now), now + Self.retrySecondsMax) }
    }

    /// Links of a relation (RFC 8288 §3).
    func link(_ relation: String) -> String? {
        for value in head.values("link") {
            for part in value.utf8.split(separator: UInt8(ascii: ",")) {
                let pieces = part.split(separator: UInt8(ascii: ";")).map {
                    $0.filter { $0 != 0x20 }
                }
                let names = pieces.dropFirst().map { String(decoding: $0, as: UTF8.self) }
                guard let target = pieces.first, target.first == UInt8(ascii: "<"),
                    target.last == UInt8(ascii: ">"),
                    names.contains("rel=\"\(relation)\"") || names.contains("rel=\(relation)")
                else { continue }
                return String(decoding: target.dropFirst().dropLast(), as: UTF8.self)
            }
        }
        return nil
    }

    private static let urlBytesMax = 2_048
    /// No authority asks for more than a month.
    private static let retrySecondsMax = 31 * 86_400
}
