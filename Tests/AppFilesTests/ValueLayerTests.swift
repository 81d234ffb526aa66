import TestSupport
import Testing

@testable import AppFiles

@Suite("Values of source sets above each other")
struct ValueLayerTests {
    private static let application = """
        <application><activity android:name=".A"><intent-filter>
        <data android:scheme="https" android:host="@string/h"/></intent-filter></activity></application>
        """

    /// The host of the flavour `a`; nil if it is not known.
    private func host(_ files: [String: String], script: String = "") throws -> String? {
        let values = files.map { set, host in
            (
                "app/src/\(set)/res/values/a.xml",
                "<resources><string name='h'>\(host)</string></resources>"
            )
        }
        let build = [
            "app/build.gradle": """
            android { defaultConfig { applicationId 'a.b' }
            productFlavors { a { } }
            buildTypes { production { } }
            \(script)
            }
            """
        ]
        let found = try androidApps(
            build.merging(values) { $1 }, application: Self.application)
        let host = try #require(found.first?.filters.first?.hosts.first)
        return host.isUnresolved ? nil : host.text
    }

    @Test(
        "a build type is above a flavor, and the release of a flavor above both",
        arguments: [
            (["main": "m", "a": "f"], "f"), (["main": "m", "release": "r"], "r"),
            (["a": "f", "release": "r"], "r"), (["main": "m", "a": "f", "release": "r"], "r"),
            (["a": "f", "release": "r", "aRelease": "x"], "x"),
            (["main": "m", "aRelease": "x"], "x"),
            // Another build type can be one of releases, too.
            (["release": "r", "production": "p"], nil), (["main": "m", "production": "p"], nil),
            (["release": "r", "production": "r"], "r"), (["a": "f", "production": "p"], nil),
        ])
    func sets(_ row: (files: [String: String], host: String?)) throws {
        #expect(try host(row.files) == row.host)
    }

    private static let ofFlavor = "productFlavors.a.resValue 'string', 'h', 'f'\n"
    private static let ofRelease = "buildTypes.release.resValue('string', 'h', 'r')\n"
    private static let ofAll = "defaultConfig.resValue 'string', 'h', 'm'\n"

    @Test(
        "the values that a script makes are above each other in the same way",
        arguments: [
            (ofFlavor, "f"), (ofRelease, "r"), (ofFlavor + ofRelease, "r"), (ofAll + ofFlavor, "f"),
            (ofAll + ofFlavor + ofRelease, "r"),
        ])
    func script(_ row: (script: String, host: String)) throws {
        #expect(try host([:], script: row.script) == row.host)
        #expect(try host(["a": row.host], script: row.script) == row.host)
        #expect(try host(["main": "other"], script: row.script) == row.host)
        // It is not known which counts of a script and a file of a flavor.
        #expect(try host(["a": "other"], script: row.script) == nil)
    }

    @Test func `a file of a flavor takes the place of what the script makes for all`() throws {
        #expect(try host(["a": "f"], script: Self.ofAll) == "f")
    }

    @Test(
        "quotes around a text are none of it",
        arguments: [
            ("\"a b\"", "a b"), (" \" a\" ", " a"), ("a\"b\"", nil), ("\"a", nil), ("\"\"", ""),
            ("\"a\\n\"", nil),
        ])
    func quotes(_ row: (text: String, value: String?)) throws {
        #expect(try host(["main": row.text]) == row.value)
        let script = "defaultConfig { resValue 'string', 'h', '\(row.text)' }"
        #expect(try host([:], script: script) == row.value)
    }
}
