private import JSONSyntax
private import URISyntax

/// The sites that an Android app speaks for, in `asset_statements` of its manifest (Google, "Digital Asset
/// Links").
package struct AssetStatements: Sendable {
    /// The hosts of the sites, in lower case, each once.
    package private(set) var hosts = [String]()
    /// Whether passwords and passkeys are shared with them.
    package private(set) var sharesCredentials = false
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
            // What the file of the site includes is for all that it says.
            if statement["include"] != nil
                || (statement["relation"]?.elements ?? []).contains(where: {
                    $0.text == "delegate_permission/common.get_login_creds"
                })
            {
                sharesCredentials = true
            }
            if seen.insert(host).inserted { hosts.append(host) }
        }
    }
}
