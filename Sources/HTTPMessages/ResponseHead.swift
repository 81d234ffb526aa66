/// The status line and the field section of a response.
package struct ResponseHead: Hashable, Sendable {
    package let status: Int
    /// The reason phrase, which has no meaning (RFC 9112 §4).
    package let reason: String
    /// Names as they were sent, in the order of the response.
    package let fields: [(name: String, value: String)]

    package init(status: Int, reason: String = "", fields: [(name: String, value: String)] = []) {
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The values of all field lines with this name, which is in lower case.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The value of the first field line with this name, which is in lower case.
    package func value(_ name: String) -> String? { values(name).first }

    /// The field lines, those of one name combined (RFC 9110 §5.3).
    package var combinedFields: [(name: String, value: String)] {
        var combined = [(name: String, value: String)]()
        var indices = [String: Int]()
        for line in fields {
            let name = line.name.lowercased()
            if let known = indices[name] {
                combined[known].value += ", " + line.value
            } else {
                indices[name] = combined.count
                combined.append(line)
            }
        }
        return combined
    }

    init(_ bytes: [UInt8]) throws(ResponseError) {
        let lines = bytes.split(separator: UInt8.lineFeed).map { line in
            line.last == .carriageReturn ? line.dropLast() : line
        }.filter { !$0.isEmpty }
        let words = (lines.first ?? []).split(
            separator: UInt8.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[0].count == 8,
            words[1].count == 3, let status = Int(String(decoding: words[1], as: UTF8.self)),
            status >= 100
        else { throw .notHTTP }
        var fields = [(name: String, value: String)]()
        for line in lines.dropFirst() {
            // A line that begins with a blank continues the one before (RFC 9112 §5.2).
            if line.first?.isOWS == true, !fields.isEmpty {
                fields[fields.count - 1].value +=
                    " " + String(decoding: line.drop(while: \.isOWS), as: UTF8.self)
                continue
            }
            guard let colon = line.firstIndex(of: .colon), colon > line.startIndex,
                line[..<colon].allSatisfy(\.isTchar)
            else { throw .invalidField(String(decoding: line.prefix(60), as: UTF8.self)) }
            let value = line[(colon + 1)...].drop(while: \.isOWS)
            let end = value.lastIndex { !$0.isOWS }.map { $0 + 1 } ?? value.startIndex
            fields.append(
                (
                    String(decoding: line[..<colon], as: UTF8.self),
                    String(decoding: value[..<end], as: UTF8.self)
                ))
        }
        self.init(
            status: status,
            reason: words.count > 2 ? String(decoding: words[2], as: UTF8.self) : "",
            fields: fields)
    }

    package static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left.status == right.status && left.reason == right.reason
            && left.fields.elementsEqual(right.fields, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(fields.count)
    }
}
