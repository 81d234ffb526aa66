import Glibc

/// What a text from outside is put to. Each checks more than that nothing traps: what was read must
/// be true of the text, and what one room writes another must read back.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "addresses": readAddresses,
    "apps": { measured(readAppFile, $0) },
    "bodies": { measured(readBodies, $0) },
    "bundles": { measured(readBundle, $0) },
    "configuration": { measured(readConfiguration, $0) },
    "countries": { measured(readCountries, $0) },
    "fields": readFields,
    "firebase": { measured(readFirebaseRows, $0) },
    "forms": { measured(readForm, $0) },
    "forwarded": readForwarded,
    "gradle": { measured(readGradle, $0) },
    "json": { measured(readJSON, $0) },
    "keys": { measured(readKeyStore, $0) },
    "lines": { measured(readLines, $0) },
    "long-links": { measured(readLongLinks, $0) },
    "markup": readMarkup,
    "names": readNames,
    "openid": { measured(readOpenID, $0) },
    "passkeys": { measured(readPasskey, $0) },
    "paths": readPaths,
    "patterns": { measured(readPatterns, $0) },
    "proxy": readProxyHeader,
    "requests": readRequests,
    "tables": { measured(readTables, $0) },
]

/// The target that the variable `FUZZ_TARGET` names.
private let chosen: @Sendable ([UInt8]) -> Void = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = targets[name] else {
        preconditionFailure("FUZZ_TARGET must be one of \(targets.keys.sorted())")
    }
    return target
}()

/// What libFuzzer calls, over and over.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the run when a fact does not hold, and says which.
func require(_ fact: @autoclosure () -> Bool, _ name: @autoclosure () -> String) {
    guard !fact() else { return }
    // A fatal error would look for the names of all its callers, for minutes.
    let line = Array("failed: \(name())\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
}
