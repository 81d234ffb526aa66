import Diagnostics
package import TLS
import URISyntax

/// The state of an account with an authority. All orders of the account share it.
package struct ACMESession: Sendable {
    package let directoryURL: String
    package let key: SigningKey
    package let settings: AccountSettings
    /// Nil until it was read, or if it has to be read again.
    package internal(set) var directory: ACMEDirectory?
    /// The account's URL; nil until the authority has said it.
    package internal(set) var account: String?
    /// Whether the authority has made the account for this session.
    package internal(set) var isAccountNew = false
    var nonce: String?

    /// - Parameter account: its URL, if it is known.
    package init(directory: String, key: SigningKey, account: String?, settings: AccountSettings) {
        directoryURL = directory
        self.key = key
        self.account = account
        self.settings = settings
    }

    /// Lets the directory be read again.
    package mutating func forgetDirectory() { directory = nil }

    /// Takes the answer of the directory's URL; any other is ignored.
    package mutating func takeDirectory(_ response: ACMEResponse) {
        guard response.isSuccess else { return }
        directory = ACMEDirectory(response.json) ?? directory
    }

    /// Checks that an authority asks for nothing that is not there, before anything is ordered.
    func check(_ directory: ACMEDirectory, profile: String?) throws(IssuanceFault) {
        guard !directory.needsExternalAccount || settings.external != nil else {
            throw IssuanceFault(
                .account, .input, type: "externalAccountRequired",
                "the authority asks for `external-account`")
        }
        guard let profile, !directory.profiles.contains(profile) else { return }
        let names = directory.profiles.sorted().prefix(Self.profilesMax)
            .map { shortened($0, scalarsMax: 40) }.joined(separator: ", ")
        throw IssuanceFault(
            .directory, .input, type: "invalidProfile",
            "the authority has no profile \(quoted(profile)); it has "
                + (names.isEmpty ? "none" : names))
    }

    private static let profilesMax = 20

    /// A signed request, which uses up the nonce.
    /// - Parameters:
    ///   - payload: nil only reads.
    ///   - account: its URL; nil if the request is for the account itself.
    mutating func request(
        _ payload: JSONText?, to url: String, nonce: String, account: String?
    ) throws(OpenSSLError) -> ACMERequest {
        let content = try SignedJSON.sign(payload, to: url, nonce: nonce, account: account, key)
        self.nonce = nil
        return ACMERequest(method: .post, url: url, content: content)
    }

    /// The content of a request for an account that exists (RFC 8555 §7.3.1).
    static let existingAccount = JSONText.object([("onlyReturnExisting", .boolean(true))])

    /// The content of a request for a new account.
    func newAccount(_ directory: ACMEDirectory) throws(OpenSSLError) -> JSONText {
        var members: [(key: String, value: JSONText)] = [("termsOfServiceAgreed", .boolean(true))]
        if let email = settings.email { members.append(("contact", .strings(["mailto:\(email)"]))) }
        if let external = settings.external {
            members.append(
                (
                    "externalAccountBinding",
                    try SignedJSON.externalAccountBinding(external, to: directory.newAccount, key)
                ))
        }
        return .object(members)
    }
}

/// The settings that a new account is made with.
package struct AccountSettings: Hashable, Sendable {
    package var email: String?
    package var external: ExternalAccount?

    package init(email: String? = nil, external: ExternalAccount? = nil) {
        self.email = email
        self.external = external
    }
}
