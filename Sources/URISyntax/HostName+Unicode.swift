// Host names in other scripts, as browsers send them (UTS #46, non-transitional). This uses the
// Unicode data of the standard library: lower case, composed letters, the full stops and full-width
// letters of East Asian keyboards. Other compatibility characters would need UTS #46's own table,
// so a name with one of them is refused.

extension HostName {
    /// The name that browsers send for a host in any script: each label beyond ASCII in punycode,
    /// after `xn--`. Nil if the text is not a host name, and if its mapping is not known here
    /// because it contains compatibility characters (`ﬁ`, `①`), joiners, or unassigned code points.
    public init?(anyScript text: String) {
        guard text.utf8.count <= Self.unicodeBytesMax else { return nil }
        let scalars = Self.composed(text.unicodeScalars.flatMap(Self.mapped))
        let labels = scalars.split(separator: ".", omittingEmptySubsequences: false)
        var names = [String]()
        for label in labels {
            guard let name = Self.ascii(Array(label)) else { return nil }
            names.append(name)
        }
        try? self.init(names.joined(separator: "."))
    }

    private static func ascii(_ label: [Unicode.Scalar]) -> String? {
        guard !label.allSatisfy(\.isASCII) else {
            return String(decoding: label.map { UInt8($0.value) }, as: UTF8.self)
        }
        // More scalars do not fit into a label.
        guard label.count <= scalarsMax, label.allSatisfy(isMapped),
            label.first?.properties.canonicalCombiningClass == .notReordered,
            label.first != "-", label.last != "-",
            let code = Punycode.encode(label)
        else { return nil }
        return "xn--" + String(decoding: code, as: UTF8.self)
    }

    private static let scalarsMax = 63
    /// A scalar takes at most four bytes, and at least one in the result.
    private static let unicodeBytesMax = 4 * bytesMax

    /// The scalar in lower case and in its usual width.
    private static func mapped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar.value {
        case 0x3002, 0xFF61: ["."]
        case 0xFF01...0xFF5E:
            Unicode.Scalar(scalar.value - 0xFEE0).map(mapped) ?? []
        default: Array(scalar.properties.lowercaseMapping.unicodeScalars)
        }
    }

    /// Whether UTS #46 does not change the scalar after it is lowercased and composed.
    private static func isMapped(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .unassigned, .control, .format, .privateUse, .surrogate, .spaceSeparator,
            .lineSeparator, .paragraphSeparator:
            return false
        default: break
        }
        // Both are separate letters in host names, although case folding maps them.
        let isOwnLetter = scalar == "ß" || scalar == "ς"
        return !properties.isDefaultIgnorableCodePoint
            && (isOwnLetter || !properties.changesWhenNFKCCaseFolded)
    }
}

// MARK: Composed letters

extension HostName {
    /// The scalars in Normalization Form C (UAX #15), for letters and marks that have a composed
    /// form.
    private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains(where: isJoined) else { return scalars }
        var result = [Unicode.Scalar]()
        var starter: Int?
        var lastClass: UInt8 = 0
        for scalar in ordered(scalars) {
            let ownClass = scalar.properties.canonicalCombiningClass.rawValue
            let isNext = starter == result.count - 1
            if let index = starter, isJoined(scalar), isNext || lastClass < ownClass,
                let one = composition(result[index], scalar)
            {
                result[index] = one
                continue
            }
            lastClass = ownClass
            if ownClass == 0 { starter = result.count }
            result.append(scalar)
        }
        return result
    }

    /// Whether the scalar can be composed with the one before it: marks, and the later parts of a
    /// Korean syllable.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered
            || (0x1161...0x11C2).contains(scalar.value)
    }

    /// Marks that follow one another, in the order of their classes (Canonical Ordering Algorithm).
    private static func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result = scalars
        for end in result.indices {
            let own = result[end].properties.canonicalCombiningClass
            var index = end
            while own != .notReordered, index > 0,
                result[index - 1].properties.canonicalCombiningClass > own
            {
                result.swapAt(index - 1, index)
                index -= 1
            }
        }
        return result
    }

    /// The scalar that is canonically equivalent to the two, or nil.
    private static func composition(
        _ first: Unicode.Scalar, _ second: Unicode.Scalar
    ) -> Unicode.Scalar? {
        var pair = String(first)
        pair.unicodeScalars.append(second)
        let isKorean = (0x1161...0x11C2).contains(second.value)
        for value in isKorean ? koreanSyllables : composedLetters {
            guard let scalar = Unicode.Scalar(value), String(scalar) == pair,
                !scalar.properties.isFullCompositionExclusion
            else { continue }
            return scalar
        }
        return nil
    }

    private static let koreanSyllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// From Latin to Japanese, whose last composed letter is U+30FE.
    private static let composedLetters: ClosedRange<UInt32> = 0xC0...0x30FE
}
