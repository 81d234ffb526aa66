import Foundation
import TestSupport
import Testing

@Suite("While a configuration is refused")
struct RefusedReloadTests {
    @Test func `its errors are said once, however often certificates are renewed`() throws {
        let site = try CertificateSite()
        let origin = try RunningOrigin(site.configuration, site.options)
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        func count(_ words: String) -> Int { origin.log.components(separatedBy: words).count - 1 }
        try site.write("waymark.yaml", Array((text + "typo: 1\n").utf8))
        #expect(waits { count("[reload-refused]") == 1 }, "\(origin.log)")
        for _ in 0..<2 {
            try site.certify(CertificateSite.first)
            let serial = site.serial(CertificateSite.first)
            #expect(
                waits { origin.presents(CertificateSite.first) == .certificate(serial) },
                "\(origin.log)")
        }
        #expect(waits { count("other certificates are served for first.example") == 2 })
        #expect(count("no key \"typo\"") == 1 && count("[reload-refused]") == 1, "\(origin.log)")
        // Who saves the file again wants to hear it again.
        try site.write("waymark.yaml", Array((text + "# Again.\ntypo: 1\n").utf8))
        #expect(waits { count("[reload-refused]") == 2 }, "\(origin.log)")
        #expect(count("no key \"typo\"") == 2)
    }

    @Test func `what is said of the running one names no place of the other`() throws {
        let site = try CertificateSite()
        let origin = try RunningOrigin(site.configuration, site.options)
        let text = try String(contentsOf: site.configuration, encoding: .utf8)
        let place = "\(site.configuration.path):"
        func lines(_ words: String) -> [Substring] {
            origin.log.split(separator: "\n").filter { $0.contains(words) }
        }
        try site.write("second.example.pem", Array("no certificate".utf8))
        let other = site.path("second.example.pem")
        #expect(waits { lines(other).contains { $0.hasPrefix(place) } }, "\(origin.log)")
        try site.write("waymark.yaml", Array(("# A line.\ntypo: 1\n" + text).utf8))
        #expect(waits { origin.log.contains("[reload-refused]") }, "\(origin.log)")
        let known = origin.log.split(separator: "\n").count
        try site.write("first.example.pem", Array("no certificate".utf8))
        let fault = "\(site.path("first.example.pem"))\": no certificate"
        #expect(waits { !lines(fault).isEmpty }, "\(origin.log)")
        #expect(lines(fault).allSatisfy { $0.hasPrefix("waymark: error: ") }, "\(origin.log)")
        let later = origin.log.split(separator: "\n").dropFirst(known)
        let placed = later.filter { $0.hasPrefix(place) && !$0.contains("typo") }
        #expect(placed == [])
    }
}
