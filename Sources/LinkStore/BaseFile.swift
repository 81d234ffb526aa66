package import Files
internal import LinkIndex

/// The file of a base, in the directory of a node. Only the node's user can read it.
///
/// It begins with the name of its form, and with a head of values, which has a checksum of its own. The records of the
/// index follow, each with its length, and the checksum of all that comes before. Numbers are in little-endian order.
package struct BaseFile: Sendable {
    package let path: String
    private let database: DatabaseName

    package init(_ path: String, of database: DatabaseName) {
        (self.path, self.database) = (path, database)
    }

    /// The name of the form. Another form has another name.
    static let form = Array("waymark base 01\n".utf8)
    static let headBytesMax = 1 << 24
    private static let pieceBytes = 1 << 20

    /// Writes a base in place of the one that is there.
    /// - Parameters:
    ///   - seconds: the time at which the database has confirmed it, since 1970.
    ///   - goesOn: is asked before each piece; false gives the attempt up.
    /// - Returns: the bytes of the file; nil if the attempt was given up.
    package func write(
        _ base: StoreBase, asOf seconds: Int, while goesOn: () -> Bool
    ) throws(FileError) -> Int? {
        let draft = try FileDraft(of: path, mode: 0o600)
        var output = BaseOutput(BaseHead(base, of: database))
        var (total, isGoingOn, failure) = (0, true, FileError?.none)
        func flush() {
            isGoingOn = isGoingOn && goesOn()
            guard isGoingOn else { return }
            do throws(FileError) {
                try draft.append(output.bytes)
            } catch {
                (failure, isGoingOn) = (error, false)
            }
            total += output.bytes.count
            output.bytes.removeAll(keepingCapacity: true)
        }
        base.index.forEach { record in
            guard isGoingOn else { return }
            output.add(record)
            if output.bytes.count >= Self.pieceBytes { flush() }
        }
        output.end()
        flush()
        if let failure { throw failure }
        guard isGoingOn, goesOn() else { return nil }
        try draft.publish(modified: seconds)
        return total
    }

    /// Notes that the database has confirmed the base at a time, in seconds since 1970.
    package func confirm(at seconds: Int) throws(FileError) { try setModified(path, seconds) }

    /// Removes what processes have left that were killed while they wrote.
    package func removeDrafts() { FileDraft.removeLeft(of: path) }

    /// Reads the base, all of it or none.
    /// - Returns: it, and the time at which the database has confirmed it; nil if there is no file.
    package func read() throws(BaseFault) -> (base: StoreBase, confirmed: Int)? {
        guard let file = try open() else { return nil }
        var input = BaseInput(file)
        let head = try head(&input)
        var records = LinkRecords()
        for _ in 0..<head.slugs { try input.record(into: &records) }
        try input.end()
        return (head.base(LinkIndex(records, generation: head.generation)), file.stamp.modified)
    }

    /// The history of the database that the base is of; nil without a base.
    package func history() -> KnownHistory? { head()?.history }

    /// The number of its slugs if it is of the very generation of a store that has fewer of them: rows of that are missing.
    package func slugs(missingIn store: LinkStore) -> Int? {
        guard let head = self.head(), head.version == store.base?.version,
            head.slugs > store.index.count
        else { return nil }
        return head.slugs
    }

    private func head() -> BaseHead? {
        guard let file = try? open() else { return nil }
        var input = BaseInput(file)
        return try? head(&input)
    }

    private func open() throws(BaseFault) -> OpenFile? {
        do throws(FileError) {
            return try OpenFile(path: path)
        } catch {
            if error == .missing { return nil }
            throw .unreadable(error)
        }
    }

    private func head(_ input: inout BaseInput) throws(BaseFault) -> BaseHead {
        let head = try BaseHead(input.head())
        guard database.canBe(head.database) else { throw .ofOther(head.database) }
        return head
    }
}

/// The reason why the file of a base is passed over.
package enum BaseFault: Error, Equatable, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    /// Its form is not the one that this program knows.
    case otherForm
    case ofOther(DatabaseName)
    case damaged(String)

    package var description: String {
        switch self {
        case .unreadable(let error): "cannot be read: \(error)"
        case .otherForm: "has a form that this program does not know"
        case .ofOther(let database): "is of another database, \(database)"
        case .damaged(let reason): "is damaged: \(reason)"
        }
    }
}
