import Foundation
import Glibc

/// A file system of few bytes in memory, which only the thread that uses it sees.
package enum SmallDisk {
    /// Whether this process may make one: it takes root's rights.
    package static let isPossible = (try? use(bytes: 1 << 16) { _ in true }) ?? false

    /// Runs `body` on a thread of its own.
    /// - Parameter body: gets the path of an empty directory, which is the file system.
    package static func use<Value: Sendable>(
        bytes: Int, _ body: @escaping @Sendable (String) throws -> Value
    ) throws -> Value {
        let path = NSTemporaryDirectory() + "waymark-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try onThread {
            guard enterNamespace(), mountTree("none", "/", nil, privateTree, nil) == 0,
                mountTree("none", path, "tmpfs", 0, "size=\(bytes)") == 0
            else { throw Refused(number: errno) }
            // It ends with the namespace, which ends with the thread.
            return try body(path)
        }
    }

    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let result = Slot<Value>()
        let thread = Thread {
            result.value = Result { try body() }
            result.isReady.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        result.isReady.wait()
        return try result.value.get()
    }

    private final class Slot<Value>: @unchecked Sendable {
        var value: Result<Value, any Error> = .failure(NeverSo())
        let isReady = DispatchSemaphore(value: 0)
    }

    package struct Refused: Error { let number: CInt }
}

// Of Linux alone (unshare(2), mount(2)), so that Swift's module of the C library lacks them.
private typealias Unshare = @convention(c) (CInt) -> CInt
private typealias Mount =
    @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt,
        UnsafePointer<CChar>?
    ) -> CInt
private let namespaceOfMounts: CInt = 0x0002_0000
/// `MS_REC | MS_PRIVATE`.
private let privateTree: UInt = 1 << 14 | 1 << 18

private func enterNamespace() -> Bool {
    guard let symbol = dlsym(nil, "unshare") else { return false }
    return unsafeBitCast(symbol, to: Unshare.self)(namespaceOfMounts) == 0
}

private func mountTree(
    _ source: String, _ target: String, _ kind: String?, _ flags: UInt, _ options: String?
) -> CInt {
    guard let symbol = dlsym(nil, "mount") else { return -1 }
    return unsafeBitCast(symbol, to: Mount.self)(source, target, kind, flags, options)
}
