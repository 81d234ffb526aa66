import ArgumentParser
import Associations
import Diagnostics
import URISyntax

/// The files for the includes of an assetlinks.json, because nothing is fetched.
struct IncludeOptions: ParsableArguments {
    @Option(
        name: .customLong("include"),
        help: ArgumentHelp(
            "Read an included assetlinks.json from this file. Can be repeated.",
            valueName: "url=file"))
    var includes: [String] = []

    mutating func validate() throws {
        var urls = Set<String>()
        for text in includes {
            guard let pair = Self.pair(text) else {
                throw ValidationError("--include \(quoted(text)): write URL=FILE")
            }
            do throws(WebURLError) { _ = try WebURL(pair.url) } catch {
                throw ValidationError("--include \(quoted(text)): \(error)")
            }
            guard urls.insert(pair.url).inserted else {
                throw ValidationError("--include names \(pair.url) twice")
            }
        }
    }

    /// The last equals sign separates the two, because a URL can contain others.
    private static func pair(_ text: String) -> (url: String, path: String)? {
        guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        let path = String(text[text.utf8.index(after: sign)...])
        return path.isEmpty ? nil : (String(text[..<sign]), path)
    }

    /// The files by their URLs.
    /// - Throws: the exit status, after printing the reason.
    func load() throws(ExitCode) -> [String: PublishedAssetLinks.File] {
        var files = [String: PublishedAssetLinks.File]()
        for pair in includes.compactMap(Self.pair) {
            files[pair.url] = .init(try readNamed(pair.path), name: pair.path)
        }
        return files
    }

    /// Warns about files that no file includes, usually because of a different spelling of the URL.
    func warnOfUnused(_ read: Set<String>) {
        for pair in includes.compactMap(Self.pair) where !read.contains(pair.url) {
            printMessage(
                "waymark: warning: no file includes \(quoted(pair.url)); write the URL as in the "
                    + "file that includes it")
        }
    }
}
