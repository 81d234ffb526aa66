import Testing

@testable import Certificates

/// What hosts wait for together.
@Suite("Order allowance")
struct OrderAllowanceTests {
    typealias Validity = RenewalSchedule.Validity

    private static let suffixes = """
        // ===BEGIN ICANN DOMAINS===
        example
        uk
        co.uk

        // ck
        *.ck
        !www.ck
        한국
        com\tand more
        github.io
        """

    @Test(arguments: [
        ("a.b.example", "b.example"), ("b.example", "b.example"), ("example", nil),
        ("x.y.shop.co.uk", "shop.co.uk"), ("co.uk", nil), ("gov.uk", "gov.uk"),
        ("a.b.c.ck", "b.c.ck"), ("c.ck", nil), ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
        ("me.github.io", "me.github.io"), ("www.a.com", "a.com"), ("www.a.unknown", "a.unknown"),
        ("unknown", nil),
    ])
    func `a registered domain is a public suffix and one label more`(
        host: String, domain: String?
    ) throws {
        let list = try #require(PublicSuffixes(Array(Self.suffixes.utf8)))
        #expect(list.registeredDomain(of: host) == domain)
    }

    @Test(arguments: ["", "// nothing", "\n\n", "*.a\n!b.a"])
    func `a file without rules is no list`(text: String) {
        #expect(PublicSuffixes(Array(text.utf8)) == nil)
    }

    private static func subject(
        _ name: String, domain: String? = nil, validity: Validity? = nil
    ) -> OrderSubject {
        OrderSubject(name: name, domain: domain, validity: validity)
    }

