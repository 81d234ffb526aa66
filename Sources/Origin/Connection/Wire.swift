import Answering
import Memory
import Snapshots
import TLS

/// The buffers through which the bytes of a loop's connections pass, one connection at a time.
struct Wire: ~Copyable {
    /// Bytes as they were received, encrypted where the connection speaks TLS.
    var received: ByteBuffer
    /// Records on their way out.
    var transport: TLSTransport
    /// A piece of a file on the disk.
    var piece: [UInt8]

    init(_ limits: OriginLimits) throws(OpenSSLError) {
        received = ByteBuffer(capacity: limits.receiveBytesMax)
        piece = [UInt8](repeating: 0, count: PublicFile.pieceBufferBytes)
        transport = try TLSTransport(
            outgoingCapacity: limits.sendBytesMax + 2 * limits.writeBytesMax
                + 2 * tlsRecordBytesMax)
    }
}
