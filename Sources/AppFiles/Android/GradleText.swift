// Names and texts of scripts, as bytes.

extension Collection<UInt8> {
    func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }
    var parts: [[UInt8]] { split(separator: UInt8(ascii: ".")).map { Array($0) } }
    var lastPart: [UInt8] { parts.last ?? [] }
    var isOfVariables: Bool { ["ext", "extra"].contains(where: lastPart.isText) }
    /// Whether it is a name such as `Copy`, and not `COPY`.
    var isOfType: Bool {
        guard let first else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
            && contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}

extension [UInt8] {
    /// The code that a text fills in: what stands in `${…}`.
    var filledCode: [[UInt8]] {
        var found = [[UInt8]]()
        var index = 0
        while index < count {
            guard self[index...].starts(with: "${".utf8) else {
                index += 1
                continue
            }
            let start = index + 2
            var depth = 1
            index = start
            while index < count, depth > 0 {
                if self[index] == UInt8(ascii: "{") { depth += 1 }
                if self[index] == UInt8(ascii: "}") { depth -= 1 }
                index += 1
            }
            found.append(Array(self[start..<(depth == 0 ? index - 1 : index)]))
        }
        return found
    }
}
