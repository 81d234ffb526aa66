import AppFiles
import Linting

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
