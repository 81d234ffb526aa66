import Testing

@testable import Certificates

/// What a node keeps of its own where the nodes' database says something else.
@Suite("Records of a fleet") struct FleetRecordTests {
    private func record(succeeded: Int? = nil, failed: Int? = nil, order: String? = nil)
        -> HostRecord
    {
        var record = HostRecord()
        (record.lastSuccess, record.lastFaultTime) = (succeeded, failed)
        record.order.order = order
        return record
    }

    @Test func `the later of two records is that in which something has happened last`() {
        let own = record(succeeded: 10_000)
        #expect(own.isLater(than: HostRecord(), now: 20_000))
        #expect(own.isLater(than: record(succeeded: 9_879), now: 20_000))
        // Two clocks can differ so much.
        #expect(!own.isLater(than: record(succeeded: 9_880), now: 20_000))
        #expect(!own.isLater(than: record(succeeded: 9_900, failed: 9_950), now: 20_000))
        #expect(own.isLater(than: record(succeeded: 9_800, failed: 15_000), now: 20_000))
        #expect(!own.isLater(than: record(succeeded: 10_001), now: 20_000))
        // It has failed for a node that did not know of the certificate since.
        #expect(!record(succeeded: 9_800, failed: 15_000).isLater(than: own, now: 20_000))
        #expect(record(succeeded: 10_000, failed: 15_000).isLater(than: own, now: 20_000))
        #expect(record(failed: 10_000).isLater(than: record(succeeded: 5), now: 20_000))
        #expect(!HostRecord().isLater(than: own, now: 20_000))
    }

    @Test func `what a clock has noted that was set back is no reason to keep a record`() {
        let own = record(succeeded: 10_000)
        #expect(own.isLater(than: record(succeeded: 5), now: 9_940))
        #expect(!own.isLater(than: record(succeeded: 5), now: 9_939))
    }

    @Test func `an order that the others do not know of is kept`() {
        let order = record(succeeded: 5, order: "https://a.example/order")
        #expect(order.isLater(than: record(succeeded: 5), now: 20_000))
        #expect(!order.isLater(than: record(succeeded: 5, failed: 6), now: 20_000))
        let other = record(succeeded: 5, order: "https://a.example/other")
        #expect(!order.isLater(than: other, now: 20_000))
        #expect(!record(succeeded: 5).isLater(than: order, now: 20_000))
    }

    @Test func `a record is older than a certificate that began an hour after its last`() {
        #expect(record(succeeded: 10_000).isOlder(thanCertificateFrom: 13_601))
        #expect(!record(succeeded: 10_000).isOlder(thanCertificateFrom: 13_600))
        #expect(!record(failed: 10_000).isOlder(thanCertificateFrom: 13_601))
    }

    @Test func `of two limits the later counts, unless it is over`() throws {
        let limit = DomainLimit(certificates: 50, seconds: 7 * 86_400)
        func allowance(_ paces: [String: Int], _ account: Int?, _ domains: [String: Int])
            -> OrderAllowance
        {
            var made = OrderAllowance(
                limit: limit, paces: paces.mapValues { DomainPace(fullAt: $0) })
            func pause(_ until: Int) -> OrderPause {
                OrderPause(since: 1, until: until, isLimit: true, reason: "no")
            }
            made.account = account.map(pause)
            made.domains = domains.mapValues(pause)
            return made
        }
        let restored = allowance(["a": 500, "b": 700], nil, ["c": 800])
        let own = allowance(["a": 600, "b": 600, "d": 900, "e": 99], 650, ["c": 700, "f": 99])
        let kept = restored.keepingLimits(of: own, now: 100)
        #expect(kept.domainPaces.mapValues(\.fullAt) == ["a": 600, "b": 700, "d": 900])
        #expect(kept.account?.until == 650)
        #expect(kept.domains.mapValues(\.until) == ["c": 800])
        #expect(restored.keepingLimits(of: restored, now: 100) == restored)
    }

    @Test func `limits are a JSON object`() {
        #expect(OrderAllowance.accepts(json: OrderAllowance().json))
        #expect(OrderAllowance.accepts(json: Array("{}".utf8)))
        for text in ["", "{", "[]", "1", "{} x"] {
            #expect(!OrderAllowance.accepts(json: Array(text.utf8)), "\(text)")
        }
    }
}
