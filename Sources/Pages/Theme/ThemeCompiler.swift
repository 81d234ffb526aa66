internal import Diagnostics

/// Reads a theme's files and collects their faults.
struct ThemeCompiler {
    private(set) var faults = [Diagnostic]()
    /// Findings that do not make the theme unusable.
    private(set) var notes = [Diagnostic]()
    private let files: [String: Theme.File]

    init(_ files: [Theme.File]) {
        self.files = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
        for file in files where file.bytes.count > Self.fileBytesMax {
            faults.append(
                Diagnostic(
                    .error, .theme, at: SourcePosition(file: file.path, line: 1, column: 1),
                    "the file has \(file.bytes.count) bytes, and may have \(Self.fileBytesMax)"))
        }
    }

    private static let fileBytesMax = 65_536
    private static let suffix = Array(".mustache".utf8)

    /// The templates by their names; the operator's replace the built-in ones.
    func templates() -> [String: Template] {
        var templates = Templates.builtIn.mapValues { Template(Array($0.description.utf8)) }
        for (name, file) in files {
            if let template = Self.templateName(name), file.bytes.count <= Self.fileBytesMax {
                templates[template] = Template(file.bytes)
            }
        }
        return templates
    }

    private static func templateName(_ file: String) -> String? {
        let bytes = Array(file.utf8)
        guard bytes.count > suffix.count, bytes.suffix(suffix.count).elementsEqual(suffix) else {
            return nil
        }
        return String(decoding: bytes.dropLast(suffix.count), as: UTF8.self)
    }

    /// - Parameter texts: the positions of the operator's own texts.
    mutating func check(
        _ templates: [String: Template], _ names: TemplateNames, _ texts: [String: SourcePosition]
    ) {
        let check = TemplateCheck(templates, names)
        for (name, found) in check.faults {
            faults += found.map { diagnostic($0, in: name, templates[name]?.bytes ?? []) }
        }
        let known = check.usedTexts.union(LandingTexts.Name.allCases.map(\.rawValue))
        warn(of: texts.filter { !known.contains($0.key) })
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let template = Self.templateName(name) else { continue }
            if String(validating: file.bytes, as: UTF8.self) == nil {
                faults.append(
                    diagnostic(TemplateFault(0, "the file is not UTF-8"), in: template, []))
            }
            if !check.used.contains(template) {
                notes.append(
                    Diagnostic(
                        .warning, .theme,
                        at: SourcePosition(file: file.path, line: 1, column: 1),
                        "no template includes \(quoted(template))"))
            }
        }
    }

    /// Warns of the operator's texts that no template shows.
    private mutating func warn(of texts: [String: SourcePosition]) {
        for (name, position) in texts.sorted(by: { $0.key < $1.key }) {
            let nearest = nearestName(to: name, among: LandingTexts.Name.allCases.map(\.rawValue))
            notes.append(
                Diagnostic(
                    .warning, .theme, at: position, "no template shows the text \(quoted(name))",
                    advice: nearest.map(didYouMean)))
        }
    }

    private func diagnostic(
        _ fault: TemplateFault, in template: String, _ bytes: [UInt8]
    ) -> Diagnostic {
        let path = files["\(template).mustache"]?.path ?? "\(template).mustache"
        let position = Self.position(fault.offset, in: bytes, of: path)
        return Diagnostic(.error, .theme, at: position, fault.message, advice: fault.advice)
    }

    private static func position(_ offset: Int, in bytes: [UInt8], of path: String)
        -> SourcePosition
    {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        return SourcePosition(file: path, line: line, column: column)
    }

    mutating func style(
        _ variables: [String: String], _ digest: ([UInt8]) -> [UInt8]
    ) -> ThemeStyle? {
        let own = files["style.css"]
        do throws(TemplateFault) {
            return try ThemeStyle(variables, own: own?.bytes ?? [], digest)
        } catch {
            let path = own?.path ?? "style.css"
            faults.append(
                Diagnostic(
                    .error, .theme,
                    at: Self.position(error.offset, in: own?.bytes ?? [], of: path),
                    error.message, advice: error.advice))
            return nil
        }
    }
}
