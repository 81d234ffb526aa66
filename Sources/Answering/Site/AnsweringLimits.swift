package import HTTPMessages

/// Limits of requests and of what is answered to them; sizes are in bytes.
package struct AnsweringLimits: Hashable, Sendable {
    package var request = RequestLimits()
    /// Bodies up to this size are written behind their head, and no URL of a redirect is longer.
    package var copiedBodyBytesMax = 16384
    /// Several parts of a file together; for more the whole file is sent.
    package var partsBytesMax = 262_144
    /// Public files up to the first size are kept in memory, together up to the second; all others
    /// are read from the disk as they are sent.
    package var memoryFileBytesMax = 1 << 20
    package var memoryFilesBytesMax = 256 << 20
    /// A public file that another part of a site is made of.
    package var pageBytesMax = 16 << 20
    /// The most public files that are open at once, to be sent from the disk.
    package var openFilesMax = 128
    /// The file of an ACME challenge.
    package var challengeBytesMax = 4096

    /// The defaults that `docs/limits.md` lists.
    package init() {}

    /// More than any answer as it is written at once: a head with the longest target and our own
    /// fields, and a body that is copied behind it.
    package var answerBytesMax: Int { request.targetBytesMax + 8192 + copiedBodyBytesMax }
}
