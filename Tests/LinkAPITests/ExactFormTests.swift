import LinkStore
import Testing
import Visits

@testable import LinkAPI

/// What has another form than that of answers and exports is refused, and not read as something near it.
@Suite struct ExactFormTests {
    @Test(arguments: [
        (#""id": 5"#, "/id"), (#""id": true"#, "/id"), (#""id": []"#, "/id"),
        (#""url": {}"#, "/url"),
        (#""created": {}"#, "/created"), (#""updated": 1"#, "/updated"),
        (#""generation": "x""#, "/generation"), (#""opens": "app""#, "/opens"),
        (#""warnings": {}"#, "/warnings"),
    ])
    func membersOfAnExportHaveOneType(_ member: String, _ pointer: String) throws {
        let api = try TestAPI()
        let answer = try api.importing(
            #"{"collection": "short", "destination": "https://www.example.com/", \#(member)}"#)
        #expect(faults(answer[0]) == ["\(pointer) wrong-kind"], "\(answer)")
        #expect(counts(answer) == [0, 0, 0, 1])
    }

    @Test(arguments: [
        #""id": null"#, #""url": "https://go.example.com/s/a""#, #""opens": [], "warnings": []"#,
        #""generation": 7, "created": "2026-01-01T00:00:00Z""#, #""updated": null"#,
    ])
    func membersOfAnExportAreTakenAsItWritesThem(_ member: String) throws {
        let answer = try TestAPI().importing(
            #"{"collection": "short", "destination": "https://www.example.com/", \#(member)}"#)
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
    }

    @Test(arguments: [("+1", 404), ("01", 404), ("1.0", 404), ("-1", 404), ("1", 204)])
    func aTokenHasOneNumber(_ id: String, _ status: Int) throws {
        let api = try TestAPI()
        _ = api.ask("POST", "tokens", #"{"name": "ci", "scopes": ["links.read"]}"#)
        #expect(api.ask("DELETE", "tokens/\(id)").status == status)
    }

    @Test(arguments: [
        ("before=true&from=1970-01-01&to=9999-12-31", 400),
        ("to=1970-01-01&days=761&before=true", 400),
        ("to=1970-01-01&days=761", 400), ("from=1970-01-01&to=9999-12-31", 200),
        ("from=1970-01-02&to=1970-01-02&before=true", 200), ("from=9999-12-31&to=9999-12-31", 200),
    ])
    func aPeriodIsOneOfTheCalendar(_ query: String, _ status: Int) throws {
        let api = try TestAPI()
        try api.count { _ in }
        let answer = api.ask("GET", "visits?\(query)")
        #expect(answer.status == status, "\(answer.text)")
        guard status == 200 else {
            return #expect(answer["detail"].contains("begins before 1970"), "\(answer.text)")
        }
        for member in ["from", "to"] {
            #expect(answer[member].utf8.count == 20, "\(answer.text)")
        }
    }
}
