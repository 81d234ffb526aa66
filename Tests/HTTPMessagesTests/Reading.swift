import HTTPMessages

/// What reading a text as a request comes to.
enum Reading: Equatable, CustomStringConvertible {
    case head(RequestHead)
    case incomplete
    case refused(MessageError.Kind, at: Int)

    static func == (left: Reading, right: Reading) -> Bool { left.description == right.description }

    var description: String {
        switch self {
        case .head(let head): "\(head)"
        case .incomplete: "incomplete"
        case .refused(let kind, let offset): "\(kind) at \(offset)"
        }
    }

    /// Reads `text` in one piece.
    init(_ text: String, limits: RequestLimits = .init()) {
        self.init(Array(text.utf8), limits: limits)
    }

    init(_ bytes: [UInt8], limits: RequestLimits = .init()) {
        var reader = RequestReader(limits: limits)
        do {
            let head = try reader.read(bytes, 0..<bytes.count)
            self = head.map(Reading.head) ?? .incomplete
        } catch {
            self = .refused(error.kind, at: error.offset)
        }
    }

    /// The status that it is answered with; nil for a head, 0 while more must come.
    var status: Int? {
        switch self {
        case .head: nil
        case .incomplete: 0
        case .refused(let kind, _): MessageError(kind, at: 0).status.rawValue
        }
    }
}
