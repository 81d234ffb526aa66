/// A request that this server refuses to interpret; answering it ends the connection, because
/// where the next request would begin is no longer known (RFC 9112 §2.2, §6.3).
package struct MessageError: Error, Hashable, Sendable {
    package let kind: Kind
    /// Bytes from the start of the message.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// What is wrong with the message; each case is answered with one status.
    package enum Kind: Hashable, Sendable {
        case malformedRequestLine, invalidMethod, invalidTarget, invalidPath
        case methodTooLong, targetTooLong, unsupportedVersion
        case lineNotEndedByCRLF, fieldLineWithoutColon, invalidFieldName, invalidFieldValue
        case foldedFieldLine, fieldSectionTooLarge, fieldLineTooLarge, tooManyFieldLines
        case missingHost, repeatedHost, invalidHost
        case invalidContentLength, repeatedContentLength, contentLengthWithTransferEncoding
        case transferEncodingBeforeHTTP11, unknownTransferCoding, chunkedNotFinal, repeatedChunked
        case invalidChunk, contentTooLarge, trailerTooLarge
    }

    /// The status to answer with before closing.
    package var status: Status {
        switch kind {
        case .targetTooLong: .uriTooLong
        case .unsupportedVersion: .versionNotSupported
        case .fieldSectionTooLarge, .fieldLineTooLarge, .tooManyFieldLines, .trailerTooLarge:
            .fieldsTooLarge
        case .methodTooLong, .unknownTransferCoding: .notImplemented
        case .contentTooLarge: .contentTooLarge
        default: .badRequest
        }
    }
}
