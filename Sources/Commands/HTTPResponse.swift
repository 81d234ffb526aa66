/// A response as it is sent, split into its parts.
struct HTTPResponse {
    /// 0 if it is none.
    let status: Int
    let reason: String
    let fieldLines: [(name: String, value: String)]
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.indices.first { bytes[$0...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) }
        let lines = bytes[..<(end ?? bytes.count)].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        let isHTTP = words.count > 1 && words[0].utf8.starts(with: "HTTP/1.".utf8)
        status = isHTTP ? Int(words[1]) ?? 0 : 0
        reason = words.count > 2 ? words[2] : ""
        fieldLines = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            return (parts[0], String(parts[1].drop { $0 == " " }))
        }
        body = Array(bytes.dropFirst((end ?? bytes.count) + 4))
    }

    /// The field lines, those of one name combined (RFC 9110 §5.3).
    var combinedFields: [(name: String, value: String)] {
        var fields = [(name: String, value: String)]()
        for line in fieldLines {
            let known = fields.firstIndex { $0.name.lowercased() == line.name.lowercased() }
            if let known { fields[known].value += ", " + line.value } else { fields.append(line) }
        }
        return fields
    }

    /// The value of the first field of this name.
    func field(_ name: String) -> String? {
        let wanted = name.lowercased()
        return fieldLines.first { $0.name.lowercased() == wanted }?.value
    }
}
