import HTTPClient
import HTTPMessages
import Testing

@testable import LiveCheck

@Suite("How often Apple's CDN and Google's service are asked")
struct ServiceCopyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let fields: [(String, String)]
        let least: Int
        let most: Int
    }

    static let cases = [
        Case(testDescription: "says nothing", status: 200, fields: [], least: 900, most: 990),
        Case(
            testDescription: "fresh for less", status: 200,
            fields: [("cache-control", "public, max-age=600")], least: 900, most: 990),
        Case(
            testDescription: "fresh for more", status: 200,
            fields: [("cache-control", "MAX-AGE=3000"), ("age", "1000")], least: 2000, most: 2000),
        Case(
            testDescription: "fresh for a day", status: 200,
            fields: [("cache-control", "max-age=86400")], least: 3600, most: 3600),
        Case(
            testDescription: "older than its life", status: 404,
            fields: [("cache-control", "max-age=3600"), ("age", "90000")], least: 900, most: 990),
        Case(
            testDescription: "asked to wait", status: 503, fields: [("retry-after", "7200")],
            least: 7200, most: 7200),
        Case(
            testDescription: "asked to wait for ever", status: 429,
            fields: [("retry-after", "99999999")], least: 86_400, most: 86_400),
        Case(
            testDescription: "no number", status: 503,
            fields: [("retry-after", "soon"), ("cache-control", "max-age=-5"), ("age", "x")],
            least: 900, most: 990),
    ]

    static func answer(_ status: Int, _ fields: [(String, String)]) -> ClientExchange {
        ClientExchange(
            request: FetchRequest(host: "a.example", target: "/"), address: nil,
            result: .success(
                FetchResponse(
                    head: ResponseHead(status: status, fields: fields), received: [], bytesMax: 1)))
    }

    @Test("a service is left alone as long as it says", arguments: cases)
    func rests(_ row: Case) {
        let exchange = Self.answer(row.status, row.fields)
        #expect(exchange.restSeconds(random: 0) == row.least)
        #expect(exchange.restSeconds(random: 1) == row.most)
    }

    @Test("a service that cannot be reached is asked again after a quarter of an hour")
    func unreached() {
        let exchange = ClientExchange(request: FetchRequest(host: "a", target: "/"), address: nil)
        #expect(exchange.restSeconds(random: 0) == 900)
    }

    @Test("until then, its last answer is taken; one that is switched off is asked each time")
    func copies() {
        var (copy, asked) = (ServiceCopy(), 0)
        func ask(_ now: Int) -> Int? {
            copy.answer(now: now) {
                asked += 1
                return Self.answer(200 + asked, [])
            }?.response?.status
        }
        #expect(ask(1_000) == 201)
        #expect(ask(1_899) == 201)
        #expect(copy.next >= 1_900 && copy.next <= 1_990)
        #expect(ask(1_990) == 202)
        #expect(asked == 2)
        var off = ServiceCopy()
        #expect(off.answer(now: 0) { nil } == nil)
        #expect(off.answer(now: 1) { Self.answer(200, []) } != nil)
    }
}
