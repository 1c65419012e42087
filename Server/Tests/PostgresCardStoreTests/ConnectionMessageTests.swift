import CardStore
import Testing

@testable import PostgresCardStore

/// What libpq and servers say where no connection is made, as it is in the sources of PostgreSQL 15.
@Suite("PostgreSQL: what is made of libpq's messages")
struct ConnectionMessageTests {
    private static let place = #"connection to server at "db.example" (10.0.0.1), port 5432 failed: "#

    private func problem(_ said: String, user: String = "placard") -> ConnectionProblem? {
        ConnectionProblem(message: said, user: user)
    }

    @Test(
        "Each of a server's refusals is of the kind that an operator does something about, with its place",
        arguments: [
            (#"FATAL:  password authentication failed for user "placard""#, .password),
            ("FATAL:  SASL authentication failed", .password), ("fe_sendauth: no password supplied", .noPassword),
            ("SSL error: certificate verify failed", .certificate),
            (#"server certificate for "a" (and 2 other names) does not match host name "db.example""#, .hostName),
            (#"private key file "/k" has group or world access; file must have permissions …"#, .clientCertificate),
            (#"could not open certificate file "/c": Permission denied"#, .clientCertificate),
            (#"could not read certificate file "/c": no start line"#, .clientCertificate),
            ("SSL error: tlsv13 alert certificate required", .clientCertificate),
            ("SSL error: tlsv1 alert unknown ca", .clientCertificate),
            ("SSL error: sslv3 alert certificate expired", .clientCertificate),
            ("FATAL:  connection requires a valid client certificate", .clientCertificate),
            ("server does not support SSL, but SSL was required", .noTLS),
            (#"FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "placard", no encryption"#, .refused),
            ("FATAL:  pg_hba.conf rejects connection for host", .refused), ("FATAL:  42501", .refused),
            ("channel binding required, but SSL not in use", .refused),
            (#"FATAL:  permission denied for database "cards""#, .refused),
            (#"FATAL:  database "cards" is not currently accepting connections"#, .refused),
            (#"FATAL:  role "placard" is not permitted to log in"#, .refused),
            (#"FATAL:  role "placard" does not exist"#, .user),
            (#"FATAL:  database "cards" does not exist"#, .database), ("FATAL:  3D000", .database),
            ("FATAL:  remaining connection slots are reserved for non-replication superuser", .tooMany),
            ("FATAL:  sorry, too many clients already", .tooMany), ("FATAL:  53300", .tooMany),
            ("server is in hot standby mode", .standby), ("session is read-only", .readOnly),
            ("FATAL:  the database system is starting up", .starting),
            ("FATAL:  the database system is not yet accepting connections", .starting),
            ("FATAL:  the database system is in recovery mode", .starting), ("FATAL:  57P03", .starting),
            ("timeout expired", .timeout), ("Connection timed out", .timeout),
            ("Connection refused", .unreachable), ("No route to host", .unreachable),
            ("Network is unreachable", .unreachable),
        ] as [(String, ConnectionProblem.Kind)]
    )
    func kinds(said: String, kind: ConnectionProblem.Kind) throws {
        let found = try #require(problem(Self.place + said + "\n"))
        #expect(found.kind == kind)
        #expect(found.server == "db.example:5432")
        #expect(found.user == "placard")
        #expect(!found.message.contains("\n"))
        let failure = PostgresError(found)
        #expect(failure.state == found.state)
        #expect(failure.endsConnection == found.isTransient)
        #expect(StoreError(failure).message == found.message)
    }

    @Test(
        "What is wrong with the address is said before any server was asked, and is never tried again",
        arguments: [
            #"definition of service "cards" not found"#, #"service file "/etc/pg_service.conf" not found"#,
            #"syntax error in service file "/s", line 2"#, #"invalid sslmode value: "on""#,
            #"could not match 2 port numbers to 3 hosts"#, #"missing "=" after "x" in connection info string"#,
            #"Unix-domain socket path "/x/.s.PGSQL.5432" is too long (maximum 107 bytes)"#,
        ]
    )
    func address(said: String) throws {
        let found = try #require(problem(said))
        #expect(found.kind == .address)
        #expect(!found.isTransient)
        #expect(found.state.isEmpty)
        #expect(found.server.isEmpty)
    }

    @Test("What nothing is known of is no problem of a known kind", arguments: ["", "\n", "out of memory", "FATAL: x"])
    func unknown(said: String) {
        #expect(problem(said) == nil)
        #expect(problem(Self.place + said) == nil)
    }

    @Test("Of several servers the problem that an operator has to solve is told, with the server that has it")
    func several() throws {
        let refused = #"connection to server at "a.example" (10.0.0.1), port 5432 failed: Connection refused"# + "\n"
        let standby = #"connection to server at "b.example", port 5433 failed: server is in hot standby mode"# + "\n"
        let password =
            #"connection to server at "c.example", port 5434 failed: FATAL:  password authentication failed "#
            + #"for user "u""# + "\n"
        let both = try #require(problem(refused + standby))
        #expect(both.kind == .standby && both.server == "b.example:5433")
        for order in [[refused, standby, password], [password, refused, standby]] {
            let found = try #require(problem(order.joined()))
            #expect(found.kind == .password && found.server == "c.example:5434")
        }
        let host = #"could not translate host name "d.example" to address: Name or service not known"# + "\n"
        let found = try #require(problem(host + refused))
        #expect(found.kind == .unknownHost && found.server == "d.example")
    }

    @Test("Names that would begin another line of the log don't, and a socket is named by its path")
    func names() throws {
        let socket = #"connection to server on socket "/run/pg/.s.PGSQL.5432" failed: Connection refused"#
        #expect(try #require(problem(socket)).server == "/run/pg/.s.PGSQL.5432")
        let found = ConnectionProblem(.password, server: "a\nb:5432", user: "u\r\n\u{7F}\u{1B}[31mv")
        #expect(found.server == "ab:5432")
        #expect(found.user == "u[31mv")
        #expect(found.message.hasPrefix("PostgreSQL at ab:5432 refused the password of u[31mv."))
        let nobody = ConnectionProblem(.user)
        #expect(nobody.message.hasPrefix("PostgreSQL doesn't know the user."))
    }

    @Test("Every kind has a message of its own that ends as a sentence does")
    func messages() {
        let messages = ConnectionProblem.Kind.allCases.map { ConnectionProblem($0, server: "s:1", user: "u").message }
        #expect(Set(messages).count == messages.count)
        #expect(messages.allSatisfy { $0.hasSuffix(".") && !$0.contains("  ") })
    }
}

@Suite("PostgreSQL: what is made of its errors")
struct PostgresFailureTests {
    @Test(
        "An SQLSTATE says what a caller is told, and whether a transaction or another server is tried",
        arguments: [
            ("40001", .unavailable, "again"), ("40P01", .unavailable, "again"), ("23505", .conflict, "again"),
            ("23514", .conflict, "again"), ("23503", .conflict, ""), ("53100", .diskFull, ""),
            ("55P03", .unavailable, ""), ("57014", .unavailable, ""), ("53300", .unavailable, ""),
            ("25006", .unavailable, "other"), ("25P03", .unavailable, "other"), ("57P01", .unavailable, "other"),
            ("57P02", .unavailable, "other"), ("57P03", .unavailable, "other"), ("08006", .unavailable, "other"),
            ("XX001", .corrupt, ""), ("XX002", .corrupt, ""), ("XX000", .unavailable, ""),
            ("28P01", .unavailable, ""), ("42501", .unavailable, ""), ("42P01", .incompatible, ""),
            ("42703", .incompatible, ""), ("22012", .unavailable, ""), ("", .unavailable, ""),
        ] as [(String, StoreError.Code, String)]
    )
    func states(state: String, code: StoreError.Code, next: String) {
        let failure = PostgresError(state: state)
        #expect(StoreError(failure).code == code)
        #expect(StoreError(failure).message.contains("SQLSTATE \(state)"))
        #expect(failure.isTransient == (next == "again"))
        #expect(failure.endsConnection == (next == "other"))
        let lost = PostgresError(state: state, isConnectionLost: true)
        #expect(lost.endsConnection)
        #expect(StoreError(lost).code == .unavailable)
    }

    @Test("Another attempt is counted by the reason for it")
    func retries() {
        #expect(PostgresError(state: "40P01").retry == .deadlock)
        #expect(PostgresError(state: "23505").retry == .duplicate)
        #expect(["40001", "23514", ""].allSatisfy { PostgresError(state: $0).retry == .serialization })
        #expect(["40001", "40P01"].allSatisfy { PostgresError(state: $0).isVictim })
        #expect(["23505", "23514", ""].allSatisfy { !PostgresError(state: $0).isVictim })
    }

    @Test("Errors of any other kind say nothing of what is in them")
    func others() {
        struct Secret: Error { let text = "SECRET" }
        let refusal = StoreError(.notFound, "No such user.")
        #expect(StoreError(refusal as any Error) == refusal)
        #expect(StoreError(Secret()).code == .unavailable)
        #expect(!StoreError(Secret()).message.contains("SECRET"))
        #expect(StoreError(CancellationError()).code == .unavailable)
    }
}
