import Associations
import Diagnostics

// Several apps in one file.

extension AssociationReading {
    /// Links that several apps open; builds of one app are meant to.
    var sharedURLFindings: [Finding] {
        let claims = details.prefix(claimsMax).flatMap { detail in
            detail.appIDs.prefix(claimsMax).map { Claim(app: $0, pointer: detail.pointer) }
        }.prefix(claimsMax)
        let opened = openedPaths
        // Of several builds of one app, one is compared, because the others have the same findings.
        var families = [Claim]()
        var findings = [Finding]()
        for claim in claims
        where !families.contains(where: { areBuilds($0.app.value, claim.app.value) }) {
            if let finding = claim.contest(with: families, opened) { findings.append(finding) }
            families.append(claim)
        }
        return findings
    }

    /// For each entry with rules, by its pointer: paths that people would write for its opening
    /// rules, and the entries that each path opens.
    private var openedPaths: [String: [(path: String, entries: Set<String>)]] {
        let entries = details.prefix(claimsMax).filter { $0.rules != nil }
        let lists = entries.map { ($0.rules ?? []).prefix(rulesMax) }
        let matcher = RuleMatcher(
            lists.map { $0.map(RuleText.init) }, variables: substitutionVariables)
        let paths = lists.map { rules in
            rules.filter { !$0.exclude }.compactMap(\.examplePath).map { path in
                (path, Set(matcher.opens(path: path).map { entries[$0].pointer }))
            }
        }
        return Dictionary(zip(entries.map(\.pointer), paths)) { first, _ in first }
    }

    /// One app, and the entry with its rules.
    private struct Claim {
        let app: Located<String>
        let pointer: String

        /// The first earlier app that one of the paths also opens.
        func contest(
            with earlier: [Claim], _ opened: [String: [(path: String, entries: Set<String>)]]
        ) -> Finding? {
            for other in earlier {
                guard let own = opened[pointer], let others = opened[other.pointer],
                    let path = (own + (pointer == other.pointer ? [] : others)).first(where: {
                        $0.entries.isSuperset(of: [pointer, other.pointer])
                    })?.path
                else { continue }
                // A list of apps with one list of rules is intended.
                let isList = pointer == other.pointer
                return Finding(
                    isList ? .note : .warning, .sharedURL, Finding.Spot(app),
                    others: [Finding.Spot(other.app)],
                    advice: isList
                        ? "ignore this if people install only one of them, or give each app its "
                            + "own links"
                        : "give each app its own links"
                ) { line in
                    "\(quoted(path)) opens this app and \(quoted(other.app.value)) of \(line): "
                        + "Apple does not document which of two installed apps wins"
                }
            }
            return nil
        }
    }

    // MARK: Services

    /// Apps that open links, but do not share passwords although other apps of the file do.
    var missingCredentialsFindings: [Finding] {
        let apps = Set(services["webcredentials"]?.map(\.value) ?? [])
        let opening = details.flatMap(\.appIDs)
        guard opening.contains(where: { apps.contains($0.value) }) else { return [] }
        var seen = Set<String>()
        return opening.filter { id in
            !apps.contains(id.value) && !isClip(id.value) && seen.insert(id.value).inserted
        }.map { id in
            Finding(
                .note, .missingWebcredentials, Finding.Spot(id),
                "\(quoted(id.value)) opens links but is not listed under webcredentials, which "
                    + "lists other apps of this file", advice: "list it there, or ignore this")
        }
    }

    /// App Clips that are listed among apps, and apps among App Clips.
    var appClipFindings: [Finding] {
        let clips = Set((services["appclips"] ?? []).map(\.value))
        let opening = details.flatMap(\.appIDs)
        let missing = opening.filter { id in
            isClip(id.value) && !clips.contains(id.value)
        }.map { id in
            Finding(
                .warning, .appClipPlace, Finding.Spot(id),
                "\(quoted(id.value)) looks like an App Clip but is not listed under appclips",
                advice: "list it there, or its card appears for no link")
        }
        let misplaced = opening.filter { clips.contains($0.value) }.map { id in
            Finding(
                .warning, .appClipPlace, Finding.Spot(id),
                "\(quoted(id.value)) is listed under appclips and also under applinks",
                advice: "list the App Clip under appclips, and the app under applinks")
        }
        return missing + misplaced
    }
}

func isClip(_ id: String) -> Bool {
    let last = id.utf8.split(separator: UInt8(ascii: ".")).last ?? id.utf8[...]
    return last.elementsEqual("Clip".utf8) || last.elementsEqual("clip".utf8)
        || last.elementsEqual("AppClip".utf8)
}

/// The number of apps in a file that are compared, and of rules of each.
private let claimsMax = 50
private let rulesMax = 200
