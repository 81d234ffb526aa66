/// The file with the manifest of an Android app, as it was when the configuration was read. Nothing that is
/// served depends on it.
package struct ManifestFile: Hashable, Sendable {
    package let file: FileReference
    /// Nil if the file could not be read.
    package let bytes: [UInt8]?

    /// A larger file is not read.
    package static let bytesMax = 1_048_576
}
