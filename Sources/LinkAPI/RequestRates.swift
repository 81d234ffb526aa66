import Synchronization

/// How many changes each token may ask for: so many at once, and so many a second.
final class RequestRates: Sendable {
    private struct Bucket {
        var left: Double
        var milliseconds: Int
    }

    private let buckets = Mutex([Int: Bucket]())

    static let burst = 200
    static let perSecond = 50

    /// Takes one request of a token.
    /// - Parameter now: in milliseconds.
    /// - Returns: after how many seconds it may come again; nil if it may come now.
    func take(_ token: Int, at now: Int) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[token] ?? Bucket(left: Double(Self.burst), milliseconds: now)
            let gained = Double(max(0, now - bucket.milliseconds)) / 1000 * Double(Self.perSecond)
            bucket.left = min(Double(Self.burst), bucket.left + gained)
            bucket.milliseconds = now
            defer { buckets[token] = bucket }
            guard bucket.left >= 1 else { return 1 }
            bucket.left -= 1
            return nil
        }
    }
}
