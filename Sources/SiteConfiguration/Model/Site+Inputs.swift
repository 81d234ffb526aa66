extension Environment {
    /// The files, beside the configuration itself, that this environment is served from.
    package var inputFiles: [FileReference] {
        var files = sites.flatMap(\.inputFiles)
        if case .files(let keys) = tls.tickets { files += keys }
        files += [watch?.authorities, openID?.authorities].compactMap(\.self)
        if case .file(let file) = countries { files.append(file) }
        return files
    }
}

extension Site {
    /// The files that this site is served from, and the manifests that are read with its configuration.
    package var inputFiles: [FileReference] {
        let pairs = certificates + [associations.signing].compactMap(\.self)
        return pairs.flatMap { [$0.certificate, $0.key] }
            + [associations.readyAASA, associations.readyAssetLinks].compactMap(\.self)
            + (automatic?.files ?? [])
            + publications.compactMap { $0.app.android?.manifest?.file }
    }
}
