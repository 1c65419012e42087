import CardStore
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what an address says", .timeLimit(.minutes(20)))
struct ConnectionAddressTests {
    /// A setting of the session that a connection has.
    private func setting(_ name: String, at url: String) throws -> String? {
        let connection = try PostgresConnection(ConnectionSettings(url: url))
        return try connection.row("SELECT current_setting($1) AS value", [name])?.text("value")
    }

    /// The reason why there is no connection.
    private func problem(at url: String) -> ConnectionProblem? {
        do {
            _ = try PostgresConnection(ConnectionSettings(url: url))
            return nil
        } catch {
            return error.problem
        }
    }

    private func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    // MARK: Options of the session

    @Test(
        "Options leave those timeouts alone that they name, however they are written, and no others",
        arguments: [
            ("-c lock_timeout=1", ["lock_timeout"]), ("-clock_timeout=1", ["lock_timeout"]),
            ("--lock_timeout=1", ["lock_timeout"]), ("--lock-timeout=1", ["lock_timeout"]),
            ("-c\tLock_Timeout=1", ["lock_timeout"]), ("  -c  lock-timeout=1  ", ["lock_timeout"]),
            ("-c deadlock_timeout=1", []), ("--deadlock-timeout=1", []), ("-cdeadlock_timeout=1", []),
            ("-c search_path=lock_timeout", []), ("-c lock_timeout", []), ("lock_timeout", []), ("", []),
            ("-c my.lock_timeout=1", []), ("-c lock_timeout_of_mine=1", []),
            ("-c statement_timeout=1 -c deadlock_timeout=2", ["statement_timeout"]),
            (
                "-c idle_in_transaction_session_timeout=1 --statement-timeout=2",
                ["idle_in_transaction_session_timeout", "statement_timeout"]
            ),
        ] as [(String, [String])]
    )
    func options(options: String, names: [String]) {
        let all = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
        let settings = ConnectionSettings(url: "").sessionSettings(besides: options)
        let set = settings.split(separator: "; ").compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(set.map(String.init) == all.filter { !names.contains($0) })
    }

    @Test("Where an address says how long deadlocks are waited for, locks are waited for as ever")
    func deadlockTimeout() async throws {
        let cluster = try await PostgresCluster.shared()
        let url = cluster.url(of: "postgres") + "&options=-c%20deadlock_timeout%3D300ms"
        #expect(try setting("deadlock_timeout", at: url) == "300ms")
        #expect(try setting("lock_timeout", at: url) == "5s")
        let both = cluster.url(of: "postgres") + "&options=--lock-timeout%3D7s%20-cdeadlock_timeout%3D300ms"
        #expect(try setting("lock_timeout", at: both) == "7s")
    }

    @Test("A time to wait for a lock that is none is the shortest one, which PostgreSQL takes for no limit otherwise")
    func shortestWait() async throws {
        for timeout in [Duration.zero, .seconds(-5), .microseconds(1)] {
            try await TemplateDatabase.withCopy { url in
                var options = PostgresCardStore.Options()
                options.lockTimeout = timeout
                let store = try await PostgresCardStore.open(url: url, options: options)
                let row = try await store.read { try $0.row("SELECT current_setting('lock_timeout') AS lock") }
                #expect(try row?.text("lock") == "1ms")
                try await store.close()
            }
        }
    }

