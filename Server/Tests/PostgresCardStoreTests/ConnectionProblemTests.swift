import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: why there is no connection", .timeLimit(.minutes(20)))
struct ConnectionProblemTests {
    @Test(
        "What is left of a password in the name of a host is in no message",
        arguments: ConnectionProblem.Kind.allCases
    )
    func misreadHost(kind: ConnectionProblem.Kind) {
        let problem = ConnectionProblem(kind, server: "RETPW@127.0.0.1:5432", user: "u")
        #expect(problem.kind == .address)
        #expect(!problem.message.contains("RETPW"))
        #expect(problem.message.contains("%40"))
        #expect(!problem.isTransient)
    }

    @Test("libpq's message on a host with the rest of a password says that the address can't be read")
    func message() throws {
        let said = #"could not translate host name "RETPW@127.0.0.1" to address: Name or service not known"#
        #expect(try #require(ConnectionProblem(message: said, user: "u")).kind == .address)
        let honest = #"could not translate host name "db.invalid" to address: Name or service not known"#
        let known = try #require(ConnectionProblem(message: honest, user: "u"))
        #expect(known.kind == .unknownHost && known.server == "db.invalid")
        let socket = #"connection to server on socket "@abstract/.s.PGSQL.5432" failed: Connection refused"#
        #expect(try #require(ConnectionProblem(message: socket, user: "u")).kind == .unreachable)
    }

    @Test(
        "Something else behind the port is named with its place, and hides nothing that is wrong with other servers",
        arguments: [
            "received invalid response to SSL negotiation: H", "received invalid response to GSSAPI negotiation: H",
            "expected authentication request from server, but received H",
            "received unencrypted data after SSL response",
        ]
    )
    func foreign(said: String) throws {
        let part = #"connection to server at "10.0.0.1", port 8080 failed: \#(said)"# + "\n"
        let problem = try #require(ConnectionProblem(message: part, user: "u"))
        #expect(problem.kind == .foreign && problem.server == "10.0.0.1:8080" && problem.isTransient)
        #expect(problem.message.hasPrefix("What answers at 10.0.0.1:8080 isn't PostgreSQL."))
        let other =
            #"connection to server at "10.0.0.2", port 5432 failed: "#
            + #"FATAL:  password authentication failed for user "u""#
        let both = try #require(ConnectionProblem(message: part + other, user: "u"))
        #expect(both.kind == .password && both.server == "10.0.0.2:5432")
        let wrong = #"invalid port number: "x""#
        #expect(try #require(ConnectionProblem(message: wrong, user: "u")).kind == .address)
    }

    @Test("A role that has as many connections as it may isn't said to be missing")
    func crowdedRole() throws {
        let start = #"connection to server at "10.0.0.1", port 5432 failed: FATAL:  "#
        let crowded = start + #"too many connections for role "placard""#
        let problem = try #require(ConnectionProblem(message: crowded, user: "placard"))
        #expect(problem.kind == .tooManyOfUser && problem.message.contains("CONNECTION LIMIT"))
        let full = start + #"too many connections for database "cards""#
        #expect(try #require(ConnectionProblem(message: full, user: "placard")).kind == .tooManyOfDatabase)
        let clients = start + "sorry, too many clients already"
        #expect(try #require(ConnectionProblem(message: clients, user: "placard")).message.contains("max_connections"))
        let absent = start + #"role "placard" does not exist"#
        #expect(try #require(ConnectionProblem(message: absent, user: "placard")).kind == .user)
    }

    @Test("A server that only reads isn't said to be a standby where it may be the primary")
    func readOnly() throws {
        let start = #"connection to server at "10.0.0.1", port 5432 failed: "#
        let only = try #require(ConnectionProblem(message: start + "session is read-only", user: "u"))
        #expect(only.kind == .readOnly && only.isTransient)
        #expect(only.message.contains("default_transaction_read_only") && only.message.contains("standby"))
        let standby = try #require(ConnectionProblem(message: start + "server is in hot standby mode", user: "u"))
        #expect(standby.kind == .standby && standby.message.contains("Promote one"))
    }

    @Test(
        "An address that libpq can't read is said to be one, without a piece of it",
        arguments: [
            "postgresql://u:SECRET/PW@127.0.0.1/x", "postgresql://u@corp:SECRET@127.0.0.1/x",
            "postgresql://u:SEC%RET@127.0.0.1/x", "postgresql://u:pw@[::1/SECRET", "postgresql://u@[::1]SECRET/x",
            "postgresql://u@127.0.0.1/x?SECRET", "postgresql://u@127.0.0.1/x?password=SECRET=PW",
            "postgresql://u@127.0.0.1/x?passwort=SECRET", "host=127.0.0.1 password=SEC SECRET",
            "host=127.0.0.1 password='SECRET", "host=127.0.0.1 passwort=SECRET",
        ]
    )
    func unreadable(address: String) async {
        let error = await #expect(throws: StoreError.self) { _ = try await PostgresCardStore.open(url: address) }
        #expect(error?.message.contains("can't be read") == true)
        #expect(error?.message.contains("SECRET") == false)
    }

    @Test("A database is found by libpq's keywords")
    func keywords() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let parts = try #require(url.wholeMatch(of: /postgresql:\/\/(\w+)@\/(\w+)\?host=(.+)/)).output
            let keywords = "user=\(parts.1) dbname = \(parts.2) host='\(parts.3)'"
            let connection = try PostgresConnection(ConnectionSettings(url: keywords))
            let row = try #require(try connection.row("SELECT current_database()::TEXT AS name"))
            #expect(try row.text("name") == parts.2)
        }
    }
}
