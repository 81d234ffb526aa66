/// The fields that this origin uses. Others are only checked for syntax.
public enum FieldName: UInt8, Sendable, CaseIterable {
    case other
    case accept, acceptEncoding, acceptLanguage, connection, contentLength, expect, host
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case range, referer, transferEncoding, userAgent
    /// The client's address, as proxies report it (RFC 7239 and its predecessors).
    case forwarded, forwardedFor, forwardedProto
    /// The request's identifiers in logs and traces.
    case requestIdentifier, traceParent
    /// The purpose of a request, and its user's objections (W3C Fetch Metadata, Global Privacy
    /// Control, Tracking Preference Expression), with the names that browsers had before.
    case secPurpose, purpose, xPurpose, xMoz, secGPC, doNotTrack

    /// Its bit in a set of names.
    @inlinable var bit: UInt32 { 1 &<< UInt32(rawValue) }

    /// The field's name in lower case; empty for `other`.
    package var text: String {
        switch self {
        case .other: ""
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .acceptLanguage: "accept-language"
        case .connection: "connection"
        case .contentLength: "content-length"
        case .expect: "expect"
        case .host: "host"
        case .ifMatch: "if-match"
        case .ifModifiedSince: "if-modified-since"
        case .ifNoneMatch: "if-none-match"
        case .ifRange: "if-range"
        case .ifUnmodifiedSince: "if-unmodified-since"
        case .range: "range"
        case .referer: "referer"
        case .transferEncoding: "transfer-encoding"
        case .userAgent: "user-agent"
        case .forwarded: "forwarded"
        case .forwardedFor: "x-forwarded-for"
        case .forwardedProto: "x-forwarded-proto"
        case .requestIdentifier: "x-request-id"
        case .traceParent: "traceparent"
        case .secPurpose: "sec-purpose"
        case .purpose: "purpose"
        case .xPurpose: "x-purpose"
        case .xMoz: "x-moz"
        case .secGPC: "sec-gpc"
        case .doNotTrack: "dnt"
        }
    }
}
