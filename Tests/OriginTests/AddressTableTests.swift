import ClientAddress
import TestSupport
import Testing

@testable import Origin

@Suite("Connections by address")
struct AddressTableTests {
    @Test func `it counts what a dictionary counts, when it is full too`() {
        var generator = SplitMix()
        var table = AddressTable(capacity: 40)
        var open = [(entry: Int32, address: IPAddress, isGuest: Bool)]()
        for _ in 0..<20_000 {
            let comes = open.count < 40 && (open.isEmpty || Bool.random(using: &generator))
            if comes {
                let address = IPAddress(v4: .random(in: 0..<60, using: &generator))
                let isGuest = Bool.random(using: &generator)
                open.append((table.enter(address, isGuest: isGuest), address, isGuest))
            } else {
                let gone = open.remove(at: .random(in: 0..<open.count, using: &generator))
                table.leave(gone.entry, isGuest: gone.isGuest)
            }
            let asked = IPAddress(v4: .random(in: 0..<60, using: &generator))
            let count = table.count(asked)
            let same = open.filter { $0.address == asked }
            #expect(
                count == (same.count, same.count { $0.isGuest }), "seed \(generator.seed)")
        }
    }

    @Test func `guests are bounded in all and by address, and everybody's position is given back`()
    {
        let admission = Admission(connectionsMax: 2, guests: .init(all: 3, perAddress: 2))
        let (first, second) = (IPAddress(v4: 1), IPAddress(v4: 2))
        var positions = [Admission.Position]()
        func enter(_ address: IPAddress?) -> String {
            switch admission.enter(address, perAddressMax: 1) {
            case .admitted(let position):
                positions.append(position)
                return "\(position.standing)"
            case .refused(let reason): return reason.name
            }
        }
        let standings = [first, first, first, first, nil, second].map(enter)
        #expect(
            standings == ["regular", "address", "address", "address", "regular", "overall"])
        #expect(!admission.hasRoom)
        #expect(enter(second) == "connections")
        for position in positions { admission.leave(position) }
        positions = []
        #expect(admission.hasRoom)
        #expect([first, nil, nil].map(enter) == ["regular", "regular", "overall"])
    }
}
