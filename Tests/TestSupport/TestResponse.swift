/// A response taken apart for comparison.
package struct TestResponse: Equatable {
    package let status: Int
    package let fields: [String: String]
    package let body: String
    package let length: Int

    package init?(_ bytes: [UInt8], isHead: Bool) {
        let text = String(decoding: bytes, as: UTF8.self)
        let scalars = text.unicodeScalars
        var end = scalars.startIndex
        var lines = [String]()
        var isWhole = false
        while let lineEnd = scalars[end...].firstIndex(of: "\n") {
            let line = String(scalars[end..<lineEnd].dropLast())
            end = scalars.index(after: lineEnd)
            if line.isEmpty {
                isWhole = true
                break
            }
            lines.append(line)
            guard end < scalars.endIndex else { return nil }
        }
        guard isWhole, let first = lines.first, let code = Int(first.dropFirst(9).prefix(3)) else {
            return nil
        }
        status = code
        var fields = [String: String]()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].dropFirst())
        }
        self.fields = fields
        let head = text.utf8.distance(from: text.startIndex, to: end)
        let hasBody = !isHead && code != 204 && code != 304 && code >= 200
        let count = hasBody ? Int(fields["content-length"] ?? "0") ?? 0 : 0
        guard bytes.count >= head + count else { return nil }
        body = String(decoding: bytes[head..<head + count], as: UTF8.self)
        length = head + count
    }
}
