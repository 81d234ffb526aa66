import TestSupport
import Testing

@testable import Answering

@Suite("One of several values")
struct SelectionTests {
    private final class Thing {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    @Test func `the one that is selected is the one of its number, whatever came before`() {
        var random = SplitMix()
        for count in 1...5 {
            var selection = Selection((0..<count).map(Thing.init))
            #expect(selection.value.name == 0)
            for _ in 0..<200 {
                let next = Int.random(in: -1..<count, using: &random)
                if next < 0 { selection.select(Thing(-1)) } else { selection.select(next) }
                #expect(selection.value.name == next, "seed \(random.seed)")
            }
        }
    }

    @Test func `one that is none of the others is not kept`() {
        var selection = Selection([Thing(0), Thing(1)])
        weak var stranger: Thing?
        do {
            let thing = Thing(-1)
            stranger = thing
            selection.select(thing)
        }
        #expect(stranger != nil)
        selection.select(0)
        #expect(stranger == nil)
        selection.select(1)
        #expect(selection.value.name == 1)
    }
}
