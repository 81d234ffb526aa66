extension Environment {
    /// The files, beside the configuration itself, that this environment is served from.
    package var inputFiles: [FileReference] {
        let pairs = certificates + [associations.signing].compactMap(\.self)
        var files = pairs.flatMap { [$0.certificate, $0.key] }
        if case .files(let keys) = tls.tickets { files += keys }
        files += [associations.readyAASA, associations.readyAssetLinks].compactMap(\.self)
        return files
    }

    /// The directories from which all files are served.
    package var inputDirectories: [FileReference] {
        [publicDirectory] + [presentation.theme].compactMap(\.self)
    }
}
