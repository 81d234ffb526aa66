private import Compression
package import HTTPMessages

/// A response, with the content as it was received and decoded.
package struct FetchResponse: Hashable, Sendable {
    package let head: ResponseHead
    /// The content before decoding.
    package let received: [UInt8]
    package let content: Content

    package enum Content: Hashable, Sendable {
        case whole([UInt8])
        /// Only as much as the limit allows.
        case tooLarge([UInt8])
        /// It cannot be decoded: this coding is not supported, or its data is damaged.
        case undecodable(coding: String)
    }

    package init(head: ResponseHead, received: [UInt8], isTooLarge: Bool = false, bytesMax: Int) {
        self.head = head
        self.received = received
        let codings = head.values("content-encoding").joined(separator: ", ").lowercased()
        // A server chooses the text, and equality of strings is not linear in it.
        func isCoded(_ names: String...) -> Bool {
            names.contains { codings.utf8.elementsEqual($0.utf8) }
        }
        if isCoded("gzip", "x-gzip") {
            switch gunzip(received, bytesMax: bytesMax) {
            case .whole(let bytes): content = .whole(bytes)
            case .tooLarge(let bytes): content = .tooLarge(bytes)
            case .damaged: content = isTooLarge ? .tooLarge([]) : .undecodable(coding: codings)
            }
        } else if !isCoded("", "identity") {
            content = .undecodable(coding: codings)
        } else {
            content = isTooLarge ? .tooLarge(received) : .whole(received)
        }
    }

    /// Reads a response that has come whole, from bytes that no connection has carried. Bytes that
    /// are no response have the status 0, and no content.
    package init(_ bytes: [UInt8]) {
        var reader = ResponseReader(contentBytesMax: bytes.count)
        try? reader.take(bytes)
        self.init(
            head: reader.head ?? ResponseHead(status: 0), received: reader.content,
            bytesMax: bytes.count)
    }

    package var status: Int { head.status }

    /// The decoded content, as far as it is known.
    package var bytes: [UInt8] {
        switch content {
        case .whole(let bytes), .tooLarge(let bytes): bytes
        case .undecodable: received
        }
    }
}
