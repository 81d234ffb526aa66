import Diagnostics

/// A file or directory that a configuration names, or its own, which must not be served.
package struct ConfidentialFile: Hashable, Sendable {
    package let kind: Kind
    package let reference: FileReference

    /// The other files that are as confidential as the one that is named.
    package enum Companions: Sendable {
        case none
        /// The files in its directory whose names are its own and `.` or `-` with more: SQLite's log
        /// of a store, its token, its visits and its backups, and the logs before this one.
        case beside
        /// The files in the directory that is named; not those in directories of it.
        case within
        /// All files below the directory that is named.
        case below
    }

    /// Its name in messages.
    package enum Kind: String, Sendable {
        case configuration = "the configuration"
        case key = "the private key"
        case ticketKey = "the ticket key file"
        case accessLog = "the access log"
        case theme = "the theme"
        case store = "the store of links"
        case certificates = "the directory of automatic certificates"
        case program = "the program for records in DNS"
        case password = "the password of the store's database"
        case secret = "the secret of the store's database"
        case clientSecret = "the client secret of the console"

        package var companions: Companions {
            switch self {
            case .configuration, .key, .ticketKey, .program, .password, .secret, .clientSecret:
                .none
            case .accessLog, .store: .beside
            case .theme: .within
            case .certificates: .below
            }
        }
    }
}

extension Environment {
    /// The confidential files of this environment. No environment may serve another one's either.
    fileprivate var ownConfidentialFiles: [ConfidentialFile] {
        var files = sites.flatMap(\.ownConfidentialFiles)
        if case .files(let keys) = tls.tickets {
            files += keys.map { ConfidentialFile(kind: .ticketKey, reference: $0) }
        }
        if let log = accessLog.file {
            files.append(ConfidentialFile(kind: .accessLog, reference: log))
        }
        switch store {
        case .file(let file): files.append(ConfidentialFile(kind: .store, reference: file))
        case .database(let database):
            files += [database.password].compactMap(\.self).map {
                ConfidentialFile(kind: .password, reference: $0)
            }
            files += database.secrets.map { ConfidentialFile(kind: .secret, reference: $0) }
        case nil: break
        }
        if let openID {
            files.append(ConfidentialFile(kind: .clientSecret, reference: openID.secret))
        }
        return files
    }
}

extension Site {
    fileprivate var ownConfidentialFiles: [ConfidentialFile] {
        let keys =
            (certificates + [associations.signing].compactMap(\.self)).map(\.key)
            + (automatic?.keys ?? [])
        return keys.map { ConfidentialFile(kind: .key, reference: $0) }
            + [presentation.theme].compactMap(\.self).map {
                ConfidentialFile(kind: .theme, reference: $0)
            }
            + [automatic?.program].compactMap(\.self).map {
                ConfidentialFile(kind: .program, reference: $0)
            }
    }
}

extension [Environment] {
    /// Each environment with the files of all of them, and the configuration itself.
    func withConfidentialFiles(of configuration: [String]) -> [Environment] {
        var all = configuration.map { file in
            ConfidentialFile(
                kind: .configuration,
                reference: FileReference(
                    path: file, position: SourcePosition(file: file, line: 1, column: 1)))
        }
        var seen = Set<ConfidentialFile>()
        all += flatMap(\.ownConfidentialFiles).filter { seen.insert($0).inserted }
        return map { environment in
            var environment = environment
            environment.confidentialFiles = all
            return environment
        }
    }
}
