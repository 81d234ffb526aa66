import Foundation
import TestSupport
import Synchronization
import Testing

@testable import Files

/// Whoever may write below a served directory must not choose what this process reads elsewhere.
@Suite("Files that are exchanged while they are looked at")
final class ExchangedFileTests {
    private let top: String
    private var root: String { "\(top)/root" }

    init() throws {
        var template = Array("/tmp/waymark-exchange-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        top = String(cString: made)
        for directory in ["root", "root/dir", "root/dir/deep", "secret", "secret/deep"] {
            try createDirectory("\(top)/\(directory)")
        }
        for file in ["page", "dir/page", "dir/deep/page"] {
            #expect(try createFile("\(root)/\(file)", Array("public".utf8), mode: 0o600))
        }
        for file in ["page", "deep/page", "link"] {
            #expect(try createFile("\(top)/secret/\(file)", secret, mode: 0o600))
        }
        #expect(symlink("dir/deep/page", "\(root)/link") == 0)
        #expect(symlink("dir", "\(root)/linked") == 0)
        for exchange in exchanges {
            #expect(symlink(exchange.target, "\(top)/\(exchange.spare)") == 0)
        }
    }

    deinit { _ = system("rm -rf '\(top)'") }

    /// Two names that change places, again and again.
    private struct Exchange: Sendable {
        let name: String
        let target: String
        var spare: String { "spare-\(name.replacing("/", with: "-"))-\(target.utf8.count)" }
    }

    private var exchanges: [Exchange] {
        [
            Exchange(name: "root/page", target: "\(top)/secret/page"),
            Exchange(name: "root/page", target: "../secret/page"),
            Exchange(name: "root/dir/page", target: "../../secret/page"),
            Exchange(name: "root/dir", target: "\(top)/secret"),
            Exchange(name: "root/dir/deep", target: "../../secret/deep"),
            Exchange(name: "root/link", target: "../secret/link"),
            Exchange(name: "root/linked", target: "../secret"),
            Exchange(name: "root", target: "\(top)/secret"),
        ]
    }

    private static func swap(_ exchange: Exchange, in top: String) {
        let (name, spare) = ("\(top)/\(exchange.name)", "\(top)/\(exchange.spare)")
        precondition(rename(name, "\(spare)-going") == 0)
        precondition(rename(spare, name) == 0)
        precondition(rename("\(spare)-going", spare) == 0)
    }

    /// Everything that a walk and a reading of single files come to.
    private func readAll(_ seam: @escaping TreeSeam) -> [[UInt8]] {
        var contents = [[UInt8]]()
        guard let directory = try? RootDirectory(root, seam: seam) else { return [] }
        _ = directory.walk(root) { file in
            if let content = try? file.read(bytesMax: 100) { contents.append(content.bytes) }
            try? file.read(bytesMax: 100) { contents.append($0) }
        }
        for path in ["page", "dir/page", "linked/deep/page", "link"] {
            if let content = try? directory.read(path, bytesMax: 100) {
                contents.append(content.bytes)
            }
        }
        let direct = try? readFile(
            ["dir", "deep", "page"], directlyBeneath: root, bytesMax: 100, seam: seam)
        return contents + [direct?.bytes].compactMap(\.self)
    }

    @Test func `nothing is exchanged, and everything is read`() {
        #expect(readAll { _ in }.count == 2 * 6 + 5)
    }

    @Test(
        "nothing from outside is read, whenever a name is exchanged for a link",
        arguments: 0..<8)
    func exchanged(_ number: Int) throws {
        let exchange = exchanges[number]
        var (counts, round, moments) = ([TreePoint: Int](), 0, 0)
        _ = readAll { _ in moments += 1 }
        // Each moment of a walk in its turn, until every kind of it has come a thousand times.
        while counts.count < TreePoint.allCases.count || counts.values.contains(where: { $0 < 125 })
        {
            var (moment, exchanged) = (0, false)
            let contents = readAll { point in
                moment += 1
                // In, and for some rounds out again later: at the next look all is as it was.
                let isDue = moment == round % moments + 1
                let isOver = moment == round % moments + 2 + round / moments % 5
                guard isDue || (isOver && exchanged) else { return }
                Self.swap(exchange, in: self.top)
                exchanged.toggle()
                if isDue { counts[point, default: 0] += 1 }
            }
            if exchanged { Self.swap(exchange, in: top) }
            try #require(!contents.contains(secret), "round \(round)")
            round += 1
            try #require(round < 3000, "some moment never comes")
        }
    }

    @Test func `nothing from outside is read while another thread exchanges names`() throws {
        // Those that do not lie in one another: a name would be exchanged where a link leads.
        let (top, exchanges) = (top, [0, 1, 3, 5, 6].map { self.exchanges[$0] })
        let ending = Ending()
        let thread = Thread {
            var random = SplitMix(seed: 16)
            while !ending.isAsked.load(ordering: .relaxed) {
                Self.swap(exchanges[Int.random(in: 0..<exchanges.count, using: &random)], in: top)
            }
            ending.isReached.store(true, ordering: .releasing)
        }
        thread.start()
        defer {
            ending.isAsked.store(true, ordering: .relaxed)
            while !ending.isReached.load(ordering: .acquiring) { usleep(1000) }
        }
        for _ in 0..<1000 { try #require(!readAll { _ in }.contains(secret)) }
    }
}

private final class Ending: Sendable {
    let isAsked = Atomic(false)
    let isReached = Atomic(false)
}

private let secret = Array("secret".utf8)
