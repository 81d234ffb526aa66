/// The path of a file of this repository, given from its top directory.
package func repository(_ path: String) -> String {
    let here = #filePath.split(separator: "/")
    return "/" + here.dropLast(3).joined(separator: "/") + "/" + path
}
