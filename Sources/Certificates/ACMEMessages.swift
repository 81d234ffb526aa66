import HTTPMessages
import JSONSyntax

/// A request to an authority.
package struct ACMERequest: Hashable, Sendable {
    package let method: Method
    /// As the authority has written it.
    package let url: String
    /// Empty unless the method is POST.
    package var content = [UInt8]()

    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    package init(method: Method, url: String, content: [UInt8] = []) {
        self.method = method
        self.url = url
        self.content = content
    }
}

/// The URLs of an authority's resources (RFC 8555 §7.1.1).
package struct ACMEDirectory: Hashable, Sendable {
    let newNonce, newAccount, newOrder, revokeCertificate: String
    /// Nil if the authority does not suggest times of renewal (RFC 9773).
    package let renewalInfo: String?
    package let termsOfService: String?
    /// The names of the profiles of certificates, if the authority has any.
    let profiles: [String]
    let needsExternalAccount: Bool

    init?(_ json: JSONValue?) {
        guard let json, let nonce = json["newNonce"]?.text, let account = json["newAccount"]?.text,
            let order = json["newOrder"]?.text
        else { return nil }
        (newNonce, newAccount, newOrder) = (nonce, account, order)
        revokeCertificate = json["revokeCert"]?.text ?? ""
        renewalInfo = json["renewalInfo"]?.text
        let meta = json["meta"]
        termsOfService = meta?["termsOfService"]?.text
        profiles = (meta?["profiles"]?.members ?? []).map(\.key)
        needsExternalAccount = meta?["externalAccountRequired"]?.boolean ?? false
    }
}

/// A problem that an authority reports (RFC 9457, RFC 8555 §6.7).
package struct ACMEProblem: Hashable, Sendable {
    /// Without the part that all types of ACME begin with; empty if there is none.
    package let type: String
    /// In the authority's words, with those about each name.
    package let detail: String

    init(type: String, detail: String) { (self.type, self.detail) = (type, detail) }

    init(_ json: JSONValue) {
        let full = json["type"]?.text ?? ""
        let prefix = "urn:ietf:params:acme:error:"
        type =
            full.utf8.starts(with: prefix.utf8)
            ? String(decoding: full.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : full
        let others = (json["subproblems"]?.elements ?? []).compactMap { problem -> String? in
            guard let detail = problem["detail"]?.text else { return nil }
            return problem["identifier"]?["value"]?.text.map { "\($0): \(detail)" } ?? detail
        }
        let details = ([json["detail"]?.text].compactMap(\.self) + others)
        detail = details.joined(separator: "; ")
    }

    /// Of a response that is an error.
    init(_ response: ACMEResponse) {
        let said = response.json.map { ACMEProblem($0) } ?? ACMEProblem(type: "", detail: "")
        if !said.detail.isEmpty {
            self = said
        } else {
            self.init(
                type: said.type,
                detail: "the authority, or a proxy on the way to it, answers with status "
                    + "\(response.head.status) and gives no reason")
        }
    }
}
