import Glibc

/// What a text from outside is put to. Each checks more than that nothing traps: what was read must
/// be true of the text, and what one room writes another must read back.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "addresses": readAddresses,
    "configuration": readConfiguration,
    "fields": readFields,
    "forwarded": readForwarded,
    "json": readJSON,
    "links": readLinks,
    "markup": readMarkup,
    "names": readNames,
    "paths": readPaths,
    "proxy": readProxyHeader,
    "requests": readRequests,
    "tables": readTables,
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
    // A failed precondition says nothing in a release build.
    if !fact() { fatalError(name()) }
}
