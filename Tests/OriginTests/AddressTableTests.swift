import ClientAddress
import TestSupport
import Testing

@testable import Origin

@Suite("Connections by address")
struct AddressTableTests {
    @Test func `it counts what a dictionary counts, when it is full too`() {
        var generator = SplitMix()
        var table = AddressTable(capacity: 40)
        var open = [(entry: Int32, address: IPAddress, isOverLimit: Bool)]()
        for _ in 0..<20_000 {
            let comes = open.count < 40 && (open.isEmpty || Bool.random(using: &generator))
            if comes {
                let address = IPAddress(v4: .random(in: 0..<60, using: &generator))
                let isOverLimit = Bool.random(using: &generator)
                open.append((table.enter(address, isOverLimit: isOverLimit), address, isOverLimit))
            } else {
                let gone = open.remove(at: .random(in: 0..<open.count, using: &generator))
                table.leave(gone.entry, isOverLimit: gone.isOverLimit)
            }
            let asked = IPAddress(v4: .random(in: 0..<60, using: &generator))
            let count = table.count(asked)
            let same = open.filter { $0.address == asked }
            #expect(
                count == (same.count, same.count { $0.isOverLimit }), "seed \(generator.seed)")
        }
    }

    @Test
    func `connections over a limit are bounded in all and by address, and each is given back`() {
        let admission = Admission(connectionsMax: 2, overLimit: .init(all: 3, perAddress: 2))
        let (first, second) = (IPAddress(v4: 1), IPAddress(v4: 2))
        var tickets = [Admission.Ticket]()
        func enter(_ address: IPAddress?) -> String {
            switch admission.enter(address, perAddressMax: 1) {
            case .admitted(let ticket):
                tickets.append(ticket)
                return ticket.limit.name
            case .refused(let reason): return reason.name
            }
        }
        let limits = [first, first, first, first, nil, second].map(enter)
        #expect(
            limits == ["none", "address", "address", "address", "none", "connections"])
        #expect(!admission.hasRoom)
        #expect(enter(second) == "connections")
        for ticket in tickets { admission.leave(ticket) }
        tickets = []
        #expect(admission.hasRoom)
        #expect([first, nil, nil].map(enter) == ["none", "none", "connections"])
    }
}
