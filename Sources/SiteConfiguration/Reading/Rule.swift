/// The stable names of what can be wrong with a configuration; `docs/configuration.md` lists them.
enum Rule: String, CaseIterable, Sendable {
    // The file and its YAML.
    case fileMissing = "file-missing"
    case filePermission = "file-permission"
    case fileUnreadable = "file-unreadable"
    case fileSize = "file-size"
    case notUTF8 = "not-utf8"
    case controlCharacter = "control-character"
    case emptyFile = "empty-file"
    case yamlSyntax = "yaml-syntax"
    case yamlAlias = "yaml-alias"
    case yamlTag = "yaml-tag"
    case nesting = "nesting"
    case severalDocuments = "several-documents"
    case tooManyFindings = "too-many-findings"

    // The shape that the table of keys asks for.
    case duplicateKey = "duplicate-key"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case unsetValue = "unset-value"
    case wrongKind = "wrong-kind"
    case wrongValue = "wrong-value"

    // Values that have a form of their own.
    case name = "name"
    case appIdentifier = "app-identifier"
    case androidIdentifier = "android-identifier"
    case hostName = "host-name"
    case addressBlock = "address-block"
    case url = "url"
    case pagePath = "page-path"
    case pattern = "pattern"

    // What the values say together.
    case unknownName = "unknown-name"
    case duplicateName = "duplicate-name"
    case duplicateHost = "duplicate-host"
    case duplicateApp = "duplicate-app"
    case extendsCycle = "extends-cycle"
    case nothingOpens = "nothing-opens"
    case nothingPublished = "nothing-published"
    case noAppleApp = "no-apple-app"
    case unusedKey = "unused-key"
    case dynamicComponents = "dynamic-components"
    case placeholder = "placeholder"
    case associationSize = "association-size"
    case tooMany = "too-many"
}
