import Answering
import ArgumentParser
import Associations
import Diagnostics
import Files
import Origin
import Reporting
import Resolution
import SiteConfiguration
import URISyntax

/// The source of a page, and the other information about it.
struct ReportSource: ParsableArguments {
    @Option(help: "The URL at which the file is or will be served.")
    var url: String?

    @Option(help: "The host's apple-app-site-association file.")
    var aasa: String?

    @Option(help: "The host's assetlinks.json.")
    var assetlinks: String?

    @Option(help: "The host's robots.txt.")
    var robots: String?

    @Option(name: .customLong("public"), help: "The directory with the host's public files.")
    var publicDirectory: String?

    @Option(
        help: """
            A configuration that serves the host, \(usualConfiguration) by default; - is standard \
            input. Needs --env.
            """)
    var config: String?

    @Option(help: "The environment of the configuration.")
    var env: String?

    @Option(
        name: .customLong("as"),
        help:
            "The client that requests the URL, given by its name as in `explain`."
    )
    var profile = "applebot"

    @OptionGroup var stored: StoredLookupOptions

    func validate(for text: String) throws {
        if stored.admin != nil, env == nil { throw ValidationError("--admin needs --env") }
        let isURL = isWebAddress(text)
        guard config == nil || env != nil else { throw ValidationError("--config needs --env") }
        if isURL, env == nil {
            throw ValidationError(
                "a URL is not fetched: give --env of the origin that serves it, or, for a page of "
                    + "another site, its file and --url")
        }
        if publicDirectory != nil, url == nil {
            throw ValidationError("--public needs --url, because images are found by their URLs")
        }
        if isURL, url != nil { throw ValidationError("--url is for a file") }
        for address in [isURL ? text : nil, url].compactMap(\.self) {
            try checkLink(address)
        }
        let files = [aasa, assetlinks, robots, publicDirectory].compactMap(\.self)
        guard env == nil || files.isEmpty else {
            throw ValidationError(
                "with a configuration, it supplies the association files, robots.txt and images")
        }
        try checkClient(profile)
    }

    /// The input of the report.
    /// - Throws: the exit status, after printing the errors.
    func input(for text: String) throws -> ReportInput {
        guard let env else { return try fileInput(text) }
        let path = config ?? usualConfiguration
        let environment = try ConfigurationOptions.given(config: path, env: env)
            .load().withoutCertificates
        let visit = try SiteVisit(
            environment, client: profile, userAgent: VisitorProfile.userAgent(of: profile) ?? "",
            stored.lookup(path, env))
        return isWebAddress(text)
            ? try visit.input(for: LinkURL(text))
            : try visit.input(for: page(text), at: url.map { try LinkURL($0) })
    }

    private func page(_ path: String) throws -> PageReading {
        PageReading(try readNamed(path, bytesMax: PageReading.bytesMax), file: path)
    }

    // MARK: A file without a configuration

    private func fileInput(_ path: String) throws -> ReportInput {
        let page = try page(path)
        var input = ReportInput(page: page, url: try url.map { try LinkURL($0) })
        input.aasa = try aasa.map { try file($0) }
        input.assetlinks = try assetlinks.map { try file($0) }
        input.robots = try robots.map { try file($0) }
        if let publicDirectory {
            input.resources = try resources(of: input, under: publicDirectory)
        }
        return input
    }

    private func file(_ path: String) throws -> FetchedFile {
        FetchedFile(name: path, bytes: try readNamed(path))
    }

    /// The images of the page that are files of the directory. For one that exists but cannot be
    /// read, nothing is known.
    private func resources(
        of input: ReportInput, under directory: String
    ) throws -> [String: FetchedFile?] {
        let root: RootDirectory
        do throws(FileError) {
            root = try RootDirectory(directory)
        } catch {
            throw report(.unreadable(path: directory, error))
        }
        let tree = root.walk(directory) { _ in }
        if let fault = tree.faults.first { throw report(fault) }
        let paths = Set(tree.files.map { Array("/\($0.relativePath)".utf8) })
        var found = [String: FetchedFile?]()
        for resource in input.page.resources(at: input.url) {
            let key = resourceKey(resource)
            guard paths.contains(Array(resource.path.utf8)) else {
                found.updateValue(nil, forKey: key)
                continue
            }
            guard let content = try? root.read(resource.path, bytesMax: pictureBytesMax) else {
                continue
            }
            found[key] = FetchedFile(name: resource.path, bytes: content.bytes)
        }
        return found
    }

    private func report(_ error: FileTreeError) -> ExitCode {
        printMessage(error.diagnostic(at: nil))
        return error.kind.exitCode
    }
}

/// Whether the argument is a URL and not a file.
private func isWebAddress(_ text: String) -> Bool {
    let start = text.utf8.prefix(8).map(\.foldedToLowerCase)
    return start.starts(with: "https://".utf8) || start.starts(with: "http://".utf8)
}

/// Larger images are not read.
private let pictureBytesMax = 16 * 1_048_576
