import AppFiles
import Associations
import Diagnostics

/// The faults of the paths of one intent filter, whatever the site publishes.
struct AndroidPathRules {
    let filter: IntentFilter
    let kind: AndroidDeclaration.Kind
    let leastAPI: Int?
    private let notation: ManifestNotation

    init(
        _ filter: IntentFilter, kind: AndroidDeclaration.Kind, leastAPI: Int?,
        _ notation: ManifestNotation
    ) {
        (self.filter, self.kind, self.leastAPI) = (filter, kind, leastAPI)
        self.notation = notation
    }

    func examine(_ found: inout AppFindings) {
        for path in filter.paths where !path.value.isOpen {
            findForm(path, &found)
            findStars(path, &found)
            findEscapes(path, &found)
        }
        findCombinations(&found)
        findNewKinds(&found)
    }

    private func findForm(_ path: IntentFilter.Path, _ found: inout AppFindings) {
        let (written, text) = (path.value.shown, shipped(path))
        // An empty path is that of a link to the host alone.
        guard let first = text.utf8.first else { return }
        let isPlain = path.attribute == "path" || path.attribute == "pathPrefix"
        let mayBegin =
            first == UInt8(ascii: "/")
            || path.attribute == "pathPattern" && first == UInt8(ascii: ".")
        if isPlain || path.attribute == "pathPattern", !mayBegin {
            found.add(
                .error, .pathWithoutSlash, path.value.place,
                "\(path.attribute) \(written) does not begin with a slash, so it fits no link",
                advice: "write \(notation.attribute(path.attribute, "/…"))")
        } else if isPlain,
            text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") })
        {
            found.add(
                .error, .pathHasStar, path.value.place,
                "\(path.attribute) \(written) is compared to the letter, and links seldom have * or ?",
                advice:
                    "write \(notation.name("pathPrefix")) with what stands before it, or "
                    + "\(notation.name("pathPattern")); queries are not compared")
        }
    }

    /// The text in the file that ships; the one that is written if no pattern can be made of it.
    private func shipped(_ path: IntentFilter.Path) -> String {
        guard case .known(let pattern) = path.pattern(ofKind: kind) else { return path.value.text }
        return pattern.text
    }

    /// A star belongs to the character before it. People mean any text.
    private func findStars(_ path: IntentFilter.Path, _ found: inout AppFindings) {
        if path.attribute == "pathPattern",
            let character = firstUnescaped("[+{", in: shipped(path))
        {
            found.add(
                .warning, .patternStar, path.value.place,
                "pathPattern \(path.value.shown) has \(quoted(String(character))), which is compared to the letter",
                advice:
                    "write \(notation.name("pathAdvancedPattern")), which has sets and numbers of times, with minSdk 31"
            )
        }
        if path.isAdvanced, firstUnescaped("|", in: shipped(path)) != nil {
            found.add(
                .warning, .patternStar, path.value.place,
                "pathAdvancedPattern \(quoted(path.value.text)) has \"|\", which is compared to the letter: there are no "
                    + "groups",
                advice: "write \(notation.name("pathAdvancedPattern")) for each of them")
        }
        guard path.isPattern, case .known(let pattern) = path.pattern(ofKind: kind),
            let character = pattern.starredCharacter(onlySlash: path.isAdvanced)
        else { return }
        found.add(
            .warning, .patternStar, path.value.place,
            "the star in \(path.attribute) \(path.value.shown) repeats \(quoted(character)), and is not "
                + "any text",
            advice:
                "write .* for any text, or \(notation.name("pathPrefix")) for all that begins so")
    }

