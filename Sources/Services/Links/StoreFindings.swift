package import Diagnostics
import LinkAPI
import LinkStore
package import Snapshots

extension Snapshot {
    /// The warnings about links of a store that its configuration would not take now. There are none of a
    /// store that a process serves: that tells of them itself.
    package func storeFindings(at path: String) -> [Diagnostic] {
        guard let api, let (index, names) = readUnservedStore(path) else { return [] }
        return LinkSurvey(index, names, at: path, api).findings
    }
}