    @Test("Whoever waits for all groups waits less than one of them, and never for nothing")
    func exclusiveWait() {
        func statement(_ timeout: Int) -> String {
            var settings = ConnectionSettings(url: "")
            settings.lockTimeout = timeout
            return settings.exclusiveStatement
        }
        #expect(statement(5_000) == "SET LOCAL lock_timeout = 2000")
        #expect(statement(5) == "SET LOCAL lock_timeout = 2")
        for timeout in 0..<5 { #expect(statement(timeout) == "SET LOCAL lock_timeout = 1") }
        #expect(statement(.max).hasPrefix("SET LOCAL lock_timeout = 3689348814741910"))
    }

    @Test("What an address says of the session comes before what is usual")
    func precedence() async throws {
        let url = try await PostgresCluster.shared().url(of: "postgres")
        #expect(try setting("application_name", at: url) == "placard")
        #expect(try setting("application_name", at: url + "&application_name=other") == "other")
        #expect(try setting("client_encoding", at: url + "&client_encoding=LATIN1") == "UTF8")
    }

    // MARK: Hosts

    @Test("Of several hosts the first that answers is used, and is the one that is named")
    func severalHosts() async throws {
        let cluster = try await PostgresCluster.shared()
        let connection = try PostgresConnection(
            ConnectionSettings(url: "postgresql://placard@/postgres?host=/nonexistent,\(cluster.folder)")
        )
        #expect(connection.server == "\(cluster.folder):5432")
        #expect(connection.security.isLocal && !connection.security.isEncrypted)
        let none = problem(at: "postgresql://placard@/postgres?host=/nonexistent,/absent&port=5433,5434")
        #expect(none?.kind == .unreachable && none?.server == "/nonexistent/.s.PGSQL.5433")
    }

    @Test("A socket can be the host of an address, with its slashes encoded")
    func encodedHost() async throws {
        let cluster = try await PostgresCluster.shared()
        let host = try encoded(cluster.folder)
        let connection = try PostgresConnection(ConnectionSettings(url: "postgres://placard@\(host)/postgres"))
        #expect(connection.server == "\(cluster.folder):5432")
    }

    @Test("An address of IPv6 is named without its brackets and its password")
    func sixthVersion() throws {
        let found = try #require(problem(at: "postgresql://app:SECRET@[::1]:1/app?gssencmode=disable"))
        #expect(found.kind == .unreachable)
        #expect(found.server == "::1:1")
        #expect(found.message.hasPrefix("PostgreSQL at ::1:1 can't be reached."))
        #expect(!found.message.contains("SECRET"))
    }

    @Test("A database that only reads is refused, and said to be, until it takes writes again")
    func onlyReads() async throws {
        let cluster = try await PostgresCluster.shared()
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            let setting = "ALTER DATABASE \(name) SET default_transaction_read_only ="
            try await cluster.execute("\(setting) on")
            #expect(problem(at: url)?.kind == .readOnly)
            let error = await #expect(throws: StoreError.self) { _ = try await PostgresCardStore.open(url: url) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("default_transaction_read_only") == true)
            try await cluster.execute("\(setting) off")
            let store = try await PostgresCardStore.open(url: url)
            try await store.close()
        }
    }

    // MARK: Secrets

    @Test(
        "Names are decoded, and of a password with whatever characters nothing is told",
        arguments: ["p@ss:w/rd?SECRET", "SECRET%40", "SECRET#&=;", #"SECRET' "\"#, "SECRET[::1]", "SECRETżółć🙂"]
    )
    func specialCharacters(text: String) throws {
        let server = try RefusingServer(state: "28P01", message: "Passwort-Authentifizierung fehlgeschlagen")
        defer { server.close() }
        let secret = try encoded(text)
        let user = text.replacing("SECRET", with: "app")
        let name = try encoded(user)
        for place in ["?host=\(server.folder)&password=\(secret)", "?host=\(server.folder)"] {
            let password = place.contains("password=") ? "" : ":\(secret)"
            let found = try #require(problem(at: "postgresql://\(name)\(password)@/app\(place)"))
            #expect(found.kind == .password)
            #expect(found.message.contains("refused the password of \(user)."))
            #expect(!found.message.contains("SECRET"))
            #expect(!StoreError(PostgresError(found)).message.contains("SECRET"))
        }
    }

    @Test(
        "A value that libpq doesn't know is in no message, and no server is asked",
        arguments: [
            "target_session_attrs=SECRET", "channel_binding=SECRET", "sslmode=SECRET", "gssencmode=SECRET",
            "host=/a,/b,/c&port=1,2&password=SECRET", "port=SECRET", "port=70000&password=SECRET",
            "ssl_min_protocol_version=SECRET",
        ]
    )
    func unknownValues(more: String) throws {
        let found = try #require(problem(at: "postgresql://app@/app?host=/nonexistent&\(more)"))
        #expect(found.kind == .address)
        #expect(!found.isTransient)
        #expect(!found.message.contains("SECRET"))
    }
}
