import Testing

@testable import Sockets

@Suite("Questions to the system's resolver")
struct NameResolutionTests {
    @Test func `only so many wait for an answer at once`() {
        let questions = NameResolution.Questions()
        for _ in 0..<NameResolution.Questions.openMax { #expect(questions.begin()) }
        #expect(!questions.begin())
        // What was refused is not counted.
        questions.end()
        #expect(questions.begin() && !questions.begin())
    }

    @Test func `a question that is answered is not counted any more`() throws {
        for _ in 0...NameResolution.Questions.openMax {
            let found = NameResolution("127.0.0.1", v6: false, by: Deadline(in: 60_000))
            #expect(found.addresses == [.v4([127, 0, 0, 1])])
        }
    }

    @Test(arguments: ["localhost", "api.localhost", "API.LocalHost."])
    func `localhost is this machine`(_ name: String) {
        let deadline = Deadline(in: 60_000)
        #expect(
            NameResolution(name, v6: false, by: deadline).addresses == [.v4([127, 0, 0, 1])])
        #expect(NameResolution(name, v6: true, by: deadline).addresses == [.v6Loopback])
    }

    @Test(arguments: ["notlocalhost.invalid", "localhost.invalid"])
    func `what is called similarly is asked for`(_ name: String) {
        #expect(
            NameResolution(name, v6: false, by: Deadline(in: 60_000)).addresses == [])
    }
}
