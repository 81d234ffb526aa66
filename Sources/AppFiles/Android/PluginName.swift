/// A plugin as a script, or the program of another plugin, names it.
enum PluginName {
    case identifier([UInt8])
    /// One of a version catalog.
    case alias([UInt8])
    /// A class, with its package if that is written.
    case type([UInt8])
    /// A constant, a variable or another expression; empty if it has no name.
    case computed([UInt8])

    /// That of `id "NAME"`, `alias(libs.plugins.NAME)`, `id(libs.plugins.NAME.get().pluginId)`, `apply plugin: "NAME"`,
    /// `apply(libs.findPlugin("NAME").get().get().pluginId)`, `apply<Shop>()`, `apply(Shop::class)` and `apply plugin: Shop`.
    /// - Parameter statement: begins with the method.
    init(_ statement: ArraySlice<GradleToken>) {
        guard statement.count != 1 else {
            self = .identifier(statement.first?.wordBytes ?? [])
            return
        }
        // `apply from: "a.gradle", plugin: "b"`.
        let key = statement.dropFirst().firstIndex { $0.isWord("plugin") }
        // The methods whose parentheses are open.
        var methods = [[UInt8]]()
        var computed = [UInt8]()
        for index in statement.indices.dropFirst() where index > key ?? 0 {
            switch statement[index] {
            case .symbol(UInt8(ascii: "(")): methods.append(statement[index - 1].wordBytes)
            case .symbol(UInt8(ascii: ")")): _ = methods.popLast()
            case .text("plugin"?): break
            case .text(let text?) where computed.isEmpty && statement.isWhole(at: index):
                let isOfCatalog =
                    (key != nil || methods.count > 1) && methods.last?.getsPlugin == true
                self = isOfCatalog ? .alias(Array(text.utf8)) : .identifier(Array(text.utf8))
                return
            case .text, .filled:
                // `apply("com.example." + name)`.
                self = .computed(computed)
                return
            case .word(let word) where computed.isEmpty:
                if let alias = statement[index].gradleAlias {
                    self = .alias(alias)
                    return
                }
                // `Shop.class`.
                let name = Array(word.suffix(6).isText(".class") ? word.dropLast(6) : word[...])
                let isType =
                    name.lastPart.isOfType || statement[index - 1] == .symbol(UInt8(ascii: "<"))
                if isType {
                    self = .type(name)
                    return
                }
                if !otherWords.contains(word), !word.getsPlugin { computed = word }
            default: break
            }
        }
        self = .computed(computed)
    }

    var isComputed: Bool { if case .computed = self { true } else { false } }

    /// The name as messages quote it; empty where none is written.
    var text: [UInt8] {
        switch self {
        case .identifier(let name), .alias(let name), .type(let name), .computed(let name): name
        }
    }
}

extension GradleToken {
    /// The bytes of a word; none of another token.
    fileprivate var wordBytes: [UInt8] { if case .word(let word) = self { word } else { [] } }

    /// The alias of `libs.plugins.ALIAS`, also before `.get().pluginId` and `.asProvider()`; nil for another word.
    var gradleAlias: [UInt8]? {
        guard case .word(let word) = self, word.starts(with: "libs.plugins.".utf8) else {
            return nil
        }
        var alias = word.dropFirst("libs.plugins.".utf8.count)
        for ending in [".get", ".asProvider"] where alias.suffix(ending.utf8.count).isText(ending) {
            alias = alias.dropLast(ending.utf8.count)
        }
        return Array(alias)
    }
}

extension ArraySlice<GradleToken> {
    /// Whether nothing is done with the text at a place, as in `"shop".plus(name)`.
    fileprivate func isWhole(at index: Int) -> Bool {
        guard let next = self[(index + 1)...].first else { return true }
        return switch next {
        case .newline: true
        case .symbol(let byte): "),;]}".utf8.contains(byte)
        case .word: ["apply", "else", "if", "version"].contains(where: next.isWord)
        default: false
        }
    }
}

extension [UInt8] {
    /// Whether it is a method that gets a plugin of a catalog: `libs.findPlugin`, and a project's own `libs.plugin`.
    fileprivate var getsPlugin: Bool {
        ["findPlugin", "plugin"].contains(where: lastPart.isText) && parts.count > 1
    }
}

/// The words beside a plugin's name.
private let otherWords = Set(
    [
        "alias", "class", "class.java", "id", "mapOf", "Map.of", "project", "target", "this", "to",
        "version",
    ]
    .map { Array($0.utf8) })
