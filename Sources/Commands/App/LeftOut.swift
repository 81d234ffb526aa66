import AppFiles
import Diagnostics
import Linting

/// Prints what `lint` says of a file of the site, except notes. Whether it concerns the app is not known, so it is no
/// finding of it.
/// - Parameter command: the one that prints all of them.
func printOfSite(_ findings: [Diagnostic], least: Severity = .warning, all command: String) {
    let shown = findings.filter { $0.severity >= least }
    for finding in shown.prefix(shownMax) { printMessage(finding) }
    if shown.count > shownMax {
        printMessage("waymark: \(shown.count - shownMax) more: waymark \(command) has all")
    }
}

private let shownMax = 20

/// Says which apps of source are not compared, because the site lists others that the same files are of.
func printLeftOut(
    _ files: [(file: String, declarations: [AppDeclaration])], _ comparison: AppComparison
) {
    var known = Set<String>()
    let names = files.flatMap { file, declarations in
        comparison.leftOut(of: declarations).map { "\(shownName(file)): \($0)" }
    }.filter { known.insert($0).inserted }
    for name in names.prefix(4) {
        printMessage("waymark: not compared: \(name), which the site does not list")
    }
    if names.count > 4 { printMessage("waymark: not compared: \(names.count - 4) more") }
}
