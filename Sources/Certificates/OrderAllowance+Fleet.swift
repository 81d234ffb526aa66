import Diagnostics
import JSONSyntax

extension OrderAllowance {
    /// Whether a text is one that `json` can have written. Others have no pauses, and are not to be believed for that.
    package static func accepts(json bytes: [UInt8]) -> Bool {
        let document = JSONDocument(bytes, file: "")
        return document.isValid && document.root?.members != nil
    }
}
