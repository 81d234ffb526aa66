import Testing

@testable import AppFiles

@Suite("Packages that a checkout replaces or patches")
struct ReplacedPackageTests {
    /// Whether a configuration of Expo with two known plugins is open beside these files.
    private func isOpen(_ files: [String: String]) throws -> Bool {
        let own = [
            "a/app.json": """
            {"expo": {"ios": {"bundleIdentifier": "a.b"}, "plugins": ["expo-camera", ["@sentry/react-native/expo", {}]]}}
            """,
            "a/package.json": #"{"dependencies": {"expo-camera": "^16.0.0"}}"#,
        ]
        var checkout = Checkout(files.merging(own) { first, _ in first })
        guard case .apple(let app)? = try checkout.read("a/app.json").first else { return true }
        return !app.unread.isEmpty
    }

    @Test(
        "a known plugin that package.json replaces is another one",
        arguments: [
            (#""overrides": {"expo-camera": "npm:other@1"}"#, true),
            (#""overrides": {"expo-camera@^16": "file:./x"}"#, true),
            (#""overrides": {"expo-camera": {".": "github:acme/c"}}"#, true),
            (#""overrides": {"expo-camera": {"a": "npm:b@1"}}"#, true),
            (#""overrides": {"expo": {"expo-camera": "$other"}}"#, true),
            (#""overrides": {"expo-camera": "16.0.1"}"#, false),
            (#""overrides": {"expo-camera": {".": "16.0.1", "a": "1"}}"#, false),
            (#""overrides": {"expo-camera": "$expo-camera"}"#, false),
            (#""overrides": {"react-native": "npm:react-native-tvos@1"}"#, false),
            (#""overrides": {"expo-camera-x": "npm:other@1"}"#, false),
            (#""resolutions": {"**/expo-camera": "npm:other"}"#, true),
            (#""resolutions": {"expo-camera@npm:^16": "patch:expo-camera@npm%3A16#./a"}"#, true),
            (#""resolutions": {"a/@sentry/react-native": "https://a.b/c.tgz"}"#, true),
            (#""resolutions": {"expo-camera": "npm:16.0.1"}"#, false),
            (#""resolutions": {"@sentry/react": "npm:other@1"}"#, false),
            (#""pnpm": {"overrides": {"a@1>expo-camera@>=2": "link:../x"}}"#, true),
            (#""pnpm": {"overrides": {"a@1>expo-camera@>=2": ">=3 <4"}}"#, false),
            (#""pnpm": {"patchedDependencies": {"expo-camera@16.0.0": "a.patch"}}"#, true),
            (#""patchedDependencies": {"@sentry/react-native@6.0.0": "a.patch"}"#, true),
            (#""patchedDependencies": {"react-native@0.76.0": "a.patch"}"#, false),
            (#""workspaces": {"catalog": {"expo-camera": "npm:other@1"}}"#, true),
            (#""workspaces": {"catalog": {"expo-camera": "^16.0.0"}}"#, false),
            (#""dependencies": {"expo-camera": "npm:other@1"}"#, true),
            (#""dependencies": {"expo-camera": "patch:expo-camera@npm%3A16#./a"}"#, true),
            (#""optionalDependencies": {"expo-camera": "github:acme/c"}"#, true),
            (#""dependencies": {"expo-camera": "npm:^16.0.0"}"#, false),
            (#""dependencies": {"expo-camera": "npm:expo-camera@16"}"#, false),
            (#""dependencies": {"expo-camera": "catalog:"}"#, false),
        ])
    func packages(_ members: String, _ isOpen: Bool) throws {
        #expect(try self.isOpen(["a/package.json": "{\(members)}"]) == isOpen)
        // The root of a workspace is above its packages.
        #expect(try self.isOpen(["package.json": "{\(members)}"]) == isOpen)
        #expect(try !self.isOpen(["b/package.json": "{\(members)}"]))
    }

    @Test(
        "a known plugin that pnpm's workspace replaces is another one",
        arguments: [
            ("overrides:\n  'expo-camera': npm:other@1\n", true),
            ("overrides: {expo-camera: 'github:acme/c'}", true),
            ("patchedDependencies:\n  \"@sentry/react-native@6.0.0\": patches/a.patch\n", true),
            ("catalogs:\n  a:\n    expo-camera: https://a.b/c.tgz\n", true),
            ("packages:\n  - 'apps/*'\ncatalog:\n  expo-camera: ^16.0.0 # https://a.b\n", false),
            ("patchedDependencies:\n  react-native@0.76.0: patches/a.patch\n", false),
            ("# expo-camera: npm:other@1\n", false),
        ])
    func workspaces(_ text: String, _ isOpen: Bool) throws {
        #expect(try self.isOpen(["pnpm-workspace.yaml": text]) == isOpen)
    }

    @Test(
        "a known plugin with a patch of patch-package is another one",
        arguments: [
            ("a/patches/expo-camera+16.0.0.patch", true), ("patches/expo-camera+16.patch", true),
            ("patches/@sentry+react-native+6.0.0+001+a.patch", true),
            ("patches/react-native+0.76.0.patch", false), ("patches/@sentry+react+1.patch", false),
            ("b/patches/expo-camera+16.0.0.patch", false), ("patches/expo-camera+16.md", false),
        ])
    func patches(_ name: String, _ isOpen: Bool) throws {
        #expect(try self.isOpen([name: ""]) == isOpen)
    }

    @Test func `usual plugins are as a registry has them`() throws { #expect(try !isOpen([:])) }
}
