import Linting
import Testing

@Suite("Which kind of file it is")
struct FileKindTests {
    private static let apps = #""apps": {"a": {"ios": {"id": "W4X7K2M9QH.com.example.a"}}}"#

    @Test(
        "the members of the top level decide",
        arguments: [
            (#"{"version": 1, "webcredentials": {}, "environments": {}}"#, FileKind.configuration),
            (#"{"webcredentials": {"apps": []}, "version": 1, \#(apps)}"#, .configuration),
            (
                #"{\#(apps), "links": {"applinks": {"match": "/a"}}, "environments": {}}"#,
                .configuration
            ),
            (#"{"version": 1, "sites": {"relation": {}}}"#, .configuration),
            (#"{"applinks": {"details": [{"environments": 1}]}}"#, .association),
            (#"{"webcredentials": {"apps": []}, "comment": "relation"}"#, .association),
            (#"{"AppLinks": {}}"#, .association),
            (#"{"version": 1, "applinks": {}}"#, .association),
            (#"[{"relation": ["applinks"], "target": {"environments": 1}}]"#, .assetLinks),
            ("version: 1\napplinks: x\nenvironments: {}\n", .configuration),
        ])
    func topLevel(_ text: String, _ kind: FileKind) {
        #expect(FileKind(of: Array(text.utf8), name: "file") == kind)
    }

    @Test(
        "the name decides where both have members",
        arguments: [
            ("apple-app-site-association", FileKind.association), ("waymark.yaml", .configuration),
            ("x.json", .configuration),
        ])
    func name(_ name: String, _ kind: FileKind) {
        let text = #"{"applinks": {}, "environments": {}}"#
        #expect(FileKind(of: Array(text.utf8), name: name) == kind)
    }
}
