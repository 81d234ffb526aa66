/// All items of a report card, in order.
package enum ReportCatalogue {
    package static let items =
        ReportItem.reachingItems + ReportItem.robotsItems + ReportItem.universalLinkItems
        + ReportItem.appLinkItems + ReportItem.linkToApplicationItems + ReportItem.appClipItems
        + ReportItem.titleItems + ReportItem.descriptionItems + ReportItem.imageItems
        + ReportItem.iconItems + ReportItem.structuredDataItems + ReportItem.canonicalItems
        + ReportItem.previewItems + ReportItem.securityItems + ReportItem.accessibilityItems

    /// The content of `docs/report.md`.
    package static var document: String {
        let sections = ReportGroup.allCases.map { group in
            "## \(group.title)\n\n| item | what passes | otherwise | source |\n|---|---|---|---|\n"
                + items.filter { $0.group == group }.map(\.row).joined()
        }
        return preamble + sections.joined(separator: "\n")
    }

    private static let preamble = """
        # The report card

        *Reference, generated: `Tests/ReportingTests` writes it from the table in `Sources/Reporting/Catalogue`.*

        What `waymark report` checks on a page, item by item.

        ```
        waymark report https://example.com/places/1 --config waymark.yaml --env prod
        waymark report page.html --url https://example.com/places/1 --public Public \\
            --aasa apple-app-site-association --assetlinks assetlinks.json --robots robots.txt
        ```

        Nothing is fetched. The code of `serve` answers a URL as the configuration's origin would,
        for the client in `--as`, and redirects within the environment are followed. A file is read
        unchanged; items that need other information are not applicable until you give it by an
        option. With `--config` and `--env`, a file is also compared with the configuration's apps
        and files.

        The result of an item is *passes*, *required* (something does not work, or excludes people),
        *recommended* (it works, and can be improved) or *not applicable*, each with its evidence.
        The exit status is 1 if an item is required. `--fail-on recommended` is stricter, and
        `--ignore ITEM` leaves an item out. `--format json` prints the same for programs, with the
        tags of the page.

        The previews show which texts and which image a program uses, and about where it cuts them.
        Fonts, widths and cuts differ by device, and change without notice. No script is run, so a
        program that runs scripts can find more, or less.


        """

    /// The item with this name, or nil.
    package static func item(named id: String) -> ReportItem? {
        items.first { $0.id.utf8.elementsEqual(id.utf8) }
    }
}

extension ReportItem {
    fileprivate var row: String { "| `\(id)` | \(asks) | \(Self.cell(fix)) | \(source) |\n" }

    /// Markup of HTML as code, and no bar that would end a table's cell.
    private static func cell(_ text: String) -> String {
        var (result, isCode) = ("", false)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<":
                result += isCode ? "<" : "`<"
                isCode = true
            case ">":
                result += isCode ? ">`" : ">"
                isCode = false
            case "|": result += "\\|"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
