import PostgreSQLSupport
import SQLite
import Testing

@testable import LinkStore

/// People of the console, their sign-in links and their sessions.
@Suite(.serialized) struct `People of a store` {
    private let now = 1_800_000_000
    private let link = [UInt8](repeating: 1, count: 32)
    private let secret: [UInt8] = [2]
    private let other: [UInt8] = [3]

    private func add(
        _ name: String, _ role: PersonRole = .editor, to store: LinkStore
    ) throws -> StoredPerson {
        let person = StoredPerson(
            name: name, role: role, collections: ["short", "long"], created: now, createdBy: "local"
        )
        try store.transaction { _ throws(StoreError) in try store.put(person) }
        return person
    }

    private func begin(
        _ hash: [UInt8], _ person: StoredPerson, at time: Int, _ store: LinkStore
    ) throws {
        try store.transaction { _ throws(StoreError) in
            try store.beginSession(hash, of: person, at: time)
        }
    }

    private func take(_ hash: [UInt8], at time: Int, _ store: LinkStore) throws -> String? {
        try store.transaction { _ throws(StoreError) in
            try store.takeSignIn(hash, at: time)?.name
        }
    }

    @Test(arguments: TestStores.kinds) func `a link is used once, in its time`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let anna = try add("anna", to: store)
        #expect(try store.person(named: "anna") == anna && store.person(named: "Anna") == nil)
        for (time, name) in [(now + 599, "anna"), (now + 600, nil)] as [(Int, String?)] {
            try store.transaction { _ throws(StoreError) in
                try store.addSignIn(link, of: anna, until: now + 600)
            }
            #expect(try take(other, at: now, store) == nil)
            #expect(try take(link, at: time, store) == name)
            #expect(try take(link, at: now, store) == nil)
        }
        // Another one takes its place.
        for hash in [link, other] {
            try store.transaction { _ throws(StoreError) in
                try store.addSignIn(hash, of: anna, until: now + 600)
            }
        }
        #expect(try take(link, at: now, store) == nil)
        #expect(try take(other, at: now, store) == "anna")
    }

    @Test(arguments: TestStores.kinds)
    func `numbers and times that another program has written end nothing`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let anna = try add("anna", to: store)
        let past = Int.min
        try begin(secret, anna, at: now, store)
        try begin(other, anna, at: now, store)
        try database.write("UPDATE @session SET used = \(past)", into: store)
        #expect(try store.session(secret, at: now) == nil && store.uses(at: now).isEmpty)
        try database.write("UPDATE @session SET used = \(Int.max), began = \(past)", into: store)
        #expect(try store.session(secret, at: now) == nil && store.uses(at: now).isEmpty)
        try database.write("UPDATE @session SET began = \(now)", into: store)
        let session = try #require(try store.session(secret, at: now))
        store.noteUse(of: secret, session, at: now + 60)
        try database.write(
            "INSERT INTO @person (id, name, role, created, created_by) VALUES (\(past), 'odd', 'admin', 1, 'x')",
            into: store)
        let odd = try #require(try store.person(named: "odd"))
        #expect(odd.id == past && odd.actor == past && anna.actor == -anna.id)
        try store.transaction { _ throws(StoreError) in try store.remove(odd) }
        #expect(try store.people() == [anna])
    }

    @Test(arguments: TestStores.kinds) func `a session ends by itself, and with the rights`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        var anna = try add("anna", to: store)
        let bob = try add("bob", .viewer, to: store)
        try begin(secret, anna, at: now, store)
        try begin(other, bob, at: now, store)
        let began = try #require(try store.session(secret, at: now))
        #expect(began == StoredSession(person: anna, began: now, used: now))
        #expect(try store.session(secret, at: now + 1_799) == began)
        #expect(try store.session(secret, at: now + 1_800) == nil)
        // A use is noted once a minute.
        store.noteUse(of: secret, began, at: now + 59)
        #expect(try store.session(secret, at: now)?.used == now)
        store.noteUse(of: secret, began, at: now + 60)
        #expect(try store.session(secret, at: now + 1_859)?.used == now + 60)
        #expect(try store.uses(at: now + 1_800)[anna.id]?.sessions == 1)
        #expect(try store.uses(at: now + 1_800)[bob.id] == nil)
        // Twelve hours are the most.
        for hour in 1...25 {
            guard let session = try store.session(secret, at: now + hour * 1_700) else { break }
            store.noteUse(of: secret, session, at: now + hour * 1_700)
        }
        #expect(try store.session(secret, at: now + 43_199) != nil)
        #expect(try store.session(secret, at: now + 43_200) == nil)
        // A person with other rights signs in again; others do not notice.
        anna.role = .viewer
        try store.transaction { _ throws(StoreError) in try store.put(anna) }
        #expect(try store.session(secret, at: now) == nil)
        #expect(try store.session(other, at: now)?.person == bob)
        try store.transaction { _ throws(StoreError) in try store.remove(bob) }
        #expect(try store.session(other, at: now) == nil)
        #expect(try store.people() == [anna])
    }

    @Test(arguments: TestStores.kinds) func `a person signs out here, or everywhere`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let anna = try add("anna", to: store)
        for hash in [link, secret, other] { try begin(hash, anna, at: now, store) }
        try store.transaction { _ throws(StoreError) in try store.endSession(link) }
        #expect(try store.session(link, at: now) == nil)
        #expect(try store.session(secret, at: now) != nil)
        try store.transaction { _ throws(StoreError) in
            try store.addSignIn(link, of: anna, until: now + 259_200)
        }
        try store.transaction { _ throws(StoreError) in try store.endSessions(of: anna) }
        #expect(try store.session(secret, at: now) == nil && store.session(other, at: now) == nil)
        // Nor does an invitation that was not used let anybody in.
        #expect(try take(link, at: now, store) == nil)
    }

    @Test(arguments: TestStores.kinds) func `a passkey stays with its person`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        var (anna, bob) = (try add("anna", to: store), try add("bob", to: store))
        func passkey(_ id: [UInt8], _ person: StoredPerson) -> StoredPasskey {
            StoredPasskey(
                id: id, person: person.id, key: [0, 255], counter: 0, name: "päckchen",
                created: now)
        }
        func keep(_ passkey: StoredPasskey) throws -> Bool {
            try store.transaction { _ throws(StoreError) in try store.add(passkey) }
        }
        #expect(try keep(passkey(secret, anna)) && keep(passkey(other, bob)))
        #expect(try !keep(passkey(secret, bob)))
        #expect(try store.passkey(secret)?.passkey == passkey(secret, anna))
        #expect(try store.passkey(secret)?.person == anna && store.passkey(link) == nil)
        try store.transaction { _ throws(StoreError) in
            try store.noteUse(of: passkey(secret, anna), counter: 7, at: now + 9)
        }
        let used = try #require(try store.passkeys(of: anna).first)
        #expect((used.counter, used.used) == (7, now + 9))
        // Other rights leave it; nobody removes another person's.
        anna.role = .viewer
        try store.transaction { _ throws(StoreError) in
            try store.put(anna)
            #expect(try store.removePasskey(secret, of: bob) == nil)
            #expect(try store.removePasskey(other, of: bob)?.id == other)
        }
        #expect(try store.passkey(secret)?.person == anna)
        // As many as there may be.
        for number in 1..<StoredPasskey.countMax {
            #expect(try keep(passkey([9, UInt8(number)], anna)))
        }
        #expect(try !keep(passkey([9, 0], anna)))
        try store.transaction { _ throws(StoreError) in try store.remove(anna) }
        #expect(try store.passkey(secret) == nil && store.people() == [bob])
        bob.name = "bob"
        #expect(try keep(passkey(secret, bob)))
    }

    @Test(arguments: TestStores.kinds) func `a challenge is answered once, in its time`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        let anna = try add("anna", to: store)
        func begin(_ hash: [UInt8], of person: Int, at time: Int) throws -> Bool {
            try store.transaction { _ throws(StoreError) in
                try store.beginChallenge(hash, of: person, at: time)
            }
        }
        func take(_ hash: [UInt8], of person: Int, at time: Int) throws -> Bool {
            try store.transaction { _ throws(StoreError) in
                try store.takeChallenge(hash, of: person, at: time)
            }
        }
        for (person, asked, time, isTaken) in [
            (0, 0, now + 299, true), (0, 0, now + 300, false), (anna.id, anna.id, now, true),
            (anna.id, 0, now, false), (0, anna.id, now, false),
        ] {
            #expect(try begin(secret, of: person, at: now))
            #expect(try take(secret, of: asked, at: time) == isTaken)
            #expect(try !take(secret, of: person, at: now))
        }
        // Those whose time is over are forgotten when another one begins.
        #expect(try begin(secret, of: 0, at: now) && begin(other, of: 0, at: now + 300))
        #expect(try !take(secret, of: 0, at: now))
    }

    @Test func `another node knows at once`() throws {
        guard TestServer.isInstalled else { return }
        let database = try TestStores(.postgresql)
        let (store, second) = (try database.open(), try database.open())
        let anna = try add("anna", to: store)
        try begin(secret, anna, at: now, store)
        #expect(try second.session(secret, at: now)?.person == anna)
        try second.transaction { _ throws(StoreError) in try second.remove(anna) }
        #expect(try store.session(secret, at: now) == nil)
    }

    @Test func `a restored store has the people, who sign in again`() throws {
        let directory = StoreDirectory()
        let copy = directory.path + "/copy.db"
        do {
            let store = try LinkStore(directory.database)
            let anna = try add("anna", to: store)
            try begin(secret, anna, at: now, store)
            try store.transaction { _ throws(StoreError) in
                try store.addSignIn(link, of: anna, until: now + 600)
            }
            try store.backup(to: copy)
            try store.close()
        }
        _ = try StoreRestore(copy, to: directory.database)
        let store = try LinkStore(directory.database)
        #expect(try store.people().map(\.name) == ["anna"])
        #expect(try store.session(secret, at: now) == nil)
        #expect(try take(link, at: now, store) == nil)
    }
}
