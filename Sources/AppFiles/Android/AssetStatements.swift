private import JSONSyntax
private import URISyntax

/// The sites that an Android app speaks for, in `asset_statements` of its manifest (Google, "Digital Asset
/// Links").
package struct AssetStatements: Sendable {
    /// The hosts of the sites, in lower case, each once.
    package private(set) var hosts = [String]()
    /// Those with which passwords and passkeys are shared.
    package private(set) var sharing = Set<String>()
    /// Those whose files are included, which can share passwords and passkeys, too.
    package private(set) var included = Set<String>()
    package let place: TextPlace

    /// Nil for a text that is not read, such as a resource whose value is not known.
    init?(_ text: String, at place: TextPlace) {
        self.place = place
        let document = JSONDocument(Array(text.utf8), file: "asset_statements")
        guard let statements = document.root?.elements,
            statements.count <= AppFileLimits.declaredMax
        else { return nil }
        var seen = Set<String>()
        for statement in statements {
            let target = statement["target"]
            guard let site = (statement["include"] ?? target?["site"])?.text,
                let host = try? WebURL(site).host.description
            else { continue }
            let relations = (statement["relation"]?.elements ?? []).compactMap(\.text)
            if statement["include"] != nil {
                included.insert(host)
            } else if relations.contains("delegate_permission/common.get_login_creds") {
                sharing.insert(host)
            }
            if seen.insert(host).inserted { hosts.append(host) }
        }
    }
}
