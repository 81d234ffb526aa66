import TestSupport
import Testing

@testable import AppFiles

@Suite("Scripts that write manifests")
struct ManifestWriteTests {
    private static let app = "android { defaultConfig { applicationId 'a.b' } }\n"

    /// Statements that name a manifest or the directory of a source set, and whether they may write it.
    static let statements: [(script: String, isOpen: Bool)] = [
        ("file('src/main/AndroidManifest.xml').write(file('x').text)", true),
        ("file('src/main/AndroidManifest.xml').text = a", true),
        ("file('src/main/AndroidManifest.xml') << a", true),
        ("file(\"$projectDir/src/main/AndroidManifest.xml\").withWriter { b(it) }", true),
        (
            "doFirst { def f = file('src/main/AndroidManifest.xml'); f.text = f.text.replace('a', '') }",
            true
        ),
        ("val f = file(\"src/main/AndroidManifest.xml\")\ndoLast { f.writeText(a) }", true),
        ("val f = file(\"src/main/AndroidManifest.xml\")\nval g = f\ng.writeText(a)", true),
        ("new FileWriter(\"$projectDir/src/main/AndroidManifest.xml\")", true),
        ("ant.replace(file: 'src/main/AndroidManifest.xml', token: 'a', value: 'b')", true),
        ("exec { commandLine 'sed', '-i', 's/a/b/', 'src/main/AndroidManifest.xml' }", true),
        ("copy { from 'a/AndroidManifest.xml'; into 'src/main' }", true),
        ("task a(type: Copy) { from 'a'\ninto \"$projectDir/src/main/\" }", true),
        (
            "tasks.register<Copy>(\"a\") { into(layout.projectDirectory.dir(\"src/release\")) }",
            true
        ),
        ("def d = file('src/main')\ncopy { from 'a'\ninto d }", true),
        ("copy { from 'a'\ninto { 'src/main' } }", true),
        ("copy { from('a') { into 'main' }\ninto 'src' }", true),
        ("FileUtils.copyFile(file('m.xml'), file('src/main/AndroidManifest.xml'))", true),
        ("fileTree('a').visit { f -> f.copyTo(file(\"src/main/$f.path\")) }", true),
        ("file(\"a\").copyRecursively(file(\"src/main\"), overwrite = true)", true),
        ("file('src/main').listFiles().each { it.text = 'a' }", true),
        ("file('src/main/AndroidManifest.xml').withReader { a(it) }", false),
        ("detekt { source.setFrom('src/main') }", false),
        ("dokka { sourceLink { localDirectory.set(projectDir.resolve('src')) } }", false),
        ("roborazzi { outputDir.set(file('src/screenshots')) }", false),
        ("roborazzi { outputDir.set(file('src/main')) }", true),
        ("roborazzi { outputDir.set(file(\"src/$screenshots\")) }", true),
        ("roborazzi { outputDir.set(rootProject.file('src/screenshots')) }", true),
        ("project(':b') { roborazzi { outputDir.set(file('src/screenshots')) } }", true),
        (
            "roborazzi { outputDir.set(file('src/screenshots')) }\nandroid { productFlavors { screenshots { } } }",
            true
        ),
        ("a.url 'https://a.example/src/b.json'", false),
        ("a.url \"\\\"https://$host/src/b.json\\\"\"", false),
        ("copy { from 'a'\ninto 'src/debug' }", false),
        ("copy { from 'src/main'\ninto 'a' }", false),
        ("copy { from 'a'\ninto 'src/main/assets' }", false),
        ("def f = file('src/main/AndroidManifest.xml')\nprintln(f.text.replace('a', ''))", false),
        ("def a = new XmlSlurper().parse(file('src/main/AndroidManifest.xml'))", false),
        ("def f = file('src/main/AndroidManifest.xml')\nfile('a').text = 'b'", false),
        ("if (file('src/main/AndroidManifest.xml').text == 'a') { b() }", false),
        (
            "android { sourceSets { main { manifest.srcFile 'src/main/AndroidManifest.xml' } } }",
            false
        ),
    ]

    @Test("a statement that may write a manifest leaves the module open", arguments: statements)
    func writes(_ row: (script: String, isOpen: Bool)) throws {
        let found = try androidApps(["app/build.gradle": Self.app + row.script])
        #expect(found.map { $0.unread.map(\.name) } == [row.isOpen ? ["app/build.gradle"] : []])
        #expect(found.map(\.isUncertain) == [row.isOpen])
    }

    @Test(
        "the tasks of merged manifests are found by the ends of their names",
        arguments: [("Manifest", true), ("MainManifest", true), ("DebugManifest", false)])
    func tasks(_ row: (end: String, isOpen: Bool)) throws {
        let found = try androidApps([
            "app/build.gradle": """
            \(Self.app)tasks.matching { it.name.endsWith('\(row.end)') }.configureEach { a() }
            """
        ])
        #expect(found.map(\.unread.isEmpty) == [!row.isOpen])
    }
}
