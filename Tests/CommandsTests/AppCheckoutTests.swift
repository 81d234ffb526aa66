import Foundation
import TestSupport
import Testing

@Suite("waymark app with a checkout")
struct AppCheckoutTests {
    /// A directory with a configuration of one app.
    private func directory() throws -> URL {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(
            """
            version: 1
            apps: {other: {ios: {id: ABCDE12345.com.example.other}}}
            links: {item: {match: /item/*}}
            environments:
              prod:
                hosts: [www.example.com]
                tls: {certificate: c.pem, key: k.pem}
                publish: {other: [item]}
            """.utf8
        ).write(to: place.appending(path: "waymark.yaml"))
        return place
    }

    private func run(_ arguments: [String], in place: URL) throws -> Program.Outcome {
        try Program.run(["app"] + arguments, in: place)
    }

    @Test
    func `a checkout that declares nothing says so, and what flavours have together is said once`()
        throws
    {
        let place = try directory()
        let source = place.appending(path: "source")
        let main = source.appending(path: "app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        try Data("<plist><dict><key>a</key><true/></dict></plist>".utf8).write(
            to: source.appending(path: "a.entitlements"))
        let alone = try run(["source"], in: place)
        #expect(alone.output.hasPrefix("the only file of an app declares no links\n"), "\(alone)")
        let beside = try run(["source", "--env", "prod"], in: place)
        #expect(beside.output == "" && beside.status == 0)
        #expect(beside.messages.contains("no file declares links"))
        try Data(
            """
            android { defaultConfig { applicationId "com.example.shop" }
            productFlavors { free { } full { applicationIdSuffix ".full" } } }
            """.utf8
        ).write(to: source.appending(path: "app/build.gradle"))
        try Data(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https"/><data android:host="${host}"/>
            <data android:host="shop.example.com" android:pathPattern="/a/.*"/>
            <data android:host="shop.example.com" android:pathPattern="/a/.*"/>
            </intent-filter></activity></application></manifest>
            """.utf8
        ).write(to: main.appending(path: "AndroidManifest.xml"))
        let declared = try run(["source"], in: place)
        for part in [
            "\"${host}\" is filled in by Gradle", "    the key of com.example.shop: ",
            "flavor full: com.example.shop.full (Android) declares\n    ${host}: pathPattern /a/.*\n"
                + "    shop.example.com: pathPattern /a/.*\n\n",
        ] {
            #expect(
                declared.output.components(separatedBy: part).count == 2,
                "\(part): \(declared.output)")
        }
    }
}
