import SiteConfiguration
import Sockets

/// The time of a loop's turn, and the settings in force.
struct Turn: ~Copyable {
    /// Those of the configuration in force.
    private(set) var limits: OriginLimits
    /// Those that hold for what a configuration does not set.
    private let usualLimits: OriginLimits
    private(set) var proxies = ProxySettings()
    /// Whether addresses are anonymized in what is reported.
    private(set) var isAnonymized = false

    /// The monotonic clock at the turn's start, and seconds since 1970.
    private(set) var microseconds: Int
    private(set) var milliseconds: Int
    private(set) var unixSeconds: Int
    private var secondEndsAt = 0

    /// Every answer now says that its connection ends.
    var isDraining = false
    /// Nothing new is accepted.
    var isStopping = false

    /// - Parameter limits: those that hold for what a configuration does not set.
    init(_ limits: OriginLimits) {
        limits.check()
        self.limits = limits
        usualLimits = limits
        microseconds = Clock.monotonicMicroseconds
        milliseconds = microseconds / 1000
        unixSeconds = Clock.unixSeconds
    }

    /// Takes the settings of an environment.
    mutating func use(_ environment: Environment) {
        proxies = environment.proxies
        isAnonymized = environment.accessLog.isAnonymized
        limits = usualLimits.setting(environment.limits)
        limits.check()
    }

    /// Brings the time up to date.
    /// - Returns: whether another second has begun.
    @inline(__always)
    mutating func begin() -> Bool {
        microseconds = Clock.monotonicMicroseconds
        milliseconds = microseconds / 1000
        guard milliseconds >= secondEndsAt else { return false }
        let now = Clock.unixMilliseconds
        (unixSeconds, secondEndsAt) = (now / 1000, milliseconds + 1000 - now % 1000)
        return true
    }

    func deadline(seconds: Int) -> Int { milliseconds + seconds * 1000 }
}
