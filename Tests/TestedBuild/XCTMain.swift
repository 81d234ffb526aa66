import Testing

/// SwiftPM takes this file for the entry if a test target stands beside it, and looks for no tests of XCTest
/// then: it would find them in an index, which takes a tenth of the time of a build to write.
@main
enum Entry {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
