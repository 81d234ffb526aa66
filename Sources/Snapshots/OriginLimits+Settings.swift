import Answering
import HTTPMessages
package import SiteConfiguration

// Where the origin keeps the limits that a configuration may set.

extension OriginLimits {
    /// The limits of an environment: those that it sets in place of these.
    ///
    /// What bounds a part of a request's head is never more than what bounds all of it, and one
    /// address may have all connections unless that is set otherwise.
    package func setting(_ settings: LimitSettings) -> OriginLimits {
        var limits = self
        for limit in Limit.allCases {
            if let value = settings[limit] { limits[limit] = value }
        }
        if settings[.connectionsPerAddress] == nil {
            limits.connectionsPerAddressMax = max(
                limits.connectionsPerAddressMax, limits.connectionsMax)
        }
        let whole = limits.request.headBytesMax
        limits.request.targetBytesMax = min(limits.request.targetBytesMax, whole)
        limits.request.fieldLineBytesMax = min(limits.request.fieldLineBytesMax, whole)
        return limits
    }

    /// A limit by its name in the configuration.
    package subscript(limit: Limit) -> Int {
        get { self[keyPath: Self.position(of: limit)] }
        set { self[keyPath: Self.position(of: limit)] = newValue }
    }

    private static func position(of limit: Limit) -> WritableKeyPath<OriginLimits, Int> {
        switch limit {
        case .targetBytes: \.answering.request.targetBytesMax
        case .headerLineBytes: \.answering.request.fieldLineBytesMax
        case .headerBytes: \.answering.request.headBytesMax
        case .headerCount: \.answering.request.fieldLinesMax
        case .bodyBytes: \.answering.request.contentBytesMax
        case .handshakeSeconds: \.handshakeSeconds
        case .headerSeconds: \.headSeconds
        case .bodySeconds: \.contentSeconds
        case .bodyRate: \.contentBytesPerSecond
        case .writeSeconds: \.writeSeconds
        case .writeRate: \.writeBytesPerSecond
        case .idleSeconds: \.idleSeconds
        case .drainDelaySeconds: \.drainDelaySeconds
        case .drainSeconds: \.drainSeconds
        case .requestsPerConnection: \.requestsPerConnectionMax
        case .connections: \.connectionsMax
        case .connectionsPerAddress: \.connectionsPerAddressMax
        case .prefixBits: \.prefixBits
        case .logQueueBytes: \.logQueueBytesMax
        case .memoryFileBytes: \.answering.memoryFileBytesMax
        case .memoryFilesBytes: \.answering.memoryFilesBytesMax
        case .linkBytes: \.linkBytesMax
        }
    }
}
