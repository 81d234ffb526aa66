/// The memory of one import: of the lines that wait for their turn, of those that the store's thread writes, and of the slugs
/// that a rehearsal keeps to its end.
final class ImportRoom {
    private let claim: WorkMemory.Claim
    /// The bytes that are claimed for the lines that wait, and for those that are written.
    private var (waiting, written) = (0, 0)
    private var (kept, keptNext) = (0, 0)

    init(_ memory: WorkMemory) { claim = WorkMemory.Claim(memory) }

    /// Claims what every import takes.
    func begin() -> Bool { claim.set(Self.ownBytes) }

    /// Claims what so many lines, which have so many bytes, take until they are written.
    func take(_ lines: Int, bytes: Int) -> Bool {
        let wanted = lines * Self.lineBytes + bytes * Self.copies
        guard wanted > waiting else { return true }
        let steps = (wanted + Self.stepBytes - 1) / Self.stepBytes
        guard claim.set(Self.ownBytes + kept + written + steps * Self.stepBytes) else {
            return false
        }
        waiting = steps * Self.stepBytes
        return true
    }

    /// The lines that waited are written now.
    /// - Parameter slugs: how many of them a rehearsal keeps.
    func hand(keeping slugs: Int) {
        (waiting, written) = (0, waiting)
        keptNext = slugs * Self.slugBytes
    }

    /// Those that were written need nothing any more, but for what is kept of them.
    /// - Returns: false if there is no room for that. A line of a few short names takes less when it is kept.
    func giveBack() -> Bool {
        (written, kept, keptNext) = (0, kept + keptNext, 0)
        return claim.set(Self.ownBytes + kept + waiting)
    }

    /// The memory that the store and the index take beside the lines.
    private static let ownBytes = 8 << 20
    /// Measured: each line takes this beside six copies of its text.
    private static let lineBytes = 2_048
    private static let copies = 6
    /// Of a slug, its place in a dictionary, and now and then a name.
    private static let slugBytes = 256
    fileprivate static let stepBytes = 2 << 20
}

/// The memory of the links that a transaction of an import changes, and of what the audit says of them.
final class ChangedLinksRoom {
    private let claim: WorkMemory.Claim
    private var claimed = 0
    private(set) var isLacking = false

    init(_ memory: WorkMemory) { claim = WorkMemory.Claim(memory) }

    /// Claims what links and entries of so many bytes take until they are written, and what is copied of the index then. The
    /// first ones are a part of what every import takes.
    func take(_ bytes: Int, _ copiedBytes: Int) -> Bool {
        let steps = (bytes * Self.copies + copiedBytes) / ImportRoom.stepBytes
        let wanted = steps * ImportRoom.stepBytes
        isLacking = wanted > claimed && !claim.set(wanted)
        if !isLacking { claimed = max(claimed, wanted) }
        return !isLacking
    }

    /// Measured with links of 22 KB: fewer, with the records of the index and the pages of the file.
    private static let copies = 2
}
