import Glibc

/// Runs a command line and returns what it printed on both streams, and its exit status.
func shell(_ command: String) -> (status: Int, output: String) {
    guard let pipe = popen("{ \(command) ; } 2>&1", "r") else { return (-1, "popen failed") }
    var output = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, pipe), count > 0 {
        output += piece[..<count]
    }
    let status = Int(pclose(pipe))
    return (status >> 8, String(decoding: output, as: UTF8.self))
}
