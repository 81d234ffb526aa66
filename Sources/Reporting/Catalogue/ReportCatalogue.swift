/// Everything that a report card asks, in its order.
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

        What `waymark report` asks of a page, item by item. `Tests/ReportingTests` writes this page
        from the table in `Sources/Reporting/Catalogue`.

        ```
        waymark report https://example.com/places/1 --config waymark.yaml --env prod
        waymark report page.html --url https://example.com/places/1 --public Public \\
            --aasa apple-app-site-association --assetlinks assetlinks.json --robots robots.txt
        ```

        Nothing is fetched. A URL is answered by the configuration's origin, by the code that
        `serve` runs, for the client that `--as` names; a redirect within the environment is
        followed. A file is read as it is, and what it cannot tell is not applicable until an
        option says it. With `--config` and `--env` a file is held against the configuration's
        apps and files too.

        Each item *passes*, is *required* (something does not work, or keeps people out),
        *recommended* (it works, and would work better) or *not applicable*, and says by what that
        was seen. The status is 1 when an item is required; `--fail-on recommended` is stricter,
        `--ignore ITEM` leaves one out. `--format json` prints the same for programs, with the
        tags that were found.

        The previews are drawings: which texts and picture a program takes, and about where it
        cuts them. Fonts, widths and cuts differ by device, and programs change theirs without
        notice. No script is run: programs that run them may find more, or less.


        """

    /// The item of this name; nil when there is none.
    package static func item(named id: String) -> ReportItem? {
        items.first { $0.id.utf8.elementsEqual(id.utf8) }
    }
}

extension ReportItem {
    fileprivate var row: String {
        "| `\(id)` | \(asks) | \(Self.cell(fix)) | \(source) |\n"
    }

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
