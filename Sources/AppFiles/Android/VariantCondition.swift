/// A condition, as far as it consists of names that have to be those of a variant. What else it asks can only make it
/// narrower.
struct VariantCondition {
    /// The alternatives, of each the names that stand alone, and those of each list in it; nil if it can hold for variants of
    /// other names.
    private let alternatives: [[[[UInt8]]]]?

    /// One that can hold for each variant.
    init() { alternatives = nil }

    /// - Parameter words: those that are about the variant. With any other, it can hold for each.
    init(_ tokens: ArraySlice<GradleToken>, _ words: VariantWords) {
        // What `else` at its beginning asks makes it narrower, too.
        let tokens = tokens.first?.isWord("else") == true ? tokens.dropFirst() : tokens
        var (names, isOpen) = (ConditionNames(), !words.areAll(of: tokens))
        for index in tokens.indices {
            let next = index + 1 < tokens.endIndex ? tokens[index + 1] : .newline
            switch tokens[index] {
            case .text(let text?) where text.utf8.count <= VariantNames.bytesMax:
                // The dimension of a flavour stands before it.
                if !next.isWord("to"), !tokens.isDimension(at: index) { names.add(text) }
            case .text, .filled, .symbol(UInt8(ascii: "!")), .symbol(UInt8(ascii: "^")),
                .symbol(UInt8(ascii: "<")), .symbol(UInt8(ascii: "+")):
                isOpen = true
            case .symbol(UInt8(ascii: ">")):
                if index == tokens.startIndex || tokens[index - 1] != minus {
                    isOpen = true
                }
            case .symbol(UInt8(ascii: "?")):
                if next != .symbol(UInt8(ascii: ".")) { isOpen = true }
            case .symbol(UInt8(ascii: "-")):
                if next != .symbol(UInt8(ascii: ">")) { isOpen = true }
            case .symbol(UInt8(ascii: "|")):
                if next != .symbol(UInt8(ascii: "|")) { names.endAlternative() }
            case .symbol(UInt8(ascii: ",")):
                let isOfDimension = index > tokens.startIndex && tokens.isDimension(at: index - 1)
                if !isOfDimension, index + 1 < tokens.endIndex { names.separate() }
            case .symbol(let byte) where "([{".utf8.contains(byte): names.enter()
            case .symbol(let byte) where ")]}".utf8.contains(byte): names.leave()
            default:
                if tokens[index].parts.contains(where: turning.contains) { isOpen = true }
            }
        }
        alternatives = isOpen ? nil : names.alternatives
    }

    /// Whether it may hold for the release of a flavour.
    func mayHold(for flavor: String, _ names: inout VariantNames) -> Bool {
        guard let alternatives, flavor.utf8.count <= VariantNames.bytesMax else { return true }
        let own = Array("\(flavor)Release".lowercased().utf8)
        return alternatives.contains { Self.mayHold($0, for: own, &names) }
    }

    /// - Parameter own: the name of the release.
    private static func mayHold(
        _ lists: [[[UInt8]]], for own: [UInt8], _ names: inout VariantNames
    ) -> Bool {
        var (ofFlavors, ofTypes, ofLists) = ([Bool](), [Bool](), [Bool]())
        for (number, texts) in lists.enumerated() {
            var found = (flavors: [Bool](), types: [Bool]())
            for text in texts {
                switch names.kind(of: text) {
                case .flavor: found.flavors.append(own.contains(text))
                case .type:
                    let isOfProduction = isGradleProduction(String(decoding: text, as: UTF8.self))
                    found.types.append(isOfProduction || own.contains(text))
                case nil: return true
                }
            }
            if number > 0, !found.flavors.isEmpty, !found.types.isEmpty {
                // One of both may do.
                ofLists.append((found.flavors + found.types).contains(true))
            } else {
                ofFlavors += found.flavors
                ofTypes += found.types
            }
        }
        return !ofLists.contains(false)
            && [ofFlavors, ofTypes].allSatisfy { $0.isEmpty || $0.contains(true) }
    }
}

extension ArraySlice<GradleToken> {
    /// Whether a text is the dimension of `withFlavor("dimension", "flavor")` or of a pair.
    fileprivate func isDimension(at index: Int) -> Bool {
        guard index > startIndex + 1, index + 1 < endIndex,
            self[index + 1] == .symbol(UInt8(ascii: ",")),
            self[index - 1] == .symbol(UInt8(ascii: "("))
        else { return false }
        return ["withFlavor", "Pair"].contains(self[index - 2].parts.last)
    }
}

/// The words by which a condition can hold where a name in it is another one.
private let turning: Set = [
    "FALSE", "break", "case", "compareTo", "continue", "count", "disjoint", "else", "false",
    "filterNot", "findIndexOf", "indexOf", "indexOfFirst", "indexOfLast", "isEmpty",
    "isNullOrEmpty", "lastIndexOf", "length", "minus", "negate", "none", "not", "null", "or",
    "removeAll", "retainAll", "return", "size", "switch", "takeUnless", "when", "xor",
]
