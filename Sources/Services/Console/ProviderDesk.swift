import Diagnostics
import Files
import HTTPClient
import OpenID
import SiteConfiguration
import Sockets
import Synchronization

/// The threads on which providers are asked, and what they have said. A provider that is slow keeps the console's thread
/// from nothing: each sign-in waits on a thread of its own, of which there are few.
final class ProviderDesk: Sendable {
    /// A provider with its documents.
    struct Known: Sendable {
        let settings: OpenIDSettings
        let http: HTTPClient
        /// The file of `authorities` as it was read; a reload can bring another one.
        let authorities: FileStamp?
        let metadata: ProviderMetadata
        var keys: KeySet
        /// By a clock that never goes back, in milliseconds.
        let fetched: Int
        /// The last times that they came, and that they were asked for because of an unknown one.
        var keysFetched: Int
        var keysAsked: Int
    }

    private struct State: Sendable {
        var threads = 0
        var known: Known?
        /// The last attempt that was in vain.
        var failure: (settings: OpenIDSettings, trouble: ProviderTrouble, time: Int)?
        var told: (words: String, time: Int)?
    }

    private let state = Mutex(State())

    private static let threadsMax = 8
    /// Documents are asked for anew after so long, so that a key which the provider has withdrawn is not trusted for ever.
    private static let keptMilliseconds = 3_600_000
    /// A provider that was away is not asked again so soon: those who wait would take all threads.
    private static let failureMilliseconds = 3_000
    /// Tokens with keys that are not known cause one request in so long.
    private static let keysMilliseconds = 30_000

    /// Does work on a thread of its own.
    /// - Returns: false if too many are at work.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let hasPlace = state.withLock { state in
            guard state.threads < Self.threadsMax else { return false }
            state.threads += 1
            return true
        }
        guard hasPlace else { return false }
        do throws(SystemError) {
            try startThread(name: "waymark-openid") { [self] in
                work()
                state.withLock { $0.threads -= 1 }
            }
            return true
        } catch {
            state.withLock { $0.threads -= 1 }
            return false
        }
    }

    /// A provider's documents, as they were asked for within the hour.
    /// - Parameter deadline: by a clock that never goes back, in milliseconds.
    func known(
        _ settings: OpenIDSettings, until deadline: Int, isEnded: @escaping @Sendable () -> Bool
    ) throws(ProviderTrouble) -> Known {
        let now = Clock.monotonicMilliseconds
        let authorities = settings.authorities.flatMap { FileStamp(of: $0.path) }
        let (known, trouble) = state.withLock { state -> (Known?, ProviderTrouble?) in
            if let known = state.known, known.settings == settings,
                known.authorities == authorities, now - known.fetched < Self.keptMilliseconds
            {
                return (known, nil)
            }
            if let failure = state.failure, failure.settings == settings,
                now - failure.time < Self.failureMilliseconds
            {
                return (nil, failure.trouble)
            }
            return (nil, nil)
        }
        if let known { return known }
        if let trouble { throw trouble }
        do throws(ProviderTrouble) {
            var http = try client(settings)
            http.isEnded = isEnded
            let requests = ProviderRequests(http: http, deadline: deadline)
            let metadata = try requests.metadata(of: settings.issuer)
            let found = Known(
                settings: settings, http: http, authorities: authorities, metadata: metadata,
                keys: try requests.keys(metadata), fetched: now,
                keysFetched: now, keysAsked: now - Self.keysMilliseconds)
            state.withLock { ($0.known, $0.failure) = (found, nil) }
            return found
        } catch {
            state.withLock { $0.failure = (settings, error, Clock.monotonicMilliseconds) }
            throw error
        }
    }

    private func client(_ settings: OpenIDSettings) throws(ProviderTrouble) -> HTTPClient {
        do throws(Unusable) {
            return try settings.makeClient()
        } catch {
            throw .here(error.diagnostic.message)
        }
    }

    /// The provider's keys once more, for a token with one that is not known: providers change them.
    func keys(after known: Known, until deadline: Int) throws(ProviderTrouble) -> KeySet {
        let now = Clock.monotonicMilliseconds
        let (isTurn, others, isUnderWay) = state.withLock { state -> (Bool, KeySet?, Bool) in
            guard let current = state.known, current.settings == known.settings else {
                return (false, nil, false)
            }
            // Somebody else has got them meanwhile, or waits for them.
            guard current.keysFetched == known.keysFetched else {
                return (false, current.keys, false)
            }
            guard current.keysAsked == known.keysAsked else { return (false, nil, true) }
            guard now - current.keysAsked >= Self.keysMilliseconds else {
                return (false, nil, false)
            }
            state.known?.keysAsked = now
            return (true, nil, false)
        }
        if let others { return others }
        if isUnderWay { throw .away("its keys are asked for anew; the next attempt has them") }
        guard isTurn else { throw .wrong(.unknownKey) }
        let keys = try ProviderRequests(http: known.http, deadline: deadline).keys(known.metadata)
        state.withLock { state in
            guard state.known?.settings == known.settings else { return }
            state.known?.keys = keys
            state.known?.keysFetched = Clock.monotonicMilliseconds
        }
        return keys
    }

    /// Whether an operator has not heard this within the last minute, nor anything else within the last second: people
    /// cause events as often as they like.
    func isNews(_ finding: Diagnostic) -> Bool {
        let now = Clock.monotonicMilliseconds
        return state.withLock { state in
            if let told = state.told {
                let isSame = told.words.utf8.elementsEqual(finding.message.utf8)
                guard now - told.time >= (isSame ? 60_000 : 1_000) else { return false }
            }
            state.told = (finding.message, now)
            return true
        }
    }
}
