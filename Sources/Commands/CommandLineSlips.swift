import ArgumentParser
import Associations
import Diagnostics
import URISyntax

// Slips on the command line that ArgumentParser accepts, or refuses without advice.

/// Options that name an input. A script may override another option with a second value.
private let inputOptions: Set = ["--aasa", "--assetlinks", "--config", "--env", "--new-env"]

/// Refuses what ArgumentParser accepts.
/// - Parameter command: nil if the arguments could not be parsed.
func refuseSlips(
    in arguments: [String], of command: (any ParsableCommand)?
) throws(ValidationError) {
    try refuseRepeats(in: arguments)
    try refuseEmptyNames(in: arguments)
    if let command, hasEmptyArgument(command) {
        throw ValidationError("an argument is empty; name a file, a host or a link")
    }
}

/// Refuses two values for one input, of which ArgumentParser silently takes the last.
private func refuseRepeats(in arguments: [String]) throws(ValidationError) {
    var values = [String: [String]]()
    for (index, argument) in arguments.enumerated() {
        if argument == "--" { return }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), inputOptions.contains(name) else { continue }
        let next = index + 1 < arguments.count ? arguments[index + 1] : ""
        values[name, default: []].append(parts.count > 1 ? String(parts[1]) : next)
        guard let all = values[name], all.count > 1 else { continue }
        let more = name == "--env" ? ", whose sites are all served together" : ""
        throw ValidationError(
            "\(name) was given twice: \(all.map(quoted).joined(separator: ", ")); give one\(more)")
    }
}

/// Options that name a file or the like, and what they name. The empty value of another option can
/// have a meaning: `links edit --from ''` removes a time.
private let namedThings = [
    "--aasa": "a file", "--assetlinks": "a file", "--authorities": "a file",
    "--cacert": "a file", "--certificates": "a directory", "--config": "a file",
    "--env": "an environment", "--json": "a file", "--logo": "a file",
    "--new-env": "an environment", "--output": "a file", "--public": "a directory",
    "--robots": "a file", "--state": "a directory", "--textfile": "a file",
    "--theme": "a directory", "--token-file": "a file", "-o": "a file",
]

/// Refuses an empty name of a file, which mostly comes from a script's variable that is not set. The
/// file system would only say that there is no such file.
private func refuseEmptyNames(in arguments: [String]) throws(ValidationError) {
    for (index, argument) in arguments.enumerated() {
        if argument == "--" { return }
        let before = index > 0 ? arguments[index - 1] : ""
        let option =
            argument.isEmpty ? before : argument.hasSuffix("=") ? String(argument.dropLast()) : ""
        guard let thing = namedThings[option] else { continue }
        throw ValidationError("\(option) is empty; name \(thing)")
    }
}

/// Whether a command's own argument is empty. The destination of a link is in a group: an empty one
/// removes it.
private func hasEmptyArgument(_ command: any ParsableCommand) -> Bool {
    Mirror(reflecting: command).children.contains { child in
        switch child.value {
        case let argument as Argument<String>: argument.wrappedValue.isEmpty
        case let argument as Argument<String?>: argument.wrappedValue?.isEmpty ?? false
        case let argument as Argument<[String]>: argument.wrappedValue.contains(where: \.isEmpty)
        default: false
        }
    }
}

/// The command that arguments begin with, and the arguments behind it.
func command(
    in arguments: [String], of root: any ParsableCommand.Type
) -> (type: any ParsableCommand.Type, rest: ArraySlice<String>) {
    var (command, rest) = (root, arguments[...])
    while let name = rest.first,
        let child = command.configuration.subcommands.first(where: {
            $0.configuration.commandName == name
        })
    {
        command = child
        rest.removeFirst()
    }
    return (command, rest)
}

/// Refuses the name of a command that does not exist, also after `help`.
func refuseUnknownCommand(
    in arguments: [String], of root: any ParsableCommand.Type
) throws(ValidationError) {
    let isHelp = arguments.first == "help"
    let (command, rest) = command(in: Array(arguments.dropFirst(isHelp ? 1 : 0)), of: root)
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let name = rest.first, !names.isEmpty, !name.hasPrefix("-"), isHelp || name != "help"
    else { return }
    throw ValidationError(
        "there is no command \(quoted(name)); "
            + (nearestName(to: name, among: names).map(didYouMean) ?? listed(names, as: "command")))
}

