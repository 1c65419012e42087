import CommandSettings
import Foundation
import Testing

@testable import CardServer
@testable import PlacardCommands

/// The settings of the mail server, which are in the file and the environment alone.
struct MailOptionsTests {
    private static let least = [
        "SMTP_HOST": "smtp.example.com", "SMTP_FROM": "Placard <cards@example.com>",
        "PUBLIC_URL": "https://cards.example.com",
    ]

    private static func settings(_ changes: [String: String?] = [:], file: String? = nil) throws -> MailSettings? {
        var environment: [String: String] = [:]
        for (name, value) in least { environment["PLACARD_\(name)"] = value }
        for (name, value) in changes { environment["PLACARD_\(name)"] = value }
        return try MailOptions.settings(SettingValues(file: file, environment: environment))
    }

    /// Returns the message of what can't be used.
    private static func problem(_ changes: [String: String?], file: String? = nil) -> String? {
        do {
            _ = try settings(changes, file: file)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `A mail server needs a host, a sender and an address for links`() throws {
        let settings = try #require(try Self.settings())
        #expect(settings.host == "smtp.example.com" && settings.security == .startTLS && settings.port == 587)
        #expect(settings.login == nil && settings.trustedCertificates == nil)
        #expect(settings.sender == MailSender("Placard <cards@example.com>"))
        #expect(try MailOptions.settings(SettingValues(environment: [:])) == nil)
        #expect(Self.problem(["SMTP_FROM": nil])?.hasPrefix("PLACARD_SMTP_HOST: set smtp_from") == true)
        #expect(Self.problem(["PUBLIC_URL": nil])?.hasPrefix("PLACARD_SMTP_HOST: messages link") == true)
    }

    @Test(
        "The port is that of the encryption unless another is set",
        arguments: [("starttls", 587), ("implicit", 465), ("none", 25)]
    )
    func ports(_ security: String, _ port: Int) throws {
        #expect(try Self.settings(["SMTP_SECURITY": security])?.port == port)
        #expect(try Self.settings(["SMTP_SECURITY": security, "SMTP_PORT": "2525"])?.port == 2_525)
    }

    @Test(
        "A setting without a host is named: nothing would be sent",
        arguments: ["SMTP_PORT", "SMTP_SECURITY", "SMTP_USER", "SMTP_PASSWORD", "SMTP_PASSWORD_FILE", "SMTP_FROM"]
    )
    func withoutHost(_ name: String) {
        let values = try? SettingValues(environment: ["PLACARD_\(name)": "25"])
        let error = #expect(throws: ConfigurationError.self) {
            _ = try MailOptions.settings(try #require(values))
        }
        #expect(error?.description == "PLACARD_\(name): there is no mail server. Set smtp_host, too.")
    }

    @Test(
        "What can't be used is refused by the name of its setting",
        arguments: [
            ("SMTP_HOST", "smtp example"), ("SMTP_HOST", "https://smtp.example.com"), ("SMTP_HOST", "smtp\r\nRCPT"),
            ("SMTP_HOST", String(repeating: "a", count: 254)), ("SMTP_HOST", "smtp.exämple.com"),
            ("SMTP_PORT", "0"), ("SMTP_PORT", "65536"), ("SMTP_PORT", "smtp"), ("SMTP_SECURITY", "tls"),
            ("SMTP_SECURITY", "STARTTLS"), ("SMTP_FROM", "nobody"), ("SMTP_FROM", "a@b\r\nBcc: c@d"),
            ("SMTP_FROM", "Placard <cards>"), ("SMTP_HOST", ""), ("SMTP_FROM", ""),
        ]
    )
    func refused(_ name: String, _ value: String) {
        let problem = Self.problem([name: value])
        #expect(problem?.hasPrefix("PLACARD_\(name)") == true, "\(problem ?? "taken")")
    }

    @Test func `A password goes with a user, is sent encrypted, and is in no message`() throws {
        let login = ["SMTP_USER": "cards", "SMTP_PASSWORD": "hush-hush"]
        let settings = try #require(try Self.settings(login))
        #expect(settings.login == MailSettings.Login(user: "cards", password: "hush-hush"))
        let problems = [
            Self.problem(["SMTP_PASSWORD": "hush-hush"]), Self.problem(["SMTP_USER": "cards"]),
            Self.problem(["SMTP_USER": "cards", "SMTP_PASSWORD": "hush-hush", "SMTP_SECURITY": "none"]),
            Self.problem(["SMTP_USER": "cards", "SMTP_PASSWORD": "hush-hush\u{0}"]),
            Self.problem(["SMTP_USER": "ca\nrds", "SMTP_PASSWORD": "hush-hush"]),
            Self.problem(["SMTP_USER": "cards", "SMTP_PASSWORD": "hush-hush", "SMTP_PASSWORD_FILE": "/dev/null"]),
            Self.problem(["SMTP_USER": "cards", "SMTP_PASSWORD_FILE": "/nowhere/password"]),
            Self.problem(["SMTP_USER": "cards", "SMTP_PASSWORD_FILE": "/dev/null"]),
        ]
        for problem in problems {
            let text = try #require(problem)
            #expect(!text.contains("hush-hush"), "\(text)")
        }
    }

    @Test(
        "The password is the first line of its file, however lines end",
        arguments: ["hush\n", "hush\r\n", "hush", "hush\nmore\n", "\nhush\n"]
    )
    func passwordFile(_ text: String) async throws {
        try await CommandFolder.with { folder in
            let path = try folder.write(text, to: "password")
            let settings = try Self.settings(["SMTP_USER": "cards", "SMTP_PASSWORD_FILE": path])
            #expect(settings?.login?.password == "hush")
        }
    }

    @Test func `The environment comes before the file, and errors name the one that counts`() throws {
        let file = "smtp_host: other.example.com\nsmtp_port: 26\n"
        let settings = try #require(try Self.settings(file: file))
        #expect(settings.host == "smtp.example.com" && settings.port == 26)
        #expect(Self.problem([:], file: "smtp_port: 0\n")?.hasPrefix("smtp_port in placard.yaml: ") == true)
    }
}
