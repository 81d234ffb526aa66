import TLS
import Testing

@testable import Certificates
import URISyntax

/// Challenges that are answered by records in DNS.
@Suite("Challenges")
struct ChallengeTests {
    private static func persistent(_ issuers: String, status: String = "pending") -> String {
        """
        {"status":"\(status)","challenges":[{"type":"dns-01","url":"https://ca/other","token":"t"},
        {"type":"dns-persist-01","url":"https://ca/challenge","issuer-domain-names":\(issuers)}]}
        """
    }

    @Test(arguments: ["*.links.example", "links.example"])
    func `a record for dns-01 has the digest of the key authorization`(host: String) throws {
        var authority = try ScriptedAuthority()
        authority.begin(wish: .init(challenges: [.dns]), host: host)
        authority.answers["POST /authz"] = [
            .init(200, authorization(status: "pending", type: "dns-01")),
            .init(200, authorization(status: "valid")),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        let text = "token-1.\(authority.session.key.thumbprint)"
        #expect(
            authority.records == [
                ChallengeRecord(
                    name: "_acme-challenge.links.example",
                    value: base64URL(sha256(Array(text.utf8))))
            ])
        #expect(authority.payloads.contains { $0.contains("\"value\": \"\(host)\"") })
    }

    /// draft-ietf-acme-dns-persist: one record that stays, for the account.
    @Test(arguments: [
        ("*.links.example", "; policy=wildcard"), ("links.example", ""),
    ])
    func `a record for dns-persist-01 names the authority and the account`(
        host: String, policy: String
    ) throws {
        var authority = try ScriptedAuthority()
        authority.begin(wish: .init(challenges: [.persistent]), host: host)
        authority.answers["POST /authz"] = [
            .init(200, Self.persistent(#"["ca.example","other.example"]"#)),
            .init(200, Self.persistent(#"["ca.example"]"#, status: "valid")),
        ]
        #expect(try authority.run() == Array("CHAIN".utf8))
        #expect(
            authority.records == [
                ChallengeRecord(
                    name: "_validation-persist.links.example",
                    value: "ca.example; accounturi=https://ca/account/1\(policy)")
            ])
        #expect(authority.asked.contains("POST /challenge"))
    }

    /// What an operator copies into a zone is whole and exact in the event, and in the list of hosts.
    @Test func `a record that is missing is said as it has to be written`() throws {
        var authority = try ScriptedAuthority()
        authority.begin(wish: .init(challenges: [.persistent]), host: "*.links.example")
        authority.answers["POST /authz"] = [
            .init(200, Self.persistent(#"["ca.example"]"#)),
            .init(
                200,
                """
                {"status":"invalid","challenges":[{"type":"dns-persist-01","error":{"type":
                "urn:ietf:params:acme:error:unauthorized","detail":"no record was found"}}]}
                """),
        ]
        let fault = try authority.fault()
        #expect(fault.kind == .challenge && fault.detail == "no record was found")
        let record = try #require(authority.records.first)
        var kept = HostRecord()
        kept.fail(fault.saying(record.demand), nil, now: 0, random: 0.5)
        #expect(
            HostRecord(json: kept.json)?.lastFault
                == "challenge: the TXT record _validation-persist.links.example has to be in DNS and to "
                + "stay there, with the text \"ca.example; accounturi=https://ca/account/1; "
                + "policy=wildcard\"; no record was found (unauthorized)")
    }

    @Test(arguments: [
        "[]", #"["CA.example"]"#, #"["ca example"]"#, "[1]", "{}", #""ca.example""#,
        "[" + Array(repeating: #""a.example""#, count: 11).joined(separator: ",") + "]",
    ])
    func `names of an authority that are none are not written into a record`(
        issuers: String
    ) throws {
        var authority = try ScriptedAuthority()
        authority.begin(wish: .init(challenges: [.persistent]))
        authority.answers["POST /authz"] = [.init(200, Self.persistent(issuers))]
        let fault = try authority.fault()
        #expect(fault.step == .challenge && fault.detail.contains("in `issuer-domain-names`; "))
        #expect(authority.records.isEmpty)
    }

    @Test func `the challenges of a host with DNS take turns, and a wildcard has one`() {
        var record = HostRecord()
        func next(_ dns: ChallengeType = .dns, isWildcard: Bool = false) -> [ChallengeType] {
            record.nextChallenges(answersHTTP: true, dns: dns, isWildcard: isWildcard)
        }
        // A program was named to be used; a record that stays has to be made by hand.
        #expect(next() == [.dns, .http, .alpn] && next(isWildcard: true) == [.dns])
        #expect(next(.persistent) == [.http, .alpn, .persistent])
        record.challenge = .dns
        record.fail(IssuanceFault(.challenge, .challenge, "no"), nil, now: 0, random: 0.5)
        #expect(next() == [.http, .alpn, .dns] && next(isWildcard: true) == [.dns])
        record.challenge = .http
        #expect(next() == [.alpn, .dns, .http])
        #expect(next(.persistent) == [.alpn, .persistent, .http])
        record.succeed(now: 1)
        #expect(next() == [.http, .alpn, .dns])
    }

    @Test func `records that were not cleared outlive a certificate and the process`() throws {
        var record = HostRecord()
        let records = (0..<9).map { ChallengeRecord(name: "_acme-challenge.a", value: "\($0)") }
        for each in records { record.open(each) }
        #expect(record.openRecords == Array(records[1...]))
        record.succeed(now: 1)
        record.open(records[4])
        var read = try #require(HostRecord(json: record.json))
        #expect(read.openRecords == Array(records[1...3] + records[5...] + [records[4]]))
        for each in records { read.close(each) }
        #expect(read.openRecords.isEmpty)
        #expect(!String(decoding: read.json, as: UTF8.self).contains("records"))
    }
}
