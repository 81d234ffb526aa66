/// The work that is left for scripts that modules apply, each of which is read for each module.
final class AppliedMemory {
    private var bytesLeft = AppFileLimits.documentBytesMax

    func takes(_ bytes: Int) -> Bool {
        guard bytes <= bytesLeft else { return false }
        bytesLeft -= bytes
        return true
    }
}
