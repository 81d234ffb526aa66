import Answering
import SiteConfiguration
import Snapshots
import Sockets

/// The time of a loop's turn, and the settings in force.
struct Turn: ~Copyable {
    /// Those of the configuration in force.
    private(set) var settings: Settings

    /// The monotonic clock at the turn's start, and seconds since 1970.
    private(set) var microseconds: Int
    private(set) var milliseconds: Int
    private(set) var unixSeconds: Int
    private var secondEndsAt = 0
    private let clock: LoopClock
    /// The share of the connection at hand.
    var share = Share()
    /// Whether many connections have just sent something. Their shares are short, so that the first
    /// requests of all come soon.
    var isBusy = false

    /// Every answer now says that its connection ends.
    var isDraining = false
    /// Nothing new is accepted.
    var isStopping = false

    /// - Parameter limits: those that hold for what a configuration does not set.
    init(_ limits: OriginLimits, _ clock: LoopClock = LoopClock()) {
        self.clock = clock
        settings = Settings(nil, limits)
        microseconds = clock.microseconds
        milliseconds = microseconds / 1000
        unixSeconds = Clock.unixSeconds
    }

    /// Takes the settings of an environment.
    mutating func use(_ environment: Environment) {
        settings = Settings(environment, settings.usualLimits)
    }

    /// Brings the time up to date.
    /// - Returns: whether another second has begun.
    @inline(__always)
    mutating func begin() -> Bool {
        microseconds = clock.microseconds
        milliseconds = microseconds / 1000
        guard milliseconds >= secondEndsAt else { return false }
        let now = Clock.unixMilliseconds
        (unixSeconds, secondEndsAt) = (now / 1000, milliseconds + 1000 - now % 1000)
        return true
    }

    /// Whether it has taken so long, or so many times as long, that the loop looks at everything else first.
    func isLong(times: Int = 1) -> Bool {
        clock.microseconds - microseconds >= times * settings.limits.turnMilliseconds * 1000
    }

    /// Whether the connection at hand has had its share, so that its next request must wait.
    @inline(__always)
    mutating func isShareOver() -> Bool {
        guard share.needsClock() else { return false }
        let whole = settings.limits.shareMicroseconds
        return share.isOver(at: clock.microseconds, length: isBusy ? whole / 8 : whole)
    }

    func deadline(seconds: Int) -> Int { milliseconds + seconds * 1000 }
}

/// The settings of an environment for its loops. A class, so that a function that takes a turn
/// copies none of it.
final class Settings: Sendable {
    let limits: OriginLimits
    /// Those that hold for what a configuration does not set.
    let usualLimits: OriginLimits
    let proxies: ProxySettings
    /// Whether addresses are anonymized in what is reported.
    let isAnonymized: Bool
    /// Room that an answer may need in the output: its head, and a body that is copied behind it.
    let answerBytesMax: Int

    /// - Parameter environment: nil sets nothing.
    init(_ environment: Environment?, _ usualLimits: OriginLimits) {
        self.usualLimits = usualLimits
        limits = environment.map { usualLimits.setting($0.limits) } ?? usualLimits
        limits.check()
        proxies = environment?.proxies ?? ProxySettings()
        isAnonymized = environment?.accessLog.isAnonymized ?? false
        answerBytesMax = limits.answering.answerBytesMax
    }
}
