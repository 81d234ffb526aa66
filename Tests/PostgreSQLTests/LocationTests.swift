import PostgreSQL
import Testing

@Suite struct `Locations of databases` {
    struct Read: CustomTestStringConvertible {
        let text: String
        let hosts: [String]
        var user = "waymark"
        var database = "waymark"
        var protection = PostgreSQLProtection.none
        var testDescription: String { text }
    }

    @Test(arguments: [
        Read(text: "postgresql://waymark@localhost/waymark", hosts: ["localhost:5432"]),
        Read(text: "postgres://waymark@127.0.0.1:1/waymark", hosts: ["127.0.0.1:1"]),
        Read(text: "postgresql://waymark@[::1]:65535/waymark", hosts: ["[::1]:65535"]),
        Read(
            text: "postgresql://waymark@/waymark?host=/run/postgresql",
            hosts: ["/run/postgresql/.s.PGSQL.5432"]),
        Read(
            text: "postgresql://waymark@%2Frun%2Fpg:5433/waymark",
            hosts: ["/run/pg/.s.PGSQL.5433"]),
        Read(
            text: "postgresql://a%40b@db_1,db-2.example.com:2/%C3%BC%20x?sslmode=disable"
                + "&target_session_attrs=read-write",
            hosts: ["db_1:5432", "db-2.example.com:2"], user: "a@b", database: "ü x"),
        Read(
            text: "postgresql://waymark@db/waymark?sslmode=require", hosts: ["db:5432"],
            protection: .encrypted()),
        Read(
            text: "postgresql://waymark@db/waymark?sslmode=verify-full&sslrootcert=/etc/ca.pem",
            hosts: ["db:5432"], protection: .verified(roots: "/etc/ca.pem", name: true)),
        Read(
            text: "postgresql://waymark@localhost/waymark?sslmode=verify-ca&sslrootcert=/ca%20x.pem"
                + "&sslcert=/c.pem&sslkey=/k.pem",
            hosts: ["localhost:5432"],
            protection: .verified(
                roots: "/ca x.pem", name: false, .init(certificate: "/c.pem", key: "/k.pem"))),
    ])
    func `what is right is read`(_ read: Read) throws {
        let location = try PostgreSQLLocation(read.text)
        #expect(location.hosts.map(\.description) == read.hosts)
        #expect(location.login.user == read.user && location.login.database == read.database)
        #expect(location.login.password == nil)
        #expect(location.login.protection == read.protection)
    }

