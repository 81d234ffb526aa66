import Foundation
import Testing

@testable import Files

@Suite("The first line of a script")
struct ScriptFaultTests {
    @Test(
        arguments: [
            ("#!/bin/sh\ntrue\n", nil), ("#! /bin/sh -e\ntrue\n", nil), ("#!/bin/sh", nil),
            ("\u{7F}ELF\u{2}\u{1}", nil), ("\0\0", nil),
            ("set -e\n", .noInterpreter), ("", .noInterpreter), ("\n#!/bin/sh\n", .noInterpreter),
            ("\u{FEFF}#!/bin/sh\n", .noInterpreter),
            ("#!/bin/sh\r\ntrue\r\n", .carriageReturn),
            ("#!/none/sh\n", .interpreter("/none/sh", .missing)),
            ("#!/etc/passwd\n", .interpreter("/etc/passwd", .noPermission)),
            ("#!\n", .interpreter("", .missing)),
        ] as [(String, ScriptFault?)])
    func line(_ content: String, _ fault: ScriptFault?) throws {
        let path = NSTemporaryDirectory() + "waymark-script-\(UUID().uuidString)"
        defer { removeFile(path) }
        try Data(content.utf8).write(to: URL(filePath: path))
        #expect(ScriptFault(at: path) == fault)
    }

    @Test func `what cannot be read may be run all the same`() {
        #expect(ScriptFault(at: "/none/program") == nil)
    }
}
