import CommandSettings
import Logging
import Synchronization
import Testing

@testable import PlacardCommands

/// What a server says once it has read its settings again.
struct ServerReloadTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            lines.all.withLock { $0.append("\(event.level) \(event.message)\(details.joined())") }
        }
    }

    private static let started = "port: 8080\nsmtp_password: hush\ntrusted_proxies: [127.0.0.1]\nlog_level: info\n"

    /// Returns the lines of a server that was started with settings and then reads others.
    private func said(reading file: String, _ environment: [String: String] = [:]) throws -> [String] {
        let lines = Lines()
        let reload = ServerReload(
            values: { try SettingValues(file: file, environment: environment) },
            started: try SettingValues(file: Self.started, environment: environment),
            logLevel: nil,
            tls: try TLSOptions.parse([]),
            certificate: nil,
            accessLog: nil,
            logger: Logger(label: "test") { _ in Handler(lines: lines) }
        )
        reload()
        return lines.all.withLock { $0 }
    }

    @Test func `What only a start reads is named, without its value`() throws {
        let file = """
            port: 9090
            smtp_password: louder
            trusted_proxies: 127.0.0.1
            backups: /backups
            tls_certificate: chain.pem
            tls_key: key.pem
            """
        #expect(
            try said(reading: file) == [
                """
                warning Settings were changed that count once the server is restarted \
                settings=port,tls_certificate,tls_key,smtp_password,backups
                """
            ]
        )
    }

    @Test func `What stays as it was, is read again or isn't a server's is passed over`() throws {
        #expect(try said(reading: Self.started).isEmpty)
        #expect(try said(reading: Self.started + "key: sk_1\nserver: 'http://other'\n").isEmpty)
        // The environment comes before the file.
        let variables = ["PLACARD_PORT": "1"]
        #expect(try said(reading: Self.started.replacing("8080", with: "9090"), variables).isEmpty)
    }

    @Test func `A variable of the environment that is none of a server's is named at the start`() throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        ServerLogging.noteUnknownVariables(try SettingValues(environment: ["PLACARD_PORT": "1"]), logger)
        let others = ["PLACARD_SERVICE_HOST": "10.0.0.1", "PLACARD_PORT_8080_TCP": "a", "PLACARD_BUILT": "b"]
        ServerLogging.noteUnknownVariables(try SettingValues(environment: others), logger)
        let values = try SettingValues(environment: ["PLACARD_TRUSTED_PROXY": "10.0.0.1", "PLACARD_KEYS": "hush"])
        ServerLogging.noteUnknownVariables(values, logger)
        let variables = "PLACARD_KEYS (PLACARD_KEY?), PLACARD_TRUSTED_PROXY (PLACARD_TRUSTED_PROXIES?)"
        #expect(
            lines.all.withLock { $0 } == [
                "warning Variables of the environment are no settings variables=\(variables)"
            ]
        )
    }

    @Test func `Settings that can't be read are an error, and nothing else is said`() throws {
        let lines = try said(reading: "prot: 1\n")
        #expect(lines.count == 1)
        let beginning = "error The settings can't be read; the old ones stay error=placard.yaml"
        #expect(lines.first?.hasPrefix(beginning) == true)
    }
}