    @Test(arguments: [
        ("mysql://a@b/c", "no URL of a database"),
        ("postgresql://", "names no host"),
        ("postgresql://b/c?sslmode=disable", "names no user"),
        ("postgresql://@b/c?sslmode=disable", "names no user"),
        ("postgresql://a@b?sslmode=disable", "names no database"),
        ("postgresql://a@b/?sslmode=disable", "names no database"),
        ("postgresql://a@b/c/d?sslmode=disable", "has a slash"),
        ("postgresql://a:secret@b/c", "has a password"),
        ("postgresql://a@b/c?password=secret", "has a password"),
        ("postgresql://a:p?secret@b/c", "has an @"),
        ("postgresql://a:1,b/secret!@b/c", "has an @"),
        ("postgresql://a:1,secret!c/d@b/c", "has an @"),
        ("postgresql://a@/c?sslmode=disable", "names no host"),
        ("postgresql://a@b,/c?sslmode=disable", "names no host"),
        ("postgresql://a@b:/c?sslmode=disable", "no number from 1 to 65535"),
        ("postgresql://a@b:0/c?sslmode=disable", "no number from 1 to 65535"),
        ("postgresql://a@b:65536/c?sslmode=disable", "no number from 1 to 65535"),
        ("postgresql://a@b:99999999999999999999/c", "no number from 1 to 65535"),
        ("postgresql://a@b:+1/c", "no number from 1 to 65535"),
        ("postgresql://a@b,b:5432/c", "stands twice"),
        ("postgresql://a@::1/c", #"":" is no host"#),
        ("postgresql://a@[::1/c", "no host"),
        ("postgresql://a@[b]/c", "no host"),
        ("postgresql://a@[::1]x/c", "no host"),
        ("postgresql://a@b%2Fx/c", "no host"),
        ("postgresql://a@b/c", "does not say how the connection is protected"),
        ("postgresql://a@localhost,b/c", "does not say how the connection is protected"),
        ("postgresql://a@b/c?sslmode=prefer", #"sslmode in the URL of the database is "prefer""#),
        ("postgresql://a@b/c?sslmode=verify-full", "needs certificates of authorities"),
        ("postgresql://a@b/c?sslmode=require&sslrootcert=/d", "checks no certificate"),
        ("postgresql://a@localhost/c?sslrootcert=/d", "does not say how"),
        ("postgresql://a@b/c?sslmode=require&sslcert=/d", "belong together"),
        (
            "postgresql://a@b/c?sslmode=verify-full&sslrootcert=ca.pem",
            #"sslrootcert in the URL of the database is "ca.pem", which is no absolute path"#
        ),
        ("postgresql://a@b/c?sslmode=verify-full&sslrootcert=system", "no absolute path"),
        ("postgresql://a@b/c?sslmode=require&sslcert=c&sslkey=/k", "no absolute path"),
        ("postgresql://a@b/c?sslmode=require&sslcert=/c&sslkey=k", "no absolute path"),
        ("postgresql:/a@b/c", "no URL of a database"),
        ("postgresql://a@b/c?sslmode=disable&sslmode=require", "stands twice"),
        ("postgresql://a@b/c?sslmode=", "has no value"),
        ("postgresql://a@b/c?sslmod=disable", #""sslmod" is no option"#),
        ("postgresql://a@b/c?options=-cgeqo%3Doff", "is no option"),
        ("postgresql://a@b/c?target_session_attrs=standby", #"is "standby""#),
        ("postgresql://a@b/c?host=/run", "names hosts twice"),
        ("postgresql://a@/c?host=run", "no directory of a Unix socket"),
        ("postgresql://a%zz@b/c", "begins no escape"),
        ("postgresql://a@b/c d", "a character that URLs do not have"),
        ("postgresql://a@b/c#d", "a character that URLs do not have"),
        ("postgresql://a%00@b/c?sslmode=disable", "name of the user is no name"),
        ("postgresql://a@b/%FF?sslmode=disable", "name of the database is no name"),
        (
            "postgresql://a@b/" + String(repeating: "d", count: 64),
            "name of the database is no name"
        ),
        ("postgresql://a@" + String(repeating: "d", count: 254) + "/c", "no host"),
        ("postgresql://a@b/" + String(repeating: "d", count: 2_048), "may have 2048"),
        ("postgresql://a@b,c,d,e,f,g,h,i,j/k", "has 9 hosts, may have 8"),
    ])
    func `what is wrong is named, and no password is said`(_ text: String, _ fact: String) throws {
        let fault = #expect(throws: PostgreSQLLocation.Fault.self) { try PostgreSQLLocation(text) }
        #expect(fault?.fact.contains(fact) == true, "\(fault?.fact ?? "")")
        #expect(fault?.fact.contains("secret") == false && fault?.advice.isEmpty == false)
    }

    @Test(arguments: [
        ("sslmode=", "write one of disable, require, verify-ca, verify-full"),
        ("sslmode=prefer", "write one of disable, require, verify-ca, verify-full"),
        ("target_session_attrs=", "write one of read-write, primary"), ("host=", "leave it out"),
        ("sslmode=require&sslcert=c&sslkey=/k", "write a path that begins with a slash"),
        (
            "sslrootcert=ca.pem",
            "write a path that begins with a slash, such as /etc/ssl/certs/ca-certificates.crt for the authorities "
                + "of the system"
        ),
    ])
    func `advice is for the option`(_ options: String, _ advice: String) {
        let fault = #expect(throws: PostgreSQLLocation.Fault.self) {
            try PostgreSQLLocation("postgresql://a@b/c?\(options)")
        }
        #expect(fault?.advice == advice)
    }

    @Test func `limits are those that fit`() throws {
        let name = String(repeating: "d", count: 63)
        #expect(
            try PostgreSQLLocation("postgresql://\(name)@localhost/\(name)").login.user == name)
        let hosts = try PostgreSQLLocation("postgresql://a@b,c,d,e,f,g,h,i/k?sslmode=disable").hosts
        #expect(hosts.count == PostgreSQLLocation.hostsMax)
        #expect(
            PostgreSQLLocation.isMeant(by: "postgres://a") && !PostgreSQLLocation.isMeant(by: "a"))
        #expect(
            PostgreSQLLocation.isMeant(by: "postgresql:/a")
                && !PostgreSQLLocation.isMeant(by: "postgresql/a"))
    }
}
