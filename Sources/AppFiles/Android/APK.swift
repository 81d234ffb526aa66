/// An APK: its manifest, and the certificates in its signing block and its signatures (Android, "APK
/// Signature Scheme"). Signatures are not verified.
enum APK {
    static func read(_ archive: ZipArchive) throws(FormatFault) -> AndroidDeclaration {
        let manifest = try archive.member("AndroidManifest.xml").readWhole()
        guard BinaryXML.isLikely(manifest) else {
            throw FormatFault(
                "has a manifest that is not binary", advice: "give an APK that aapt2 has made")
        }
        var root = try BinaryXML.read(manifest)
        if archive.contains("resources.arsc"), root.hasAttribute(where: isNeeded) {
            var table = try ResourceTable(
                archive.member("resources.arsc").readWhole(
                    bytesMax: AppFileLimits.resourceBytesMax))
            fill(&root) { number in
                table.value(number).map {
                    FilledValue(text: $0, dependsOnDevice: table.dependsOnDevice(number))
                }
            }
        }
        var declaration = try AndroidDeclaration(root, kind: .binary)
        let ofBlock = try certificates(archive)
        // Older systems look for the first scheme, mostly with the same certificate.
        let ofFiles = try JARSignature.certificates(in: archive).filter { certificate in
            !ofBlock.contains { $0.fingerprint == certificate.fingerprint }
        }
        declaration.certificates = ofBlock + ofFiles
        return declaration
    }

    /// An Android App Bundle. Its certificate is that of the key with which it is uploaded.
    static func read(bundle archive: ZipArchive) throws(FormatFault) -> AndroidDeclaration {
        var root = try BundleXML.read(archive.member(bundleManifest).readWhole())
        if archive.contains("base/resources.pb"), root.hasAttribute(where: isNeeded) {
            let table = try BundleResources(
                archive.member("base/resources.pb").readWhole(
                    bytesMax: AppFileLimits.resourceBytesMax))
            fill(&root) { number in
                table.value(number).map {
                    FilledValue(text: $0, dependsOnDevice: table.dependsOnDevice(number))
                }
            }
        }
        var declaration = try AndroidDeclaration(root, kind: .binary)
        declaration.isForUpload = true
        declaration.certificates = try JARSignature.certificates(in: archive)
        return declaration
    }

    static let bundleManifest = "base/manifest/AndroidManifest.xml"

    private static func isNeeded(_ attribute: XMLAttribute, of node: XMLNode) -> Bool {
        attribute.resource != nil && AndroidDeclaration.isRead(attribute, of: node)
    }

    /// Puts the texts of resources in the place of their numbers. One that is longer than any part of a link stays open: many
    /// attributes can have it.
    private static func fill(_ root: inout XMLNode, _ value: (Int) -> FilledValue?) {
        root.replaceReferences { attribute, node in
            guard isNeeded(attribute, of: node) else { return nil }
            return attribute.resource.flatMap(value).flatMap { value in
                value.text.utf8.count <= AppFileLimits.filledBytesMax ? value : nil
            }
        }
    }

    /// Those of all schemes, the newest first; none if there is no block.
    private static func certificates(
        _ archive: ZipArchive
    ) throws(FormatFault) -> [APKCertificate] {
        let end = archive.directoryOffset
        guard end >= 32 else { return [] }
        let tail = try archive.source.read(24, at: end - 24)
        guard tail.suffix(16).elementsEqual("APK Sig Block 42".utf8) else { return [] }
        guard let size = tail.little(8, at: 0), size >= 24, size <= end - 8,
            size <= AppFileLimits.signingBlockBytesMax
        else { throw damaged }
        // The size counts everything but the first field.
        let block = try archive.source.read(size + 8, at: end - size - 8)
        guard block.little(8, at: 0) == size else { throw damaged }
        var found = [APKCertificate]()
        var offset = 8
        let pairsEnd = block.count - 24
        while offset < pairsEnd {
            guard let length = block.little(8, at: offset), length >= 4,
                length <= pairsEnd - offset - 8, let kind = block.little(4, at: offset + 8)
            else { throw damaged }
            if let scheme = schemes[kind] {
                // Systems take the first, others may take the last.
                guard !found.contains(where: { $0.scheme == scheme }) else { throw damaged }
                let content = Array(block[(offset + 12)..<(offset + 8 + length)])
                found += try signers(content).map { APKCertificate(scheme: scheme, $0) }
            }
            offset += 8 + length
        }
        return [31, 3, 2].flatMap { scheme in found.filter { $0.scheme == scheme } }
    }

    /// The certificate of each signer.
    private static func signers(_ content: [UInt8]) throws(FormatFault) -> [[UInt8]] {
        var found = [[UInt8]]()
        for signer in try fields(try field(content, at: 0).content) {
            let signed = try field(signer, at: 0).content
            let digests = try field(signed, at: 0)
            let certificates = try field(signed, at: digests.end).content
            // The first is that of the key that signs.
            guard found.count < AppFileLimits.certificatesMax, !certificates.isEmpty else {
                throw damaged
            }
            found.append(try field(certificates, at: 0).content)
        }
        return found
    }

    /// A field with its length before it.
    private static func field(
        _ bytes: [UInt8], at offset: Int
    ) throws(FormatFault) -> (content: [UInt8], end: Int) {
        guard let length = bytes.little(4, at: offset), let content = bytes.part(offset + 4, length)
        else { throw damaged }
        return (Array(content), offset + 4 + length)
    }

    private static func fields(_ bytes: [UInt8]) throws(FormatFault) -> [[UInt8]] {
        var fields = [[UInt8]]()
        var offset = 0
        while offset < bytes.count {
            guard fields.count < AppFileLimits.certificatesMax else { throw damaged }
            let next = try field(bytes, at: offset)
            fields.append(next.content)
            offset = next.end
        }
        return fields
    }

    private static let damaged = FormatFault("has a damaged signing block")
    private static let schemes = [0x7109_871A: 2, 0xF053_68C0: 3, 0x1B93_AD61: 31]
}
