import ArgumentParser
import Diagnostics
import Files
import Services
import SiteConfiguration
import Sockets

/// The place of the token with which an origin is asked.
struct TokenSource {
    /// The file that has it; nil for the environment variable, or else the configuration's store.
    let file: String?
    /// The configuration, and its environment; nil for the usual one, and for the only one.
    let path: String?
    let environmentName: String?

    /// The token of the file or of the environment variable; nil if there is neither.
    /// - Throws: the exit status, after printing why it cannot be used.
    func given() throws(ExitCode) -> String? {
        if let file { return try token(in: readNamed(file), shownName(file)) }
        guard let token = environmentValue("WAYMARK_TOKEN"), !token.isEmpty else { return nil }
        return try self.token(in: Array(token.utf8), "WAYMARK_TOKEN")
    }

    /// - Throws: the exit status, after printing what is missing.
    func token() throws(ExitCode) -> String {
        if let token = try given() { return token }
        let (path, cure) = try secret()
        do {
            return try token(in: readInput(path, bytesMax: Self.tokenBytesMax), path)
        } catch let error as FileError {
            printMessages([
                "waymark: error: the token \(quotedPath(path)) cannot be read: \(error)",
                error == .missing
                    ? "    \(cure), or set WAYMARK_TOKEN"
                    : "    run the command as the origin's user, or set WAYMARK_TOKEN to a token "
                        + "of your own",
            ])
        } catch {
            throw error as? ExitCode ?? .ourFault
        }
        throw .noPermission
    }

    private func token(in bytes: [UInt8], _ name: String) throws(ExitCode) -> String {
        let end = bytes.lastIndex { !" \t\r\n".utf8.contains($0) }.map { $0 + 1 } ?? 0
        // It becomes the value of a field; RFC 6750 §2.1.
        guard (1...Self.tokenBytesMax).contains(end),
            bytes[..<end].allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            printMessages([
                "waymark: error: \(name) has no token\(Self.fault(in: bytes[..<end]))",
                "    a token is one line of visible characters, such as "
                    + "`waymark tokens create` prints",
            ])
            throw .noPermission
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The reason for which a text is no token, in words.
    private static func fault(in text: ArraySlice<UInt8>) -> String {
        if text.isEmpty { return ": it is empty" }
        if text.count > tokenBytesMax {
            return ": it has \(text.count) bytes, a token may have \(tokenBytesMax)"
        }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            return ": it begins with a byte order mark, which some editors add"
        }
        if text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) {
            return ": it is in UTF-16; save it in UTF-8"
        }
        if text.starts(with: "Bearer ".utf8) {
            return ": it begins with \"Bearer \", which is no part of the token"
        }
        if text.contains(0x0A) || text.contains(0x0D) { return ": it has several lines" }
        if text.first == 0x20 || text.first == 0x09 { return ": it begins with a blank" }
        return text.contains(0x20) || text.contains(0x09)
            ? ": it has a blank" : ": it has a character that no token has"
    }

    /// The file in which the process that serves the store has its secret, and what to do where there is none.
    private func secret() throws(ExitCode) -> (path: String, cure: String) {
        let (store, environment) = try store()
        return switch store {
        case .file(let file): ("\(file.path).token", "start the origin, which writes it")
        case .database:
            (
                ServedStore.secretPath(
                    own: StateOptions.usualPath(
                        of: environment, beside: path ?? usualConfiguration)),
                "start the origin, which writes it into the directory of its --state, as a service "
                    + "/var/lib/waymark/\(environment); give that file with --token-file"
            )
        }
    }

    /// The store that the configuration names, and its environment.
    func store() throws(ExitCode) -> (store: StoreReference, environment: String) {
        let (configuration, diagnostics) = loadConfiguration(path ?? usualConfiguration)
        guard let configuration else {
            let fault = Configuration.fault(in: diagnostics)
            if path == nil, environmentName == nil, fault == .missing {
                printMessages([
                    "waymark: error: there is no token",
                    "    set WAYMARK_TOKEN, or give --token-file, or on the origin's machine "
                        + "--config with its configuration",
                ])
                throw .noPermission
            }
            diagnostics.filter { $0.severity == .error }.printAsMessages()
            throw fault?.exitCode ?? .configurationInvalid
        }
        if let environmentName {
            let environment = try configuration.requireEnvironment(named: environmentName)
            if let store = environment.store { return (store, environmentName) }
            printMessages([
                "waymark: error: the environment \(quoted(environmentName)) has no store",
                "    add `store` to it, or name the environment that has one with --env",
            ])
            throw .configurationInvalid
        }
        let environments = configuration.environments.filter { $0.store != nil }
        let stores = Set(environments.compactMap { $0.store?.path })
        if let first = environments.first, let store = first.store, stores.count == 1 {
            return (store, first.name)
        }
        printMessages(
            stores.isEmpty
                ? [
                    "waymark: error: no environment of \(quoted(configuration.file)) has a store",
                    "    add `store` to one, or set WAYMARK_TOKEN if another origin is asked",
                ]
                : [
                    "waymark: error: the environments have different stores",
                    "    give --env; "
                        + listed(environments.map(\.name), as: "environment") + " with a store",
                ])
        throw .configurationInvalid
    }

    private static let tokenBytesMax = 4_096
}