    /// The first of some characters without a backslash before it.
    private func firstUnescaped(_ characters: String, in text: String) -> Unicode.Scalar? {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\" {
                _ = rest.popFirst()
            } else if characters.unicodeScalars.contains(scalar) {
                return scalar
            }
        }
        return nil
    }

    private func findEscapes(_ path: IntentFilter.Path, _ found: inout AppFindings) {
        guard path.isPattern else { return }
        if kind == .source, let lost = lostEscape(in: path.value.text) {
            return found.add(
                .warning, .patternEscape, path.value.place,
                "the backslash before \(quoted(lost)) in \(path.attribute) \(quoted(path.value.text)) is read by "
                    + "aapt2, so it is not in the app",
                advice: "write two backslashes in the manifest")
        }
        guard !path.isAdvanced, case .known(let pattern) = path.pattern(ofKind: kind),
            pattern.hasEscapedDotForAny
        else { return }
        found.add(
            .note, .patternEscape, path.value.place,
            "in pathPattern \(quoted(path.value.text)), a dot with a backslash takes any character: Android compares "
                + "it only after .*",
            advice:
                "leave it if that does not matter, or write \(notation.name("pathAdvancedPattern")) with [.]"
        )
    }

    /// The character behind a backslash that the manifest's compiler takes away, where it has a meaning to
    /// Android; nil if there is none.
    private func lostEscape(in text: String) -> String? {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = bytes.popFirst() else { continue }
            if ".*[]{}+".utf8.contains(next) { return String(decoding: [next], as: UTF8.self) }
        }
        return nil
    }

    /// Android pools the values of all elements, so hosts and paths that stand together are not meant together.
    private func findCombinations(_ found: inout AppFindings) {
        let elements = filter.elements
        // Who writes a host or a path alone knows that.
        guard elements.count > 1, elements.allSatisfy({ $0.host != nil && !$0.paths.isEmpty })
        else { return }
        struct Written: Hashable {
            let host: [UInt8]
            let path: [UInt8]
        }
        func name(_ path: IntentFilter.Path) -> [UInt8] {
            Array("\(path.attribute) \(path.value.text)".utf8)
        }
        var written = Set<Written>()
        var prefixes = [[UInt8]: [String]]()
        for element in elements {
            let host = Array((element.host?.text ?? "").utf8)
            for path in element.paths {
                written.insert(Written(host: host, path: name(path)))
                if path.attribute == "pathPrefix" {
                    prefixes[host, default: []].append(path.value.text)
                }
            }
        }
        // A host and a path can stand in many elements.
        var seen = Set<[UInt8]>()
        let hosts = filter.hosts.filter { seen.insert(Array($0.text.utf8)).inserted }
        seen = []
        let paths = filter.paths.filter { seen.insert(name($0)).inserted }
        var left = Self.combinationsMax
        for path in paths {
            let isPlain = path.attribute == "path" || path.attribute == "pathPrefix"
            let name = name(path)
            let other = hosts.first { value in
                let host = Array(value.text.utf8)
                left -= 1
                if left < 0 || written.contains(Written(host: host, path: name)) { return false }
                // A shorter prefix of the host takes it anyway.
                let isTaken = prefixes[host, default: []].contains { prefix in
                    left -= 1
                    return path.value.text.utf8.starts(with: prefix.utf8)
                }
                return !isPlain || !isTaken
            }
            guard left >= 0 else { return }
            guard let other else { continue }
            return found.add(
                .warning, .dataCrossProduct, path.value.place,
                "the filter also takes \(path.attribute) \(quoted(path.value.text)) on \(quoted(other.text)): Android "
                    + "combines each host with each path",
                advice: "write an intent-filter for each host")
        }
    }

    /// The pairs of hosts and paths of a filter that are looked at, with the prefixes that are compared for them.
    static let combinationsMax = 20_000

    private func findNewKinds(_ found: inout AppFindings) {
        guard let leastAPI else { return }
        let isAlone = filter.paths.allSatisfy(\.isNew)
        let effect =
            isAlone
            ? "older versions take every path of its hosts"
            : "older versions leave its links to browsers"
        if leastAPI < Self.apiOfNewPaths, let path = filter.paths.first(where: \.isNew) {
            found.add(
                .warning, .newPathKindOnOld, path.value.place,
                "\(path.attribute) is for Android 12 and later, and the app is installed from API level "
                    + "\(leastAPI) on: \(effect)",
                advice:
                    "write \(notation.name("pathPrefix")) or \(notation.name("pathPattern")), or raise minSdk to 31"
            )
        } else if leastAPI < ManifestRules.apiOfGroups, let group = filter.groups.first {
            found.add(
                .warning, .newPathKindOnOld, group.place,
                "uri-relative-filter-group is for Android 15 and later, and the app is installed from API level "
                    + "\(leastAPI) on: \(effect)",
                advice: "write the paths in <data> outside of groups, too, or raise minSdk to 35")
        }
    }

    /// The API level of Android 12.
    private static let apiOfNewPaths = 31
}

extension IntentFilter.Path {
    fileprivate var isAdvanced: Bool { attribute == "pathAdvancedPattern" }
    fileprivate var isPattern: Bool { attribute == "pathPattern" || isAdvanced }
    /// Whether Android 11 does not know it.
    fileprivate var isNew: Bool { attribute == "pathSuffix" || isAdvanced }
}
