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

    /// Reads `bytes` as they come in two pieces, or in single bytes when `split` is nil.
    init(_ bytes: [UInt8], split: Int?, limits: RequestLimits = .init()) {
        var reader = RequestReader(limits: limits)
        let ends = split.map { [$0, bytes.count] } ?? Array(1...max(1, bytes.count))
        do {
            for end in ends where end <= bytes.count {
                if let head = try reader.read(bytes, 0..<end) {
                    self = .head(head)
                    return
                }
            }
            self = .incomplete
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