/// Advice on arguments that a command does not have; nil if there is none.
/// - Parameter message: ArgumentParser's.
func advice(on message: String, _ arguments: [String]) -> String? {
    guard let command = arguments.first else { return nil }
    if message.contains("Unknown option '--config'") {
        return "give the file itself: waymark \(command) FILE"
    }
    if message.contains("Missing expected argument") { return unknownOption(in: arguments) }
    guard message.contains("nexpected argument") else { return nil }
    if command == "init" {
        return "init writes into the working directory; with --from FILE, it reads existing files"
    }
    return arguments.dropFirst().first(where: isConfigurationName).map {
        "give a configuration as an option: --config \(onOneLine($0))"
    }
}

/// An option that the command does not have, of which ArgumentParser says nothing while another one
/// is missing.
private func unknownOption(in arguments: [String]) -> String? {
    let (command, rest) = command(in: arguments, of: WaymarkCommand.self)
    let help = WaymarkCommand.helpMessage(for: command, includeHidden: true)
    let words = help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    let known = Set(words.filter { $0.hasPrefix("--") })
    let names = rest.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    guard let name = names.first(where: { $0.hasPrefix("--") && !known.contains($0) }) else {
        return nil
    }
    let nearest = nearestName(to: name, among: known).map { "; \(didYouMean($0))" } ?? ""
    return "there is no option \(quoted(name))\(nearest)"
}

/// Whether a file's name is that of a configuration.
func isConfigurationName(_ path: String) -> Bool {
    [".yaml", ".yml"].contains { path.hasSuffix($0) }
}

/// Checks that a text of the command line is a link.
/// - Throws: a `ValidationError` that quotes the text, says what is wrong, and what to write.
func checkLink(_ text: String) throws(ValidationError) {
    do throws(LinkURLError) {
        _ = try LinkURL(text)
    } catch {
        let advice = linkAdvice(text).map { "; \($0)" } ?? ""
        throw ValidationError("\(quoted(text)): \(error)\(advice)")
    }
    if let end = unseenEnd(of: text) {
        throw ValidationError("\(quoted(text)): the link ends with \(end); remove it")
    }
}

/// The host in a text that has something else around it: a user in front, a path or a dot behind. Nil if it
/// is no host without that either.
func hostWithin(_ text: String) -> String? {
    // A path can have an at sign, too.
    let authority = text.utf8.prefix { !"/?#".utf8.contains($0) }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() }
    let name = String(decoding: host ?? authority, as: UTF8.self)
    let parts = name.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let bare = parts[0].last == UInt8(ascii: ".") ? parts[0].dropLast() : parts[0]
    guard parts.count <= 2, let found = try? HostName(String(decoding: bare, as: UTF8.self)),
        !found.isAddress
    else { return nil }
    let port = parts.count == 2 ? UInt16(String(decoding: parts[1], as: UTF8.self)) : nil
    return parts.count == 2
        ? port.flatMap { $0 == 0 ? nil : "\(found):\($0)" } : found.description
}

/// The name of an invisible character at the end of a text, such as a blank; nil if it ends with no
/// such character. It is often copied with a link, and would be a part of it.
func unseenEnd(of text: String) -> String? {
    guard let last = text.unicodeScalars.last else { return nil }
    if last == " " { return "a blank" }
    let number = String(last.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
    return isUnseen(last) ? "\(name), which nobody sees" : nil
}

private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || steersReader(scalar)
}

/// Advice on a text that is no link: it lacks `https://`, or names a configuration. Nil if there is
/// none.
func linkAdvice(_ text: String) -> String? {
    if isConfigurationName(text) {
        return "give a configuration as an option: --config \(onOneLine(text)) --env NAME"
    }
    if let inner = withoutTypographicQuotes(text), (try? LinkURL(inner)) != nil {
        return "write it in straight quotes: \"\(inner)\""
    }
    let rest = text.unicodeScalars.drop { $0.properties.isWhitespace }
    if rest.startIndex != text.startIndex, (try? LinkURL(String(rest))) != nil {
        return "remove the blank before it"
    }
    if text.utf8.first == UInt8(ascii: "/"), !text.utf8.starts(with: "//".utf8) {
        return "write the whole link, such as \(onOneLine("https://www.example.com\(text)"))"
    }
    if let colon = text.firstRange(of: "://"),
        nearestName(to: String(text[..<colon.lowerBound]), among: ["https", "http"]) != nil,
        case let link = "https://\(text[colon.upperBound...])", (try? LinkURL(link)) != nil
    {
        return didYouMean(link)
    }
    let completed = "https://\(text)"
    guard let url = try? LinkURL(completed), url.host.contains(".") || url.host == "localhost"
    else { return nil }
    return didYouMean(completed)
}
