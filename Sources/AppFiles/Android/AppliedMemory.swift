/// The memory of scripts that is kept beside the modules.
final class AppliedMemory {
    /// The work that is left for scripts that modules apply, each of which is read for each module.
    private var bytesLeft = AppFileLimits.documentBytesMax
    /// The scripts of modules that were read before their modules, by their names, until these take them.
    var scripts = [[UInt8]: (script: GradleScript, words: SourceSetWords)]()

    func takes(_ bytes: Int) -> Bool {
        guard bytes <= bytesLeft else { return false }
        bytesLeft -= bytes
        return true
    }
}
