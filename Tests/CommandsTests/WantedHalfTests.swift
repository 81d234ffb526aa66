import Foundation
import TestSupport
import Testing

@Suite("The files that an app's hosts have to serve")
struct WantedHalfTests {
    private let files = repository("Tests/Fixtures/app/files")

    @Test func `files that hosts have to serve have no debug keys and no hosts of others`() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let debug = try Program.run(["app", "\(files)/debug-key.apk"], in: place)
        #expect(debug.output.contains("the key of the release of com.example.shop"))
        #expect(!debug.output.contains("sha256_cert_fingerprints"))
        func manifest(_ path: String) -> String {
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main" android:exported="true">
            <intent-filter><action android:name="android.intent.action.VIEW"/>
            <data android:scheme="https" android:host="video.example.net" android:path="/watch"/>
            </intent-filter><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https" android:host="shop.example.com"/>\(path)
            </intent-filter></activity></application></manifest>
            """
        }
        let group = """
            <uri-relative-filter-group><data android:path="/group"/></uri-relative-filter-group>
            """
        func printed(_ path: String) throws -> String {
            try Data(manifest(path).utf8).write(to: place.appending(path: "AndroidManifest.xml"))
            return try Program.run(["app", "\(files)/clip.ipa", "AndroidManifest.xml"], in: place)
                .output
        }
        let own = try printed("<data android:path=\"/own\"/>")
        #expect(own.contains(": \"/own\"") && !own.contains(": \"/watch\""), "\(own)")
        #expect(own.contains("whether the site has \"video.example.net\""), "\(own)")
        #expect(!own.contains("https://video.example.net"), "\(own)")
        let grouped = try printed(group)
        #expect(grouped.contains("the paths of a filter with a uri-relative-filter-group"))
        #expect(grouped.contains("\"appclips\"") && !grouped.contains("\"/*\""), "\(grouped)")
    }

    @Test func `a debug key that is given is not in the files`() throws {
        func printed(_ key: String) throws -> String {
            try Program.run(
                ["app", "\(files)/resources.apk", "\(files)/\(key)"],
                in: FileManager.default.temporaryDirectory
            ).output
        }
        #expect(try printed("shop.pem").contains("sha256_cert_fingerprints"))
        let debug = try printed("debug.pem")
        #expect(!debug.contains("sha256_cert_fingerprints"), "\(debug)")
        #expect(debug.contains("the key of the release: a debug key is given"), "\(debug)")
    }

    @Test func `many hosts with many paths in each flavor are one list of paths`() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        let main = place.appending(path: "app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        let script = """
            android { defaultConfig { applicationId 'com.example.shop' }
            flavorDimensions 'd'
            productFlavors {
            \((0..<8).map { "f\($0) { dimension 'd' }" }.joined(separator: "\n"))
            } }
            """
        try Data(script.utf8).write(to: place.appending(path: "app/build.gradle"))
        let data = (0..<990).map { number in
            "<data android:host=\"h\(number).example.com\" android:path=\"/p\(number)\"/>"
        }.joined()
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main" android:exported="true">
            <intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https"/>\(data)
            </intent-filter></activity></application></manifest>
            """
        try Data(manifest.utf8).write(to: main.appending(path: "AndroidManifest.xml"))
        let outcome = try Program.run(["app", "."], in: place)
        #expect(outcome.output.contains("the key of com.example.shop"), "\(outcome)")
    }
}
