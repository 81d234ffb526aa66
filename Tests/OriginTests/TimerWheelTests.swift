import TestSupport
import Testing

@testable import Origin

@Suite("The timer wheel")
struct TimerWheelTests {
    @Test func `a timer comes up in the second after its deadline, and once`() {
        var wheel = TimerWheel(capacity: 4, nowSeconds: 100)
        wheel.schedule(0, milliseconds: 105_500)
        let early = wheel.takeDue(nowSeconds: 105)
        let due = wheel.takeDue(nowSeconds: 106)
        let again = wheel.takeDue(nowSeconds: 200)
        #expect(early == nil && due == 0 && again == nil)
    }

    @Test func `an earlier deadline moves a timer and a later one does not`() {
        var wheel = TimerWheel(capacity: 4, nowSeconds: 100)
        wheel.schedule(1, milliseconds: 150_000)
        wheel.schedule(1, milliseconds: 110_000)
        wheel.schedule(1, milliseconds: 170_000)
        let due = wheel.takeDue(nowSeconds: 111)
        let later = wheel.takeDue(nowSeconds: 180)
        #expect(due == 1 && later == nil)
    }

    @Test func `connections of one second come up together, but for those that are cancelled`() {
        var wheel = TimerWheel(capacity: 4, nowSeconds: 0)
        for index in 0..<4 { wheel.schedule(index, milliseconds: 5000) }
        wheel.cancel(2)
        wheel.cancel(2)
        var due = [Int]()
        while let index = wheel.takeDue(nowSeconds: 10) { due.append(index) }
        #expect(due.sorted() == [0, 1, 3])
    }

    @Test func `a deadline in the past, or past the horizon, comes up all the same`() {
        var wheel = TimerWheel(capacity: 2, nowSeconds: 1000)
        wheel.schedule(0, milliseconds: 0)
        wheel.schedule(1, milliseconds: 5_000_000)
        let past = wheel.takeDue(nowSeconds: 1001)
        let capped = wheel.takeDue(nowSeconds: 1000 + TimerWheel.slotCount - 1)
        #expect(past == 0 && capped == 1)
    }

    @Test func `random timers come up no sooner than they are due and never get lost`() {
        var generator = SplitMix()
        var wheel = TimerWheel(capacity: 50, nowSeconds: 0)
        var due = [Int: Int]()
        for now in 1...2000 {
            while let index = wheel.takeDue(nowSeconds: now) {
                let isDue = due.removeValue(forKey: index).map { $0 <= now } == true
                #expect(isDue, "seed \(generator.seed)")
            }
            #expect(due.values.allSatisfy { $0 > now }, "seed \(generator.seed)")
            let index = Int.random(in: 0..<50, using: &generator)
            guard due[index] == nil else { continue }
            let milliseconds = now * 1000 + Int.random(in: 0..<100_000, using: &generator)
            wheel.schedule(index, milliseconds: milliseconds)
            due[index] = milliseconds / 1000 + 1
        }
    }
}
