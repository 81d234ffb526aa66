private import Diagnostics
import JSONSyntax

/// The programs that EAS runs before it builds an app of Expo (Expo, "Build lifecycle hooks" and "Configuration with eas.json").
enum EASHooks {
    /// Whether a script of `package.json` is a hook that may change something.
    static func isHook(_ script: JSONMember) -> Bool {
        ["eas-build-pre-install", "eas-build-post-install"].contains(
            where: script.key.isScalarwise)
            && script.value.text.map(isHarmless) == false
    }

    /// The programs of the build profiles of `eas.json`: another command than that which makes the projects, or another build. A profile
    /// for developers is none of releases.
    /// - Parameter programs: the keys of programs.
    static func sources(
        ofProfiles profiles: JSONValue?, _ programs: [String], in file: String
    ) -> [UnreadSource] {
        let keys = programs.filter { key in
            (profiles?.members ?? []).map(\.value).contains { profile in
                profile["developmentClient"]?.boolean != true
                    && [profile, profile["android"], profile["ios"]].contains { $0?[key] != nil }
            }
        }
        guard !keys.isEmpty else { return [] }
        let fact = "EAS builds with its \(enumerated(keys)), which may change what ships"
        return [UnreadSource(file, fact, isRead: true)]
    }

    /// Whether a script only installs tools or prints something.
    private static func isHarmless(_ script: String) -> Bool {
        guard !script.utf8.contains(where: { "|<>`$()\n".utf8.contains($0) }) else { return false }
        let known = [
            ["corepack", "enable"], ["corepack", "prepare"], ["corepack", "use"], ["echo"],
            ["npm", "install", "-g"], ["npm", "i", "-g"], ["npm", "install", "--global"],
            ["yarn", "global", "add"],
        ].map { $0.map { Array($0.utf8) } }
        let commands = script.utf8.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
        return commands.allSatisfy { command in
            let words = command.split(separator: UInt8(ascii: " ")).map { Array($0) }
            return words.isEmpty || known.contains { words.starts(with: $0) }
        }
    }
}
