import Synchronization

/// The rates of requests by client: so many at once, and so many a second.
package final class RequestRates<Client: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var left: Double
        var milliseconds: Int
    }

    private let buckets = Mutex([Client: Bucket]())
    let burst: Int
    let perSecond: Int

    package init(burst: Int, perSecond: Int) { (self.burst, self.perSecond) = (burst, perSecond) }

    /// Takes one request of a client.
    /// - Parameter now: in milliseconds.
    /// - Returns: after how many seconds it may come again; nil if it may come now.
    package func take(_ client: Client, at now: Int) -> Int? {
        buckets.withLock { buckets in
            // A client that is forgotten may begin anew, which costs less than to keep them all.
            if buckets.count >= Self.clientsMax { buckets = [:] }
            var bucket = buckets[client] ?? Bucket(left: Double(burst), milliseconds: now)
            let gained = Double(max(0, now - bucket.milliseconds)) / 1000 * Double(perSecond)
            bucket.left = min(Double(burst), bucket.left + gained)
            bucket.milliseconds = now
            defer { buckets[client] = bucket }
            guard bucket.left >= 1 else { return 1 }
            bucket.left -= 1
            return nil
        }
    }

    private static var clientsMax: Int { 10_000 }
}
