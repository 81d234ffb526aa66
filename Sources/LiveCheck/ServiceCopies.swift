import HTTPClient
import HTTPMessages

/// The last answers of Apple's CDN and Google's service for a host. Whoever checks the host again
/// and again asks them every quarter of an hour at most.
package struct ServiceCopies: Sendable {
    var apple = ServiceCopy()
    var google = ServiceCopy()

    package init() {}
}

/// The last answer of a service for a host, and when it may be asked again.
struct ServiceCopy: Sendable {
    private var last: ClientExchange?
    /// In seconds since 1970.
    private(set) var next = 0

    /// The last answer, or another one if it is time.
    mutating func answer(now: Int, _ ask: () -> ClientExchange?) -> ClientExchange? {
        guard now >= next else { return last }
        last = ask()
        if let last { next = now + last.restSeconds(random: .random(in: 0...1)) }
        return last
    }
}

extension ClientExchange {
    /// The time for which a service is left alone after this answer: until it can be another one,
    /// within an hour, or as long as the service asks for, within a day.
    /// - Parameter random: from 0 to 1, so that many hosts do not ask at once.
    func restSeconds(random: Double) -> Int {
        let least = 900 + Int(90 * random)
        guard let head = response?.head else { return least }
        let wait = head.value("retry-after").flatMap { Int($0) } ?? 0
        return max(least, min(wait, 86_400), min(head.freshSeconds ?? 0, 3_600))
    }
}

extension ResponseHead {
    /// The seconds for which the response may be kept (RFC 9111 §5.2.2.1).
    var maxAge: Int? {
        for value in values("cache-control") {
            for part in value.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
                let directive = part.drop { $0 == 0x20 || $0 == 0x09 }
                guard directive.starts(with: "max-age=".utf8) else { continue }
                return Int(String(Substring(directive.dropFirst(8))))
            }
        }
        return nil
    }

    /// For how long caches answer with it from now on; nil if it does not say (RFC 9111 §4.2).
    var freshSeconds: Int? {
        maxAge.map { max(0, $0 - (value("age").flatMap { Int($0) } ?? 0)) }
    }
}
