/// The requests, refused nonces and time that an order may cost. So no sequence of answers holds it
/// for ever. Times are in milliseconds of a monotonic clock.
struct OrderBudget: Sendable {
    /// The time of the first request.
    private var began: Int?
    private var requests = 0
    /// Nonces that were refused, in a row and since the beginning.
    private var noncesInRow = 0
    private var nonces = 0
    /// The time at which a wait began, and the number of polls since.
    private var wait: (since: Int, polls: Int)?
    /// The earliest time for the next request.
    private(set) var nextRequest: Int?

    static let authorizationsMax = 10
    static let waitMillisecondsMax = 300_000
    private static let requestsMax = 180
    private static let millisecondsMax = 900_000
    private static let noncesInRowMax = 60
    private static let noncesMax = 600
    private static let quickNonces = 10

    /// Notes a request.
    /// - Throws: `Excess`, if it is one too many, or too late.
    mutating func spend(now: Int) throws(Excess) {
        let began = began ?? now
        self.began = began
        requests += 1
        guard requests - nonces <= Self.requestsMax else { throw .requests(Self.requestsMax) }
        guard now - began <= Self.millisecondsMax else {
            throw .minutes(Self.millisecondsMax / 60_000)
        }
    }

    /// Whether a request is made, at this time.
    mutating func isFree(now: Int) -> Bool {
        if let nextRequest, nextRequest > now { return false }
        nextRequest = nil
        return true
    }

    /// Notes a refused nonce, which is no refusal of its request.
    /// - Returns: whether the request is repeated.
    mutating func repeatsNonce(now: Int) -> Bool {
        guard noncesInRow < Self.noncesInRowMax, nonces < Self.noncesMax else { return false }
        noncesInRow += 1
        nonces += 1
        if noncesInRow > Self.quickNonces { nextRequest = now + 200 }
        return true
    }

    mutating func takeNonce() { noncesInRow = 0 }

    /// Ends a wait: the order has gone on.
    mutating func goOn() { wait = nil }

    /// Lets the next request wait for the time that the authority names, or for a while.
    /// - Parameter named: in milliseconds from now.
    /// - Returns: whether the wait has not lasted too long.
    mutating func poll(named: Int?, now: Int) -> Bool {
        let (since, polls) = wait ?? (now, 0)
        wait = (since, polls + 1)
        let pauses = [500, 1_000, 2_000, 3_000]
        let usual = polls < pauses.count ? pauses[polls] : 5_000
        nextRequest = now + max(usual, min(60_000, named ?? 0))
        return now - since < Self.waitMillisecondsMax
    }

    /// The part of the budget that an order has used up.
    enum Excess: Error, CustomStringConvertible {
        case requests(Int)
        case minutes(Int)

        var description: String {
            switch self {
            case .requests(let count): "the order has not ended after \(count) requests"
            case .minutes(let count): "the order has not ended after \(count) minutes"
            }
        }
    }
}