    /// The words of Let's Encrypt, and of others.
    @Test(
        arguments: [
            (
                #"too many certificates (50) already issued for "b.example" in the last 168h0m0s"#,
                LimitScope.domain("b.example")
            ),
            (
                #"too many certificates (5) already issued for this exact set of identifiers "a.b.example""#,
                .host
            ),
            (#"too many failed authorizations (5) for "a.b.example" in the last 1h0m0s"#, .host),
            ("too many new orders (300) from this account in the last 3h0m0s", .account),
            ("slow down", .domain("b.example")),
            (#"too many certificates for "c.example""#, .domain("b.example")),
            (#"a """#, .domain("b.example")),
        ])
    func `whom a limit concerns is in the authority's words`(words: String, scope: LimitScope) {
        let host = Self.subject("a.b.example", domain: "b.example")
        #expect(LimitScope(words, host) == scope)
        guard words == "slow down" else { return }
        #expect(LimitScope(words, Self.subject("a.b.example")) == .host)
    }

    private static let valid = Validity(notBefore: -30 * 86_400, notAfter: 60 * 86_400)

    @Test func `a limit of a domain keeps new hosts of it, and no renewal and no other domain`() {
        var allowance = OrderAllowance()
        var limit = IssuanceFault(
            .order, .rateLimited,
            #"too many certificates (50) already issued for "shop.co.uk" in the last 168h0m0s"#)
        limit.retryTime = 90_000
        allowance.pause(
            after: limit, of: Self.subject("new.shop.co.uk"), now: 1_000, random: 0.5)
        func next(_ host: OrderSubject) -> Int {
            allowance.pause(of: host, now: 1_000)?.until(for: host) ?? 1_000
        }
        #expect(next(Self.subject("other.shop.co.uk")) == 90_000)
        #expect(next(Self.subject("shop.co.uk")) == 90_000)
        #expect(next(Self.subject("other.co.uk")) == 1_000)
        #expect(next(Self.subject("othershop.co.uk")) == 1_000)
        #expect(next(Self.subject("old.shop.co.uk", validity: Self.valid)) == 1_000)
        let pause = allowance.pause(of: Self.subject("other.shop.co.uk"), now: 1_000)
        #expect(pause?.until == 90_000 && pause?.reason.contains("shop.co.uk") == true)
    }

    @Test func `an outage is for all hosts, each as long as its life allows`() {
        var allowance = OrderAllowance()
        var outage = IssuanceFault(.directory, .temporary, "status 503")
        outage.retryTime = 31 * 86_400
        allowance.pause(after: outage, of: Self.subject("a.example"), now: 0, random: 0.5)
        func next(_ validity: Validity?) -> Int {
            let host = Self.subject("b.example", validity: validity)
            return allowance.pause(of: host, now: 0)?.until(for: host) ?? 0
        }
        // It is believed for a day, and a limit for a week.
        #expect(next(nil) == 86_400 && next(Self.valid) == 86_400)
        #expect(next(Validity(notBefore: -89 * 86_400, notAfter: 86_400)) == 21_600)
        // Who reloads may have removed what was in the way.
        allowance.forgetOutage()
        #expect(next(nil) == 0)
        var limit = IssuanceFault(.account, .rateLimited, "too many accounts")
        limit.retryTime = 31 * 86_400
        allowance.pause(after: limit, of: Self.subject("a.example"), now: 0, random: 0.5)
        #expect(next(nil) == 7 * 86_400 && next(Self.valid) == 90 * 86_400 / 20)
    }

    @Test func `what is waited for outlives the process`() {
        var allowance = OrderAllowance(limit: DomainLimit(certificates: 2, seconds: 200))
        for step in [IssuanceStep.directory, .order] {
            var fault = IssuanceFault(step, .rateLimited, "too many, says \"b.example\"")
            fault.retryTime = 500
            allowance.pause(after: fault, of: Self.subject("a.b.example"), now: 7, random: 0.5)
        }
        var account = IssuanceFault(.order, .rateLimited, "new orders")
        account.retryTime = 600
        allowance.pause(after: account, of: Self.subject("a.b.example"), now: 7, random: 0.5)
        let failing = OrderAllowance(json: allowance.json, limit: allowance.limit)
        #expect(failing.failures == 1)
        allowance.succeed(firstInDomain: "c.example", now: 8)
        let read = OrderAllowance(json: allowance.json, limit: allowance.limit)
        #expect(read.domains == allowance.domains && read.account == allowance.account)
        #expect(read.domainPaces == allowance.domainPaces && read.domainPaces.count == 1)
        #expect(OrderAllowance(json: [], limit: nil) == OrderAllowance())
        #expect(OrderAllowance(json: Array("[]".utf8), limit: nil) == OrderAllowance())
    }

    /// As a bucket: so many at once, and then one after the other; in no period more than twice that.
    @Test func `first certificates of a domain are counted, those under way included`() {
        let limit = DomainLimit(certificates: 50, seconds: 7 * 86_400)
        var allowance = OrderAllowance(limit: limit)
        var (now, issued) = (1_000, [Int]())
        let host = Self.subject("a.b.example", domain: "b.example")
        for index in 0..<200 {
            now = max(now, allowance.pause(of: host, now: now)?.until ?? 0)
            #expect(allowance.pause(of: host, now: now) == nil)
            allowance.begin(inDomain: "b.example")
            if index == 49 { #expect(allowance.pause(of: host, now: now) != nil) }
            allowance.end(inDomain: "b.example")
            allowance.succeed(firstInDomain: "b.example", now: now)
            issued.append(now)
        }
        #expect(issued.prefix(50).allSatisfy { $0 == 1_000 })
        #expect(issued[50] - issued[49] == limit.secondsEach)
        #expect(abs(issued[199] - 150 * limit.secondsEach) < 7_200)
        let other = Self.subject("a.c.example", domain: "c.example")
        #expect(allowance.pause(of: other, now: now) == nil)
        let unknown = Self.subject("a.b.example")
        #expect(allowance.pause(of: unknown, now: now) == nil)
    }

    @Test func `only the limit of an authority that is known is counted`() {
        let production = "https://acme-v02.api.letsencrypt.org/directory"
        #expect(DomainLimit.known(of: production)?.certificates == 50)
        for other in [
            "https://acme-staging-v02.api.letsencrypt.org/directory", "https://ca.example/dir",
        ] {
            #expect(DomainLimit.known(of: other) == nil)
        }
    }
}
