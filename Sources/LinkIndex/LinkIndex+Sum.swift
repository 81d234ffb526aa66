private import Memory

extension LinkIndex {
    /// A sum over the records of a part. All parts together have the same sum in each index with the same records, whatever
    /// the order in which they came. It finds differences, but not those that somebody makes on purpose.
    package func sum(ofPart part: Int) -> UInt64 {
        var sum: UInt64 = 0
        forEach(inPart: part) { record in
            var state = SipState(0x7761_796D_6172_6B20, 0x696E_6465_7820_3031)
            state.add(record, rounds: 1)
            sum &+= state.finish(rounds: 3)
        }
        return sum
    }

    /// Calls `body` with each record of a part that is in no part before.
    private func forEach(inPart part: Int, _ body: (Span<UInt8>) -> Void) {
        if part < records.partCount {
            records.forEach(inPart: part, isAgain: false, body)
        } else {
            variants.forEach(inPart: part - records.partCount, isAgain: false, body)
        }
    }
}
