import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: why there is no connection", .timeLimit(.minutes(5)))
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
