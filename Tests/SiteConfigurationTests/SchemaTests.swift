import Foundation
import Testing

@testable import SiteConfiguration
import TestSupport

@Suite("The JSON Schema")
struct SchemaTests {
    @Test func `docs/waymark.schema.json is what the table of keys says`() throws {
        let path = repository("docs/waymark.schema.json")
        if updatesFixtures {
            return try Data(ConfigurationSchema.text.utf8).write(to: URL(filePath: path))
        }
        let written = FileManager.default.contents(atPath: path) ?? Data()
        #expect(String(decoding: written, as: UTF8.self) == ConfigurationSchema.text)
    }
}
