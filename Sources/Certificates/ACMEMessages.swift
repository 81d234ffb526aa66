import Associations
package import HTTPMessages
import URISyntax

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

/// What an authority has answered.
package struct ACMEResponse: Sendable {
    package let head: ResponseHead
    package let content: [UInt8]

    package init(head: ResponseHead, content: [UInt8]) {
        self.head = head
        self.content = content
    }

    var status: Int { head.status }
    var isSuccess: Bool { (200..<300).contains(status) }
    var nonce: String? { head.value("replay-nonce") }
    /// The URL of what was made; nil if it is too long to be kept.
    var location: String? {
        head.value("location").flatMap { $0.utf8.count <= Self.urlBytesMax ? $0 : nil }
    }

    /// The content as JSON; nil if it is none.
    var json: JSONValue? {
        let document = JSONDocument(content, file: "")
        return document.isValid ? document.root : nil
    }

    /// The earliest time for another request (RFC 9110 §10.2.3), in seconds since 1970; nil if the
    /// authority names none.
    func retryTime(now: Int) -> Int? {
        guard let text = head.value("retry-after") else { return nil }
        if let seconds = Int(text), seconds >= 0 { return now + min(seconds, Self.retrySecondsMax) }
        let bytes = Array(text.utf8)
        return HTTPDate.parse(bytes, bytes.indices, now: now)
            .map { min(max($0, now), now + Self.retrySecondsMax) }
    }

    /// Links of a relation (RFC 8288 §3).
    func link(_ relation: String) -> String? {
        for value in head.values("link") {
            for part in value.utf8.split(separator: UInt8(ascii: ",")) {
                let pieces = part.split(separator: UInt8(ascii: ";")).map {
                    $0.filter { $0 != 0x20 }
                }
                let names = pieces.dropFirst().map { String(decoding: $0, as: UTF8.self) }
                guard let target = pieces.first, target.first == UInt8(ascii: "<"),
                    target.last == UInt8(ascii: ">"),
                    names.contains("rel=\"\(relation)\"") || names.contains("rel=\(relation)")
                else { continue }
                return String(decoding: target.dropFirst().dropLast(), as: UTF8.self)
            }
        }
        return nil
    }

    private static let urlBytesMax = 2_048
    /// No authority asks for more than a month.
    private static let retrySecondsMax = 31 * 86_400
}

/// Where an authority offers what (RFC 8555 §7.1.1).
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

/// What an authority says is wrong (RFC 9457, RFC 8555 §6.7).
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
        if let json = response.json, json["type"] != nil || json["detail"] != nil {
            self.init(json)
        } else {
            self.init(
                type: "",
                detail: "the authority, or a proxy on the way to it, answers with status "
                    + "\(response.head.status) and gives no reason")
        }
    }
}
