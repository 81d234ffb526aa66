import URISyntax

// Builds of one app, whose identifiers differ in the name of the build, such as `.dev` and `.beta`.

/// Whether two app identifiers are those of builds of one app: they differ only in the prefix, in
/// words for a build, or in labels that one of them has at its end.
func areBuilds(_ one: String, _ other: String) -> Bool {
    var (short, long) = (bundle(of: one), bundle(of: other))
    if short.count > long.count { swap(&short, &long) }
    if long.starts(with: short), long.count == short.count || !isAlphanumeric(long[short.count]) {
        return true
    }
    let stem = stem(of: short)
    return !stem.isEmpty && stem == Linting.stem(of: long)
}

/// The part after the App ID prefix, in lower case.
func bundle(of id: String) -> [UInt8] {
    let bytes = Array(id.lowercased().utf8)
    return bytes.firstIndex(of: UInt8(ascii: ".")).map { Array(bytes[($0 + 1)...]) } ?? bytes
}

/// The labels of a bundle identifier without words for a build, whether they are labels of their
/// own or the end of a label.
private func stem(of bundle: [UInt8]) -> [[UInt8]] {
    bundle.split(separator: UInt8(ascii: ".")).compactMap { label in
        let own = withoutBuild(label)
        return own.isEmpty ? nil : own
    }
}

private func withoutBuild(_ label: ArraySlice<UInt8>) -> [UInt8] {
    var label = label
    while let shorter = withoutLastWord(label) { label = shorter }
    return Array(label)
}

/// The label without a word for a build at its end, the digits after it and the hyphen before it;
/// nil if there is none.
private func withoutLastWord(_ label: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let digits = label.reversed().prefix(while: \.isDigit).count
    let text = label.dropLast(digits)
    let words = buildWords.filter { word in
        guard text.suffix(word.count).elementsEqual(word) else { return false }
        let before = text.dropLast(word.count).last
        // Other words end with short ones: `paint`, `attest`.
        return word.count > 4 || !(before.map(isAlphanumeric) ?? false)
    }
    guard let word = words.max(by: { $0.count < $1.count }) else { return nil }
    let rest = text.dropLast(word.count)
    return rest.last.map(isAlphanumeric) == false ? rest.dropLast() : rest
}

private let buildWords = [
    "acc", "acceptance", "adhoc", "alpha", "beta", "canary", "ci", "debug", "demo", "dev", "devel",
    "development", "dogfood", "enterprise", "int", "integration", "inhouse", "internal", "local",
    "nightly", "pre", "preprod", "preproduction", "preview", "prod", "production", "qa", "rc",
    "release", "sandbox", "sit", "stage", "staging", "stg", "store", "test", "testing", "tst",
    "uat",
].map { Array($0.utf8) }
