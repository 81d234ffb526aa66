import Files
import SiteConfiguration

extension PreparedSite {
    /// The content of the site's icon, which may be read from the disk now.
    /// - Returns: nil if the site has none, if it has more than so many bytes or is not kept in memory, or if it cannot be read.
    package func iconContent(bytesMax: Int) -> [UInt8]? {
        guard let icon = source.presentation.icon,
            let place = publicFiles.tree.index(of: Array(icon.utf8.drop { $0 == 0x2F })),
            publicFiles.files.indices.contains(place)
        else { return nil }
        let file = publicFiles.files[place]
        guard file.isInMemory, file.stamp.bytes <= bytesMax else { return nil }
        return try? file.loaded().bytes
    }
}
