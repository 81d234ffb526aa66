import Snapshots
import TestSupport

@testable import Origin

extension OriginLimits {
    /// Those of an origin whose clock runs, on a machine that is busy with other work: time limits
    /// beyond the safety net of the tests. A test of one sets it, and owns the clock.
    static var patient: OriginLimits {
        var limits = OriginLimits()
        let patience = 2 * safetyNetSeconds
        (limits.handshakeSeconds, limits.headSeconds, limits.contentSeconds) = (
            patience, patience, patience
        )
        (limits.handlerSeconds, limits.writeSeconds, limits.idleSeconds) = (
            patience, patience, patience
        )
        limits.contentRateSeconds = patience
        return limits
    }
}
