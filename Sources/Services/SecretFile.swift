import Files
package import SiteConfiguration

/// The reason why a file with a secret cannot be used, after "the file".
package struct SecretFileFault: Error {
    package let reason: String
}

/// Reads the secret that a file has in its only line, for each use: so that another one acts without a restart.
package func readSecret(_ file: FileReference) throws(SecretFileFault) -> String {
    var bytes: [UInt8]
    do throws(FileError) {
        bytes = try readFile(file.path, bytesMax: secretBytesMax).bytes
    } catch {
        throw SecretFileFault(reason: "cannot be read: \(error)")
    }
    // Editors end a line.
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard !bytes.isEmpty else { throw SecretFileFault(reason: "is empty") }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
        let text = String(validating: bytes, as: UTF8.self)
    else { throw SecretFileFault(reason: "has several lines, or something else than text") }
    return text
}

private let secretBytesMax = 4_096
