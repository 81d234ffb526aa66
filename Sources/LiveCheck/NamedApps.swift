import Associations
private import JSONSyntax

/// The apps that an association file names for links.
struct NamedApps {
    let use: LinkUse
    /// The apps that a link can open: for Android, each with the fingerprints of its keys.
    private(set) var opening = [String: Set<String>]()
    /// The other apps, in the order of the file.
    private(set) var silent = [String]()
    /// The URLs of included files, which can name more.
    private(set) var includes = [String]()
    var isIncluding: Bool { !includes.isEmpty }

    init(of bytes: [UInt8], _ hop: Hop) {
        if hop == .apple {
            self.init(AssociationReading(bytes, file: ""))
        } else {
            self.init(AssetLinksReading(bytes, file: ""))
        }
    }

    private init(_ file: AssociationReading) {
        var search = OpeningRules(variables: file.substitutionVariables)
        for app in file.appRules {
            if search.open(app) { opening[app.appID] = [] } else { silent.append(app.appID) }
        }
        let isTrying = file.appRules.contains { $0.rules?.contains { !$0.exclude } == true }
        let hasOthers = file.services.values.contains { !$0.isEmpty }
        use = !opening.isEmpty ? .links : hasOthers && !isTrying ? .others : .nothing
    }

    private init(_ file: AssetLinksReading) {
        let keys = file.keysForLinks
        let accepted = AssetLinksReading(joining: [file]) { _, statement in
            keys.pointers.contains(statement.pointer)
        }
        var search = OpeningRules(variables: [])
        for app in accepted.ruleSets.flatMap(\.apps) where search.open(app) {
            opening[app.appID] = keys.byPackage[app.appID]
        }
        let named = file.ruleSet.apps.map(\.appID)
        for app in named where opening[app] == nil { silent.append(app) }
        includes = keys.includes
        use =
            if !opening.isEmpty {
                .links
            } else if !keys.includes.isEmpty {
                .elsewhere
            } else {
                file.json.root?.elements?.isEmpty != false || !named.isEmpty ? .nothing : .others
            }
    }
}
