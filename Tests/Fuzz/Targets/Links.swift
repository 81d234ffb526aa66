import LinkAPI

/// JSON that the API of stored links is sent: the first byte chooses the operation, the rest is
/// content. Every answer is JSON with a status of the description; a link that is accepted leads
/// only where its collection allows.
@Sendable func readBodies(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    let asker = Asker.shared
    let operations = [
        ("POST", ["links:check"]), ("PUT", ["links", "short", "slug"]),
        ("PATCH", ["links", asker.link]), ("PUT", ["links", "by-external-id", "other"]),
        ("POST", ["links:explain"]), ("POST", ["links", asker.link, "explain"]),
        ("POST", ["links", asker.link, "aliases"]), ("POST", ["tokens"]),
        ("POST", ["shortLinks"]), ("POST", ["managedShortLinks:create"]),
        ("POST", ["reopenAttribution"]), ("POST", ["installAttribution"]),
    ]
    let number = Int(choice) % (operations.count + 1)
    guard number < operations.count else { return asker.reportOpens(content) }
    asker.check(content, operations[number].0, operations[number].1)
}

/// The query of a long link, which the visitor of each browser and system opens: it leads only where
/// its collection allows.
@Sendable func readLongLinks(_ query: [UInt8]) { Asker.shared.visit(query) }

/// Lines of JSON, of which each is a link: the first byte chooses how they are imported, and the
/// size of the pieces that they come in.
@Sendable func readLines(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let query = choice & 1 == 1 ? [("mode", "upsert")] : [("collection", "short")]
    readImport(Array(bytes.dropFirst()), "application/x-ndjson", query, pieceBytes(choice))
}

/// Between 1 and 7.
func pieceBytes(_ choice: UInt8) -> Int { Int(choice >> 2) % 7 + 1 }

/// Content of an import: whole and in pieces the answer is the same, and neither the time nor the
/// memory nor the answer grows faster than the content.
func readImport(
    _ content: [UInt8], _ type: String, _ query: [(name: String, value: String)], _ pieceBytes: Int
) {
    let asker = Asker.shared
    let whole = measure {
        asker.importAll(content, type, query, pieceBytes: max(1, content.count))
    }
    asker.checkReport(whole)
    // A fault of a heading, and an outcome for each row.
    let answerBytesMax = 16_384 + 1_024 * content.count
    require(whole.count <= answerBytesMax, "an answer of \(whole.count) bytes")
    // What is repeated is the same again.
    guard content.count <= 4_096 else { return }
    let pieces = measure {
        asker.importAll(content, type, query, pieceBytes: pieceBytes)
    }
    // A new slug is another one each time.
    let hasNewSlugs = query.contains { $0.name == "mode" }
    let isSame = hasNewSlugs ? whole.count == pieces.count : whole == pieces
    require(isSame, "in pieces of \(pieceBytes) another answer")
}
