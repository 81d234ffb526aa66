package import LinkStore

/// The times at which the base of a store is written: soon after a change, but so seldom that writing takes a small
/// share of the disk's time and the processor's, however large it is and however often links are changed.
package struct BaseSchedule: Sendable {
    /// The version that the file has; nil before one was written.
    private var written: StoreBase.Version?
    /// The time before which nothing is written, in milliseconds.
    private var next = 0
    private var confirmed = 0

    package enum Action: Equatable, Sendable {
        case write
        /// The file is as it should be, and gets the time at which the database has said so.
        case confirm
    }

    package init() {}

    /// The thing to do now.
    /// - Parameters:
    ///   - version: of the links that are answered.
    ///   - isConfirmed: whether the database has just said that they are all.
    package func due(
        _ version: StoreBase.Version, isConfirmed: Bool, at milliseconds: Int
    ) -> Action? {
        guard milliseconds >= next else { return nil }
        if version != written { return .write }
        let isOld = milliseconds - confirmed >= Self.confirmMilliseconds
        return isConfirmed && isOld ? .confirm : nil
    }

    /// Whether the file lacks a version.
    package func lacks(_ version: StoreBase.Version) -> Bool { version != written }

    /// The file has a version now.
    /// - Parameters:
    ///   - bytes: that were written, within `milliseconds`.
    package mutating func wrote(
        _ version: StoreBase.Version, bytes: Int, within milliseconds: Int, at now: Int
    ) {
        (written, confirmed) = (version, now)
        next =
            now
            + max(
                Self.pauseMilliseconds, milliseconds * Self.pauseFactor,
                bytes / Self.bytesPerMillisecond)
    }

    package mutating func confirmed(at now: Int) { confirmed = now }

    /// Notes that the file is not there any more.
    package mutating func lost() { written = nil }

    package mutating func failed(at now: Int) { next = now + Self.retryMilliseconds }

    package static let pauseMilliseconds = 5_000
    /// A pause is so many times as long as the writing before it.
    package static let pauseFactor = 20
    /// On average, so that a million links are written each ten minutes.
    package static let bytesPerMillisecond = 256
    package static let confirmMilliseconds = 300_000
    package static let retryMilliseconds = 60_000
}
