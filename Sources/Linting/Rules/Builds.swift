import URISyntax

// Builds of one app: identifiers that differ in what names the build, such as `.dev` and `.beta`.

/// Whether two app identifiers are those of builds of one app: they differ in the prefix alone, in
/// words for a build, or in something that one of them has behind the other.
func areBuilds(_ one: String, _ other: String) -> Bool {
    var (short, long) = (bundle(of: one), bundle(of: other))
    if short.count > long.count { swap(&short, &long) }
    if long.starts(with: short), long.count == short.count || !isAlphanumeric(long[short.count]) {
        return true
    }
    let stem = stem(of: short)
    return !stem.isEmpty && stem == Linting.stem(of: long)
}

/// What stands after the App ID prefix, in small letters.
func bundle(of id: String) -> [UInt8] {
    let bytes = Array(id.lowercased().utf8)
    return bytes.firstIndex(of: UInt8(ascii: ".")).map { Array(bytes[($0 + 1)...]) } ?? bytes
}

/// The labels of a bundle identifier without words for a build: labels of their own, and what
/// others end with.
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

/// The label without a word for a build at its end, with the digits behind it and the hyphen
/// before it; nil where there is none.
private func withoutLastWord(_ label: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let digits = label.reversed().prefix(while: \.isDigit).count
    let text = label.dropLast(digits)
    let words = buildWords.filter { word in
        guard text.suffix(word.count).elementsEqual(word) else { return false }
        let before = text.dropLast(word.count).last
        // Short words end many others: `paint`, `attest`.
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
