import Foundation
import TestSupport

@testable import AppFiles

/// The files that `Tests/Tools/make-app-files` has made with other programs.
enum Made {
    static let directory = repository("Tests/Fixtures/app/files")

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return Array(data)
    }

    static func apple(_ name: String) throws -> [AppleDeclaration] {
        try AppFile.read(ByteSource(bytes(name))).compactMap {
            if case .apple(let declaration) = $0 { declaration } else { nil }
        }
    }

    static func android(_ name: String) throws -> AndroidDeclaration? {
        if case .android(let declaration)? = try AppFile.read(ByteSource(bytes(name))).first {
            declaration
        } else {
            nil
        }
    }
}

extension Checkout {
    /// A checkout of these texts, by the names of their files.
    init(_ files: [String: String]) {
        self.init(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                ByteSource(Array((files[name] ?? "").utf8))
            })
    }
}

/// The apps that the main manifest of a module declares, beside these files.
func androidApps(
    _ files: [String: String], application: String = "<application/>"
) throws -> [AndroidDeclaration] {
    let name = "app/src/main/AndroidManifest.xml"
    var files = files
    files[name] =
        "<manifest xmlns:android='http://schemas.android.com/apk/res/android'>\(application)</manifest>"
    var checkout = Checkout(files)
    return try checkout.read(name).compactMap { declaration in
        if case .android(let app) = declaration { app } else { nil }
    }
}

/// The systems whose verdict a project of Cordova leaves open.
/// - Parameters:
///   - widget: what its configuration has beside a filter.
///   - file: the name of that.
func openSystems(
    ofCordova widget: String, _ files: [String: String], in file: String
) throws -> [String] {
    let own = [
        file: """
        <widget id="a.b" xmlns:android="http://schemas.android.com/apk/res/android">\(widget)
        <config-file target="AndroidManifest.xml" parent="/manifest/application/activity">
        <intent-filter><data android:scheme="https" android:host="a.b"/></intent-filter></config-file></widget>
        """
    ]
    var checkout = Checkout(files.merging(own) { $1 })
    return try checkout.read(file).compactMap { declaration -> String? in
        switch declaration {
        case .apple(let app): app.unread.isEmpty ? nil : "ios"
        case .android(let app): app.unread.isEmpty ? nil : "android"
        case .key, .program: "another"
        }
    }
}

extension AppleDeclaration {
    /// The entries of its list; nil if it has none.
    var listed: [String]? {
        if case .list(let domains) = domains { domains.map(\.text) } else { nil }
    }
}

/// The fault with which bytes are refused; nil if they are read.
func refusal(_ bytes: [UInt8]) -> FormatFault? {
    do throws(FormatFault) {
        _ = try AppFile.read(ByteSource(bytes))
        return nil
    } catch {
        return error
    }
}

func refusal(_ text: String) -> FormatFault? { refusal(Array(text.utf8)) }
