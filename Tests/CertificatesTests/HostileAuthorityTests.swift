import Testing

@testable import Certificates

/// Authorities whose answers would hold an order for ever, or fill the log.
@Suite("Hostile authorities")
struct HostileAuthorityTests {
    /// The statuses that an order can have, again and again.
    @Test(arguments: ["ready", "pending", "processing"])
    func `an order that does not go on costs few requests and is a failure`(
        status: String
    ) throws {
        var authority = try ScriptedAuthority()
        authority.answers["POST /finalize"] = [.init(200, order(status: status))]
        authority.answers["POST /order/1"] = [.init(200, order(status: status))]
        let began = authority.now
        let fault = try authority.fault()
        #expect(fault.kind == .temporary && fault.detail.contains("5 minutes"), "\(fault)")
        #expect(authority.asked.count <= 100, "\(authority.asked.count) requests")
        #expect(authority.now - began <= 400_000)
        // What does not go on is not resumed; what is processed may be done at the next attempt.
        #expect((authority.issuance.progress.order != nil) == (status == "processing"))
    }

    @Test func `an order that alternates between its statuses ends, too`() throws {
        var authority = try ScriptedAuthority()
        let statuses = ["ready", "pending", "processing"]
        let answers = (0..<900).map {
            ScriptedAuthority.Answer(200, order(status: statuses[$0 % 3]))
        }
        authority.answers["POST /finalize"] = answers
        authority.answers["POST /order/1"] = answers
        let fault = try authority.fault()
        #expect(fault.kind == .temporary, "\(fault)")
        #expect(authority.asked.count <= 200, "\(authority.asked.count) requests")
    }

    @Test(arguments: [1, 10, 11, 4_000])
    func `an order has a few authorizations`(count: Int) throws {
        var authority = try ScriptedAuthority()
        let urls = (0..<count).map { "\"https://ca/authz/\($0)\"" }.joined(separator: ",")
        authority.answers["POST /order"] = [
            .init(
                201,
                """
                {"status":"pending","authorizations":[\(urls)],"finalize":"https://ca/finalize"}
                """, ["location": "https://ca/order/1"])
        ]
        for index in 0..<count {
            authority.answers["POST /authz/\(index)"] = [
                .init(200, authorization(status: "valid"))
            ]
        }
        guard count > 10 else {
            #expect(try authority.run() == Array("CHAIN".utf8))
            return
        }
        let fault = try authority.fault()
        #expect(fault.detail == "the order has \(count) authorizations, may have 10")
        #expect(authority.asked.count <= 5 && authority.issuance.progress.order == nil)
    }

    @Test func `nonces that are refused now and then do not make an order endless`() throws {
        var authority = try ScriptedAuthority()
        let pairs = (0..<1_000).flatMap { _ in
            [problem(400, "badNonce"), .init(200, order(status: "processing"))]
        }
        authority.answers["POST /finalize"] = pairs
        authority.answers["POST /order/1"] = pairs
        let began = authority.now
        _ = try authority.fault()
        #expect(authority.asked.count <= 300 && authority.now - began <= 400_000)
    }

    /// All texts of an authority that can come into an event or the record.
    @Test(arguments: ["type", "detail", "status", "challenge", "help", "host", "profile"])
    func `what an authority writes is shortened`(place: String) throws {
        let long = String(repeating: "ä", count: 100_000)
        var authority = try ScriptedAuthority()
        switch place {
        case "type":
            authority.answers["POST /order"] = [.init(400, #"{"type":"\#(long)","detail":"no"}"#)]
        case "detail":
            authority.answers["POST /order"] = [.init(400, #"{"type":"x","detail":"\#(long)"}"#)]
        case "status":
            authority.answers["POST /order/1"] = [.init(200, order(status: long))]
            authority.answers["POST /finalize"] = [.init(200, order(status: long))]
        case "challenge":
            authority.answers["POST /authz"] = [
                .init(200, authorization(status: "pending", type: long))
            ]
        case "help":
            authority.answers["POST /order"] = [
                problem(429, "rateLimited", ["link": "<https://ca/\(long)>;rel=\"help\""])
            ]
        case "host":
            authority.answers["POST /order"] = [
                .init(
                    400,
                    #"{"type":"x","subproblems":[{"detail":"a","identifier":{"value":"\#(long)"}}]}"#
                )
            ]
        default:
            authority.directory = directory(meta: #""profiles":{"\#(long)":"x"}"#)
            authority.begin(wish: .init(profile: "short"))
        }
        let fault = try authority.fault()
        #expect(fault.description.utf8.count <= 8_000, "\(fault.description.utf8.count)")
        var record = HostRecord()
        record.fail(fault, nil, now: 0, random: 0.5)
        #expect(record.json.count <= 16_384)
        #expect(HostRecord(json: record.json) == record)
    }

    @Test func `a URL that is too long is none`() throws {
        let long = "https://ca/" + String(repeating: "a", count: 100_000)
        var authority = try ScriptedAuthority()
        authority.answers["POST /order"] = [.init(201, order(status: "ready"), ["location": long])]
        #expect(try authority.fault().detail == "the authority names no order")
        authority = try ScriptedAuthority()
        authority.answers["POST /account"] = [.init(201, "{}", ["location": long])]
        #expect(try authority.fault().detail == "the authority names no account")
    }
}
