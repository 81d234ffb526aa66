import Diagnostics
import JSONSyntax
import Resolution

// The requests of Firebase's REST API: the tables by which they are read, and described.

/// The form of a value.
indirect enum FirebaseForm: Sendable {
    case text
    case flag
    case choice([String])
    case object([(name: String, form: FirebaseForm)])

    private func schema(isOpen: Bool) -> JSONText {
        switch self {
        case .text: Schemas.text
        case .flag: Schemas.boolean
        case .choice(let choices): Schemas.choice(choices)
        case .object(let members):
            .object(
                [("type", .string("object"))]
                    + (isOpen ? [] : [("additionalProperties", .boolean(false))])
                    + [
                        (
                            "properties",
                            .object(
                                members.map { member in
                                    let own = member.form.schema(isOpen: false)
                                    return (member.name, Schemas.orNull(own))
                                })
                        )
                    ])
        }
    }

    /// The schema of a whole request, which cannot be null.
    /// - Parameter isOpen: whether members that are not read may be there.
    func requestSchema(isOpen: Bool) -> JSONText { schema(isOpen: isOpen) }

    /// Reads a value, by the paths of its members (`suffix.option`). Null is the same as nothing.
    func read(
        _ json: JSONValue, at path: String, into values: inout [String: String],
        isOpen: Bool, _ faults: inout [FirebaseFault]
    ) {
        func wrong(_ need: String) {
            faults.append(FirebaseFault(path, "it is \(json.kind), must be \(need)"))
        }
        if case .null = json.content, !path.isEmpty { return }
        switch self {
        case .text:
            guard let text = json.text else { return wrong("a string") }
            values[path] = text
        case .flag:
            guard let flag = json.boolean else { return wrong("true or false") }
            values[path] = flag ? "true" : "false"
        case .choice(let choices):
            guard let text = json.text, choices.contains(text) else {
                return wrong("one of \(choices.joined(separator: ", "))")
            }
            values[path] = text
        case .object(let members):
            guard let own = json.members else { return wrong("an object") }
            for member in own {
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                guard let form = members.first(where: { $0.name == member.key })?.form else {
                    if !isOpen { faults.append(FirebaseFault(place, "there is no such member")) }
                    continue
                }
                form.read(member.value, at: place, into: &values, isOpen: isOpen, &faults)
            }
        }
    }
}

extension FirebaseForm {
    private static let link: [(name: String, form: FirebaseForm)] = [
        ("longDynamicLink", .text), ("dynamicLinkInfo", info), ("sdkVersion", .text),
        (
            "suffix",
            .object([
                (
                    "option",
                    .choice(["OPTION_UNSPECIFIED", "UNGUESSABLE", "SHORT", "CUSTOM"])
                ), ("customSuffix", .text),
            ])
        ),
    ]

    /// Of a request for a short link.
    static let shortLink = FirebaseForm.object(link)
    /// The same, for a link with a name.
    static let managedShortLink = FirebaseForm.object(link + [("name", .text)])
    /// The members of a request about a link that has opened the app.
    static let reopenAttribution = FirebaseForm.object([
        ("bundleId", .text), ("requestedLink", .text), ("sdkVersion", .text),
    ])
    /// The members of a request at the first start of an app.
    static let installAttribution = FirebaseForm.object([
        ("bundleId", .text), ("uniqueMatchLinkToCheck", .text), ("retrievalMethod", .text),
        ("sdkVersion", .text),
    ])

    /// The parameters of `dynamicLinkInfo` by their names in long links.
    static let parameters: [(path: String, parameter: String)] = [
        ("link", "link"), ("androidInfo.androidPackageName", "apn"),
        ("androidInfo.androidFallbackLink", "afl"),
        ("androidInfo.androidMinPackageVersionCode", "amv"), ("androidInfo.androidLink", "al"),
        ("iosInfo.iosBundleId", "ibi"), ("iosInfo.iosFallbackLink", "ifl"),
        ("iosInfo.iosCustomScheme", "ius"), ("iosInfo.iosIpadFallbackLink", "ipfl"),
        ("iosInfo.iosIpadBundleId", "ipbi"), ("iosInfo.iosAppStoreId", "isi"),
        ("iosInfo.iosMinimumVersion", "imv"), ("navigationInfo.enableForcedRedirect", "efr"),
        ("desktopInfo.desktopFallbackLink", "ofl"), ("socialMetaTagInfo.socialTitle", "st"),
        ("socialMetaTagInfo.socialDescription", "sd"),
        ("socialMetaTagInfo.socialImageLink", "si"),
        ("analyticsInfo.googlePlayAnalytics.utmSource", "utm_source"),
        ("analyticsInfo.googlePlayAnalytics.utmMedium", "utm_medium"),
        ("analyticsInfo.googlePlayAnalytics.utmCampaign", "utm_campaign"),
        ("analyticsInfo.googlePlayAnalytics.utmTerm", "utm_term"),
        ("analyticsInfo.googlePlayAnalytics.utmContent", "utm_content"),
        ("analyticsInfo.googlePlayAnalytics.gclid", "gclid"),
        ("analyticsInfo.itunesConnectAnalytics.at", "at"),
        ("analyticsInfo.itunesConnectAnalytics.ct", "ct"),
        ("analyticsInfo.itunesConnectAnalytics.mt", "mt"),
        ("analyticsInfo.itunesConnectAnalytics.pt", "pt"),
    ]

    private static let info: FirebaseForm = {
        var tree = PathTree<FirebaseForm>()
        for (path, parameter) in parameters {
            tree.add(path.split(separator: "."), parameter == "efr" ? .flag : .text)
        }
        for path in ["domainUriPrefix", "dynamicLinkDomain"] { tree.add([Substring(path)], .text) }
        return tree.folded { .object($0.map { (name: $0.name, form: $0.1) }) }
    }()

    /// `dynamicLinkInfo` of parameters, as answers have it.
    static func info(_ values: [String: String], domain: String) -> JSONText {
        var tree = PathTree<JSONText>()
        tree.add([Substring("domainUriPrefix")], .string(domain))
        for (path, parameter) in parameters {
            guard let text = values[parameter] else { continue }
            let value: JSONText =
                parameter == "efr" ? .boolean(FirebaseLink.flag(text) ?? false) : .string(text)
            tree.add(path.split(separator: "."), value)
        }
        return tree.folded { .object($0.map { (key: $0.name, value: $0.1) }) }
    }
}

/// Leaves at paths.
private struct PathTree<Leaf: Sendable> {
    private var members = [(name: String, node: PathTree)]()
    private var leaf: Leaf?

    mutating func add(_ path: some Collection<Substring>, _ leaf: Leaf) {
        guard let first = path.first.map(String.init) else { return self.leaf = leaf }
        let index = members.firstIndex { $0.name == first } ?? members.endIndex
        if index == members.endIndex { members.append((first, PathTree())) }
        members[index].node.add(path.dropFirst(), leaf)
    }

    /// - Parameter branch: makes one of its members.
    func folded(_ branch: ([(name: String, Leaf)]) -> Leaf) -> Leaf {
        leaf ?? branch(members.map { ($0.name, $0.node.folded(branch)) })
    }
}
