// The records of a host that several nodes have, of which one can be of a database that was restored.

extension HostRecord {
    /// Whether this record, a node's own, is to be kept in the place of one of the nodes' database. That is older where
    /// the database was restored, or lacks what the node has noted while it was away.
    /// - Parameter now: what was noted later than this is of a clock that was set back, and no reason.
    package func isLater(than other: HostRecord, now: Int) -> Bool {
        let skew = Self.clockSkewSeconds
        func last(_ times: Int?...) -> Int {
            times.compactMap(\.self).filter { $0 <= now + skew }.max() ?? 0
        }
        // The clocks of two nodes can differ. A failure is of no account where there is a certificate since.
        let success = last(lastSuccess)
        guard abs(success - (other.lastSuccess ?? 0)) <= 2 * skew else {
            return success > other.lastSuccess ?? 0
        }
        let own = last(lastSuccess, lastFaultTime)
        let others = max(other.lastSuccess ?? 0, other.lastFaultTime ?? 0)
        // An order that was made, and not told to the others, is the one to go on with.
        if own == others { return order.order != nil && other.order.order == nil }
        return others + 2 * skew < own
    }

    /// Whether the last certificate that the record knows was issued before one that began at a time. Authorities let
    /// certificates begin up to an hour before they issue them.
    package func isOlder(thanCertificateFrom notBefore: Int) -> Bool {
        lastSuccess.map { $0 + 3_600 < notBefore } ?? false
    }
}
