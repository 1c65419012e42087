import CardStore
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// A server with TLS that the tests of this file share.
private enum TLSServer {
    private static let starting = Task { try await PostgresServer.startWithTLS() }

    static func shared() async throws -> PostgresServer { try await starting.value }
}

/// The parts of an address, of which a test changes some.
private struct Address {
    var user = "app"
    var password = ":correct%20horse"
    var host = "localhost"
    var port: Int
    var database = "app"
    var mode = "verify-full"
    var root: String
    var more = ""

    init(_ server: PostgresServer) { (port, root) = (server.port, server.folder + "/root.crt") }

    var url: String {
        "postgresql://\(user)\(password)@\(host):\(port)/\(database)?sslmode=\(mode)&sslrootcert=\(root)\(more)"
    }
}

@Suite("PostgreSQL: who is let in, and who answers", .timeLimit(.minutes(20)))
struct SecurityTests {
    @Test("With TLS, a certificate that is checked and a password by SCRAM, a store opens")
    func secure() async throws {
        let server = try await TLSServer.shared()
        var address = Address(server)
        address.more = "&channel_binding=require"
        let connection = try PostgresConnection(ConnectionSettings(url: address.url))
        let row = try connection.row(
            "SELECT ssl AS is_encrypted, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        )
        #expect(try row?.flag("is_encrypted") == true)
        #expect(connection.security.mode == "verify-full")
        #expect(connection.security.isEncrypted)
        let store = try await PostgresCardStore.open(url: address.url)
        let health = await store.healthChecks()
        #expect(health.allSatisfy { $0.failure == nil })
        #expect(health.first { $0.name == "write" }?.detail == "localhost:\(server.port), timeline 1")
        try await store.close()
    }

    @Test("A password in a password file is enough")
    func passwordFile() async throws {
        let server = try await TLSServer.shared()
        let file = server.folder + "-passwords"
        try "localhost:*:app:app:correct horse\n".write(toFile: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        var address = Address(server)
        (address.password, address.more) = ("", "&passfile=\(file)")
        _ = try PostgresConnection(ConnectionSettings(url: address.url))
    }

    fileprivate struct Mistake: CustomTestStringConvertible, Sendable {
        let name: String
        /// What the message has to say, with the server for `@`.
        let message: String
        let change: @Sendable (inout Address) -> Void

        var testDescription: String { name }
    }

    private static let mistakes = [
        Mistake(name: "a wrong password", message: "@ refused the password of app.") { $0.password = ":wrong%20horse" },
        Mistake(name: "no password", message: "@ asks for a password of app.") { $0.password = "" },
        Mistake(name: "another authority", message: "The certificate of @ isn't signed by") {
            $0.root = $0.root.replacing("root.crt", with: "other.crt")
        },
        Mistake(name: "no authority", message: "The file of sslrootcert can't be read") { $0.root = "/nonexistent" },
        Mistake(name: "another host name", message: "is for another host name") { $0.host = "127.0.0.1" },
        Mistake(name: "no TLS", message: "doesn't let app in from here") { $0.mode = "disable" },
        Mistake(name: "another database", message: "@ has no such database") { $0.database = "nothing" },
        Mistake(name: "another user", message: "@ refused the password of nobody.") { $0.user = "nobody" },
        Mistake(name: "a port where nothing is", message: "localhost:1 can't be reached") { $0.port = 1 },
        Mistake(name: "an unknown host", message: "The host db.invalid isn't known.") { $0.host = "db.invalid" },
        Mistake(name: "an address that isn't one", message: "The database's address can't be read.") {
            $0.password = ":correct%2"
        },
        Mistake(name: "a mode of TLS that isn't one", message: "The database's address can't be read.") {
            $0.mode = "full"
        },
    ]

    @Test("What is wrong is said in one line, without the password", arguments: mistakes)
    fileprivate func mistake(_ mistake: Mistake) async throws {
        let server = try await TLSServer.shared()
        var address = Address(server)
        mistake.change(&address)
        let error = await #expect(throws: StoreError.self) {
            _ = try await PostgresCardStore.open(url: address.url)
        }
        let message = try #require(error?.message)
        #expect(error?.code == .unavailable)
        #expect(message.contains(mistake.message.replacing("@", with: "PostgreSQL at localhost:\(server.port)")))
        #expect(!message.contains("horse") && !message.contains("correct") && !message.contains("\n"))
        let finding = await PostgresCardStore.diagnose(url: address.url, secretsKey: .keyring(SecretsKeyring()))
        #expect(finding.map(\.message) == [message])
    }

    @Test("A server that speaks no TLS is refused where TLS is asked for")
    func noTLS() async throws {
        let server = try await PostgresServer.start(access: ["host all all 127.0.0.1/32 trust"])
        let url = "postgresql://placard@127.0.0.1:\(server.port)/postgres?sslmode="
        let error = await #expect(throws: StoreError.self) {
            _ = try await PostgresCardStore.open(url: url + "require")
        }
        #expect(error?.message.contains("doesn't speak TLS") == true)
        _ = try PostgresConnection(ConnectionSettings(url: url + "prefer"))
        // It ends with the last mention of it.
        withExtendedLifetime(server) {}
    }

    @Test("A server that speaks another language is understood by its SQLSTATE")
    func otherLanguage() async throws {
        let server = try RefusingServer(state: "28P01", message: "Passwort-Authentifizierung fehlgeschlagen")
        defer { server.close() }
        let error = await #expect(throws: StoreError.self) {
            _ = try await PostgresCardStore.open(url: "postgresql://app:secret@/app?host=\(server.folder)")
        }
        #expect(error?.message.contains("refused the password of app.") == true)
    }

    @Test("Timeouts that the address sets stay, and the others are set")
    func timeouts() async throws {
        let cluster = try await PostgresCluster.shared()
        let url = cluster.url(of: "postgres") + "&options=-c%20statement_timeout%3D7s"
        let connection = try PostgresConnection(ConnectionSettings(url: url))
        let row = try connection.row(
            """
            SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
                current_setting('idle_in_transaction_session_timeout') AS idle
            """
        )
        #expect(try row?.text("statement") == "7s")
        #expect(try row?.text("lock") == "5s")
        #expect(try row?.text("idle") == "1min")
    }

    @Test("A node that stops in the middle of a transaction loses its locks, and is told so")
    func idleTransaction() async throws {
        try await withConnection { connection in
            try connection.simple("SET idle_in_transaction_session_timeout = 50; BEGIN")
            let failure = #expect(throws: PostgresError.self) {
                while true {
                    // PostgreSQL ends what is idle by its own clock; any longer pause would do.
                    Thread.sleep(forTimeInterval: 0.1)
                    _ = try connection.rows("SELECT 1 AS one")
                }
            }
            #expect(failure?.endsConnection == true)
        }
    }
}
