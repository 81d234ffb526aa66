import Files
import SiteConfiguration

extension PreparedSite {
    /// The content of the site's icon, which may be read from the disk now.
    /// - Returns: nil if the site has none, if it has more than so many bytes or is not kept in memory, or if it cannot be read.
    package func iconContent(bytesMax: Int) -> [UInt8]? {
        try? icon(bytesMax: bytesMax)?.loaded().bytes
    }

    /// The number of these bytes; 0 if there is no such icon.
    package func iconBytes(bytesMax: Int) -> Int { icon(bytesMax: bytesMax)?.stamp.bytes ?? 0 }

    private func icon(bytesMax: Int) -> PublicFile? {
        guard let icon = source.presentation.icon,
            let place = publicFiles.tree.index(of: Array(icon.utf8.drop { $0 == 0x2F })),
            publicFiles.files.indices.contains(place)
        else { return nil }
        let file = publicFiles.files[place]
        return file.isInMemory && file.stamp.bytes <= bytesMax ? file : nil
    }
}
