import AppFiles
import Compression

private let manifest = "AndroidManifest.xml"

/// A Gradle script beside a manifest with placeholders. A value that is known is a text of the script.
@Sendable func readGradle(_ bytes: [UInt8]) {
    let files = [
        "app/src/main/\(manifest)": Array(
            """
            <manifest xmlns:a="http://schemas.android.com/apk/res/android"><application><activity>
            <intent-filter a:autoVerify="true"><data a:scheme="https" a:host="${host}"/>
            <data a:host="@string/host"/></intent-filter></activity></application></manifest>
            """.utf8),
        "app/build.gradle": bytes,
    ]
    let declarations = measure { () -> [AppDeclaration] in
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                ByteSource(files[name] ?? [])
            })
        return checkout.apps.flatMap { name in (try? checkout.read(name)) ?? [] }
    }
    for case .android(let app) in declarations {
        for host in app.filters.flatMap(\.hosts) where !host.isUnresolved {
            require(
                host.text.utf8.count <= 2 * bytes.count + 64, "a host is longer than the script")
        }
    }
}

/// The parts of an Android App Bundle: the bytes are its manifest, its resources, and its signature.
@Sendable func readBundle(_ bytes: [UInt8]) {
    let known = "base/manifest/\(manifest)"
    for members in [
        [(known, bytes)], [(known, referring), ("base/resources.pb", bytes)],
        [(known, referring), ("META-INF/A.RSA", bytes)],
    ] {
        let archive = stored(members)
        let found = measure { try? AppFile.read(ByteSource(archive)) }
        for case .android(let app)? in found ?? [] {
            require(app.isForUpload, "a bundle is not for an upload")
        }
    }
}

/// Key stores and certificates.
@Sendable func readKeyStore(_ bytes: [UInt8]) {
    let found = measure { try? AppFile.read(ByteSource(bytes)) }
    for case .key(let key)? in found ?? [] {
        require(key.fingerprint?.utf8.count ?? 95 == 95, "a fingerprint has another length")
    }
}

/// A manifest in Protocol Buffers with a host of the resource 0x7F010000.
private let referring: [UInt8] = {
    func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(content.count & 0x7F) | 0x80, UInt8(content.count >> 7)] + content
    }
    func element(_ name: String, _ rest: [UInt8] = []) -> [UInt8] {
        field(1, field(3, Array(name.utf8)) + rest)
    }
    let space = field(1, Array("http://schemas.android.com/apk/res/android".utf8))
    let number: [UInt8] = [0x10, 0x80, 0x80, 0x84, 0xF8, 0x07]
    let host = field(4, space + field(2, Array("host".utf8)) + field(6, field(1, number)))
    let data = element("intent-filter", field(5, element("data", host)))
    return element(
        "manifest", field(5, element("application", field(5, element("activity", field(5, data))))))
}()

/// An archive of members that are not compressed.
private func stored(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    func little(_ size: Int, _ number: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var (body, directory) = ([UInt8](), [UInt8]())
    for (name, bytes) in members {
        let name = Array(name.utf8)
        let sizes =
            little(4, Int(crc32(of: bytes))) + little(4, bytes.count) + little(4, bytes.count)
        let common = little(2, 20) + little(8, 0) + sizes + little(2, name.count) + little(2, 0)
        directory +=
            little(4, 0x0201_4B50) + little(2, 20) + common + little(10, 0)
            + little(4, body.count) + name
        body += little(4, 0x0403_4B50) + common + name + bytes
    }
    let end =
        little(4, 0x0605_4B50) + little(4, 0) + little(2, members.count) + little(2, members.count)
        + little(4, directory.count) + little(4, body.count) + little(2, 0)
    return body + directory + end
}
