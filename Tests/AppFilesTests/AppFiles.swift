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
