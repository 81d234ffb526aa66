import Certificates
import Diagnostics
import Files
import HTTPClient
import SiteConfiguration
package import TLS
import URISyntax

/// An account with an authority, and the client with which it is asked. It belongs to one thread.
package struct CertificateAuthority {
    var session: ACMESession
    let client: HTTPClient
    let agent: String
    let automatic: AutomaticCertificates
    /// The file of the account's URL.
    private let file: String
    private let keyFile: String
    /// Whether other nodes have the key of the account, too.
    private let isOfFleet: Bool

    /// - Parameter agent: for User-Agent, which authorities require (RFC 8555 §6.1).
    init(
        _ automatic: AutomaticCertificates, _ directory: CertificateDirectory, agent: String
    ) throws(IssuanceFault) {
        (self.agent, self.automatic) = (agent, automatic)
        file = directory.accountURLFile(of: automatic)
        keyFile = directory.accountFile(of: automatic)
        isOfFleet = FileStamp(of: directory.fleetFile) != nil
        do {
            try directory.prepare(automatic)
            let key = try directory.accountKey(of: automatic)
            var external: ExternalAccount?
            if let account = automatic.externalAccount {
                let text = try Self.read(account.key, "key of the external account")
                let digits = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
                guard let secret = base64URLDecoded(digits) else {
                    throw IssuanceFault(
                        .account, .input, "\(quoted(account.key.path)) is not Base64")
                }
                external = ExternalAccount(id: account.id, key: secret)
            }
            let authorities = try automatic.authorities.map { file in
                TLSAuthorities.pem(try Self.read(file, "file of authorities"))
            }
            // The authority is the operator's choice, also in a private network.
            var client = try HTTPClient(
                authorities: authorities ?? .system, allowsPrivateAddresses: true)
            client.limits.connectMilliseconds = 10_000
            client.limits.handshakeMilliseconds = 10_000
            client.limits.firstByteMilliseconds = 30_000
            client.limits.totalMilliseconds = 60_000
            client.limits.contentBytesMax = 262_144
            self.client = client
            session = ACMESession(
                directory: automatic.directory, key: key,
                account: Self.url(inFile: file, of: key),
                settings: AccountSettings(email: automatic.email, external: external))
        } catch let fault as IssuanceFault {
            throw fault
        } catch let fault as CertificateStateFault {
            throw IssuanceFault(.account, .machine, fault.diagnostic.message)
        } catch {
            throw IssuanceFault(.account, .temporary, "\(error)")
        }
    }

    private static func read(
        _ file: FileReference, _ what: String
    ) throws(IssuanceFault) -> [UInt8] {
        do throws(FileError) {
            return try readFile(file.path, bytesMax: 1 << 20).bytes
        } catch {
            throw IssuanceFault(
                .account, .temporary,
                "the \(what) \(quotedPath(file.path)) cannot be read: \(error)")
        }
    }

    /// The URL of the account that has this key; nil if the file is of another key, or none. An
    /// authority returns it again for the same key (RFC 8555 §7.3.1).
    package static func url(inFile file: String, of key: SigningKey) -> String? {
        guard let text = try? readFile(file, bytesMax: 4_096).bytes else { return nil }
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard lines.count == 2, lines[1].elementsEqual(key.thumbprint.utf8) else { return nil }
        return String(decoding: lines[0], as: UTF8.self)
    }

    /// Makes a request. The URLs are the authority's, so only https is followed, and redirects are
    /// not.
    func send(_ request: ACMERequest, _ step: IssuanceStep) throws(IssuanceFault) -> ACMEResponse {
        guard let url = try? WebURL(request.url), url.isSecure else {
            throw IssuanceFault(
                step, .temporary,
                "the authority names \(quoted(request.url)), which is no https URL")
        }
        var fetch = FetchRequest(
            host: url.host.description, port: url.port, target: url.requestTarget,
            fields: ["User-Agent: \(agent)", "Accept-Language: en"])
        fetch.method = request.method.rawValue
        if request.method == .post { fetch.fields.append("Content-Type: application/jose+json") }
        fetch.content = request.content
        let exchange = client.fetch(fetch)
        switch exchange.result {
        case .success(let response):
            switch response.content {
            case .whole(let content): return ACMEResponse(head: response.head, content: content)
            case .tooLarge:
                throw IssuanceFault(
                    step, .temporary,
                    "the answer of \(url.host) has more than \(client.limits.contentBytesMax) bytes"
                )
            case .undecodable(let coding):
                throw IssuanceFault(
                    step, .temporary,
                    "the answer of \(url.host) cannot be decoded: its Content-Encoding is "
                        + "\(quoted(coding))")
            }
        case .failure(let failure):
            let address = exchange.address.map { " (\($0))" } ?? ""
            throw IssuanceFault(
                step, .temporary,
                "\(url.host)\(address) cannot be asked: \(failure.words)")
        }
    }

    /// The authority's suggestion for the renewal of a certificate; nil if there is none.
    /// - Parameter id: of RFC 9773 §4.1.
    mutating func renewalInfo(of id: String, now: Int) throws(IssuanceFault) -> RenewalInfo? {
        if session.directory == nil {
            let request = ACMERequest(method: .get, url: automatic.directory)
            session.takeDirectory(try send(request, .directory))
        }
        guard let directory = session.directory, let url = RenewalInfo.url(directory, id) else {
            return nil
        }
        return RenewalInfo(try send(ACMERequest(method: .get, url: url), .directory), now: now)
    }

    /// The advice about an account that its authority has closed. A node of a fleet would take the key back from the
    /// database.
    static func cure(ofClosedAccount key: String, isShared: Bool, isOfFleet: Bool) -> String {
        let steps =
            isOfFleet
            ? "stop all nodes, run `DELETE FROM waymark.certificate_file` in their database, remove \(quoted(key)) "
                + "of each node, start them, "
            : "remove \(quoted(key)), reload or restart, "
        return "a closed account is never opened again: \(steps)"
            + "and run `waymark certificates renew HOST`, which makes a new account"
            + (isShared
                ? "; all authorities have accounts with this key, so each makes a new one" : "")
    }

    /// Lets the session take an answer, and keeps the account's URL when it becomes known.
    /// - Parameter isNew: hears of an account that the authority has made.
    mutating func take(
        isNew: (ServiceEvent) -> Void,
        _ body: (inout ACMESession) throws(IssuanceFault) -> Void
    ) throws(IssuanceFault) {
        let before = session.account
        do throws(IssuanceFault) {
            try body(&session)
        } catch {
            // Somebody has closed it, so only the operator decides that there is another.
            throw error.isAccountClosed
                ? error.saying(
                    Self.cure(
                        ofClosedAccount: keyFile, isShared: automatic.sharesKey,
                        isOfFleet: isOfFleet))
                : error
        }
        guard let url = session.account, url != before else { return }
        do throws(FileError) {
            try keepFile(file, Array("\(url)\n\(session.key.thumbprint)\n".utf8))
        } catch {
            let fault = CertificateStateFault.file(file, error, automatic.position, isRecord: true)
            isNew(.finding(fault.diagnostic))
        }
        if session.isAccountNew {
            isNew(
                .accountMade(
                    authority: automatic.directory, terms: session.directory?.termsOfService))
        }
    }
}
