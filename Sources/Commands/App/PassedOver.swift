import Files

/// Says once which directories of a project were passed over.
func printPassedOver(_ tree: FileTree, in directory: String) {
    guard let first = tree.passedOver.first else { return }
    let more = tree.passedOver.count - 1
    printMessage(
        "waymark: passed over: \(shownName("\(directory)/\(first)"))"
            + (more > 0 ? " and \(more) more" : "")
            + ", with packages of others; name a directory to read it")
}
