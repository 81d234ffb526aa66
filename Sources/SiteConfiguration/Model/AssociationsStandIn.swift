package import Associations
import Diagnostics

// Dropped as soon as Associations writes and reads files itself.

package enum AssociationForm: String, Sendable, CaseIterable { case modern, compatible, legacy }

extension AssociationFile {
    static let bytesMax = 131_072

    package func serialized(as form: AssociationForm = .modern) -> [UInt8] {
        let details = (applinks?.details ?? []).map { detail in
            let ids = detail.appIDs.map { "\"\($0)\"" }.joined(separator: ",")
            let paths = detail.components.compactMap { component in
                component.path.map { "\"\(component.exclude ? "NOT " : "")\($0)\"" }
            }
            let components = detail.components.map { component in
                "{\"/\":\"\(component.path ?? "*")\""
                    + (component.exclude ? ",\"exclude\":true}" : "}")
            }
            return form == .legacy
                ? "{\"appID\":\(ids),\"paths\":[\(paths.joined(separator: ","))]}"
                : "{\"appIDs\":[\(ids)],\"components\":[\(components.joined(separator: ","))]}"
        }
        let apps = form == .modern ? "" : "\"apps\":[],"
        return Array("{\"applinks\":{\(apps)\"details\":[\(details.joined(separator: ","))]}}".utf8)
    }

    static func read(
        _ bytes: [UInt8], file: String
    ) -> (file: AssociationFile?, diagnostics: [Diagnostic]) { (AssociationFile(), []) }
}

extension AssetLinks {
    func serialized() -> [UInt8] { Array("[]".utf8) }

    static func read(
        _ bytes: [UInt8], file: String
    ) -> (file: AssetLinks?, diagnostics: [Diagnostic]) { (AssetLinks(statements: []), []) }
}
