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
    /// Whether the text is no list of JSON, so that nobody reads it.
    package private(set) var isMalformed = false
    /// The first site that is not of https; nil if all are.
    package private(set) var insecure: String?
    package let place: TextPlace

    /// Nil for a text that is not read, such as a resource whose value is not known.
    init?(_ text: String, at place: TextPlace) {
        self.place = place
        let document = JSONDocument(Array(text.utf8), file: "asset_statements")
        guard document.isValid, let statements = document.root?.elements else {
            // A resource or a build has the text.
            guard !text.isEmpty, text.utf8.first != UInt8(ascii: "@"), !holds("${", in: text) else {
                return nil
            }
            isMalformed = true
            return
        }
        guard statements.count <= AppFileLimits.declaredMax else { return nil }
        var seen = Set<String>()
        for statement in statements {
            let target = statement["target"]
            guard let site = (statement["include"] ?? target?["site"])?.text,
                let url = try? WebURL(site)
            else { continue }
            let host = url.host.description
            if !url.isSecure, insecure == nil { insecure = site }
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
