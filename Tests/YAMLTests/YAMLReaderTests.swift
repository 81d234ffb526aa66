import Testing

@testable import YAML

@Suite("Events of a text")
struct YAMLReaderTests {
    private func events(_ text: String) -> ([YAMLEvent], YAMLError?) {
        var events = [YAMLEvent]()
        guard var reader = YAMLReader(Array(text.utf8), levelsMax: 3) else { return ([], nil) }
        do throws(YAMLError) {
            while let event = try reader.next() { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    private func event(_ kind: YAMLEvent.Kind, _ line: Int, _ column: Int) -> YAMLEvent {
        YAMLEvent(kind, at: YAMLMark(line: line, column: column))
    }

    private let none = YAMLEvent.Properties()

    @Test func `mappings, lists and texts come in their order, each with its position`() {
        let (events, error) = events("a: [x, 'y']\n\u{E9}\u{1F600}: \"\\x41\"\n")
        #expect(error == nil)
        #expect(
            events == [
                event(.documentStart, 1, 1),
                event(.mappingStart(none), 1, 1),
                event(.scalar("a", isPlain: true, none), 1, 1),
                event(.sequenceStart(none), 1, 4),
                event(.scalar("x", isPlain: true, none), 1, 5),
                event(.scalar("y", isPlain: false, none), 1, 8),
                event(.sequenceEnd, 1, 11),
                event(.scalar("\u{E9}\u{1F600}", isPlain: true, none), 2, 1),
                event(.scalar("A", isPlain: false, none), 2, 5),
                event(.mappingEnd, 3, 1),
                event(.documentEnd, 3, 1),
            ])
    }

    @Test func `a text with a NUL in it is whole`() {
        let (events, _) = events("\"a\\0b\"")
        #expect(events[1].kind == .scalar("a\0b", isPlain: false, none))
    }

    @Test func `anchors, tags and aliases are told, and not followed`() {
        let (events, error) = events("- &a !!str x\n- *a\n- !t {}\n- ! y\n")
        #expect(error == nil)
        #expect(
            events[2...7].map(\.kind) == [
                .scalar(
                    "x", isPlain: true, .init(hasAnchor: true, tag: "tag:yaml.org,2002:str")),
                .alias, .mappingStart(.init(tag: "!t")), .mappingEnd,
                .scalar("y", isPlain: true, .init(tag: "!")), .sequenceEnd,
            ])
    }

    @Test func `nothing is an empty stream, and two documents are two`() {
        #expect(events("").0 == [])
        #expect(events("# nothing\n").0 == [])
        #expect(events("--- a\n--- b\n").0.filter { $0.kind == .documentStart }.count == 2)
    }

    @Test func `what is no YAML ends with a reason and its position`() {
        let (events, error) = events("a: [1, 2}\n")
        #expect(events.count == 6)
        let list = YAMLError.Context(
            "while parsing a flow sequence", at: YAMLMark(line: 1, column: 4))
        let position = YAMLMark(line: 1, column: 9)
        #expect(error == YAMLError(.syntax("did not find expected ',' or ']'", list), at: position))
    }

    @Test func `a level too many is refused where it begins, whatever it is`() {
        #expect(events("[{a: [b, c]}, [[d]]]").1 == nil)
        #expect(events("[[[[]]]]").1 == YAMLError(.nesting, at: YAMLMark(line: 1, column: 4)))
        #expect(events("a:\n b:\n  c:\n   d: e").1?.mark == YAMLMark(line: 4, column: 4))
        #expect(events("? [[[x]]]\n: y").1?.reason == .nesting)
    }

    @Test func `half a million brackets are not looked at`() {
        #expect(events(String(repeating: "[", count: 500_000)).1?.reason == .nesting)
        #expect(events(String(repeating: "- ", count: 500_000)).1?.reason == .nesting)
    }

    @Test func `a reader that is left in the middle gives everything back`() throws {
        guard var reader = YAMLReader(Array("a: [b, c".utf8), levelsMax: 9) else { return }
        _ = try reader.next()
        #expect(try reader.next()?.kind == .mappingStart(none))
    }
}
