// Names and texts of scripts, as bytes.

extension Collection<UInt8> {
    func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }
    var parts: [[UInt8]] { split(separator: UInt8(ascii: ".")).map { Array($0) } }
    var lastPart: [UInt8] { parts.last ?? [] }
    var isOfVariables: Bool { ["ext", "extra"].contains(where: lastPart.isText) }
    /// Whether it is a name such as `Copy`, and not `COPY`.
    var isOfType: Bool {
        isOfTypeOrConstant && contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
    var isOfTypeOrConstant: Bool {
        first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }
}

extension [UInt8] {
    /// Whether it is of a word and further ones, such as `getName`.
    func begins(with word: String) -> Bool {
        guard count > word.utf8.count, starts(with: word.utf8) else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self[word.utf8.count])
    }

    /// The property that a method such as `setName` sets; nil for another name.
    var propertyOfSetter: [UInt8]? { property(behind: "set") }

    /// The property that a method such as `getName` gets; nil for another name.
    var propertyOfGetter: [UInt8]? { property(behind: "get") }

    private func property(behind word: String) -> [UInt8]? {
        begins(with: word) ? [self[3] | 0x20] + self[4...] : nil
    }

    /// The place behind what a text fills in from a place on, such as `${a["b"]}`; nil if nothing begins there, or if it has no
    /// end in the bytes that are looked at.
    func endOfFilledIn(from start: Int) -> Int? {
        guard self[start...].starts(with: "${".utf8) else { return nil }
        // The braces and quotation marks that are open.
        var open = [UInt8(ascii: "{")]
        var index = start + 2
        while index < Swift.min(count, start + AppFileLimits.filledBytesMax), let last = open.last {
            let byte = self[index]
            index += 1
            if last == UInt8(ascii: "{") {
                switch byte {
                case UInt8(ascii: "}"): open.removeLast()
                case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'"): open.append(byte)
                default: break
                }
            } else if byte == last {
                open.removeLast()
            } else if byte == UInt8(ascii: "\\") {
                index += 1
            } else if last == UInt8(ascii: "\""), self[(index - 1)...].starts(with: "${".utf8) {
                open.append(UInt8(ascii: "{"))
                index += 1
            } else if byte == 0x0A {
                return nil
            }
        }
        return open.isEmpty && index <= count ? index : nil
    }

    /// The code that a text fills in: what stands in `${…}`.
    var filledCode: [[UInt8]] {
        var found = [[UInt8]]()
        var index = 0
        while index < count {
            guard self[index...].starts(with: "${".utf8) else {
                index += 1
                continue
            }
            let end = endOfFilledIn(from: index)
            found.append(Array(self[(index + 2)..<(end.map { $0 - 1 } ?? count)]))
            index = end ?? count
        }
        return found
    }
}
