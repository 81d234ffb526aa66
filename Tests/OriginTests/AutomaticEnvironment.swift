import SiteConfiguration
import Testing

extension TemporaryDirectory {
    /// The environment of one host with automatic certificates, whose files are in this directory.
    /// - Parameter store: its lines about a store.
    func automaticEnvironment(_ store: String...) throws -> Environment {
        let text = """
            version: 1
            apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
            links: {all: {match: /p/*, web: landing}}
            environments:
              prod:
                hosts: a.example
                tls: {automatic: {terms: agreed}}
                publish: {app: [all]}

            """
        let lines = store.map { "    \($0)\n" }.joined()
        let (configuration, diagnostics) = Configuration.read(
            Array((text + lines).utf8), file: "waymark.yaml", directory: path)
        return try #require(configuration?.environment(named: "prod"), "\(diagnostics)")
    }
}
