import CommandSettings
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

/// Files whose first line is a secret, and files of headers.
struct SecretFileTests {
    private static func secret(_ path: String) throws -> String {
        try SecretFile.firstLine(SettingValues.Value(text: path, origin: "PLACARD_SMTP_PASSWORD_FILE"))
    }

    @Test(
        "The first line that isn't empty is the secret, as it is",
        arguments: [
            ("hush", "hush"), ("hush\n", "hush"), ("hush\r\nmore\r\n", "hush"), ("\n\r\nhush\n", "hush"),
            ("\u{FEFF}hush\r\n", "hush"), (" hush \n", " hush "), ("hüsh 春\n", "hüsh 春"), ("\u{FEFF}\nhush", "hush"),
            ("a\u{2028}b\n", "a\u{2028}b"),
        ]
    )
    func lines(_ text: String, _ secret: String) async throws {
        try await CommandFolder.with { folder in
            let path = try folder.write(text, to: "secret")
            #expect(try Self.secret(path).hasSameBytes(as: secret))
        }
    }

    @Test func `A secret is read whole or not at all`() async throws {
        try await CommandFolder.with { folder in
            let longest = String(repeating: "s", count: 4_096)
            for text in [longest, longest + "\n", "\u{FEFF}" + longest + "\r\nmore"] {
                let path = try folder.write(text, to: "secret")
                #expect(try Self.secret(path) == longest)
            }
            // Others behind it may be as long as they are.
            let followed = try folder.write("hush\n" + longest + longest, to: "secret")
            #expect(try Self.secret(followed) == "hush")
            for text in [longest + "s", longest + "s\n", "\u{FEFF}" + longest + "s", longest + longest] {
                let path = try folder.write(text, to: "secret")
                let error = #expect(throws: ConfigurationError.self) { _ = try Self.secret(path) }
                #expect(error?.description.hasSuffix("has to be at most 4096 bytes of UTF-8.") == true)
                #expect(error?.description.contains("sss") == false)
            }
        }
    }

    @Test func `Bytes that are no UTF-8 are no secret: other letters would stand in their place`() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.write(Data([0x68, 0x75, 0xFC, 0x0A, 0x61]), to: "secret")
            let error = #expect(throws: ConfigurationError.self) { _ = try Self.secret(path) }
            #expect(error?.description.hasPrefix("PLACARD_SMTP_PASSWORD_FILE: the first line of \(path) ") == true)
            // Only the first line counts.
            let behind = try folder.write(Data([0x68, 0x69, 0x0A, 0xFC]), to: "secret")
            #expect(try Self.secret(behind) == "hi")
        }
    }

    @Test func `What is no file, or has no line, is named with its setting`() async throws {
        try await CommandFolder.with { folder in
            let empty = try folder.write("", to: "empty")
            let blank = try folder.write("\r\n\n", to: "blank")
            for path in [empty, blank, folder.path, folder.path("none"), "/dev/null"] {
                let error = #expect(throws: ConfigurationError.self) { _ = try Self.secret(path) }
                #expect(error?.description == "PLACARD_SMTP_PASSWORD_FILE: \(path) can't be read, or is empty.")
            }
        }
    }

    @Test func `Every setting that names such a file refuses one that is cut`() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.write(String(repeating: "s", count: 5_000), to: "secret")
            let mail = [
                "PLACARD_SMTP_HOST": "smtp.example.com", "PLACARD_SMTP_FROM": "cards@example.com",
                "PLACARD_PUBLIC_URL": "https://cards.example.com", "PLACARD_SMTP_USER": "cards",
                "PLACARD_SMTP_PASSWORD_FILE": path,
            ]
            #expect(throws: ConfigurationError.self) { _ = try MailOptions.settings(SettingValues(environment: mail)) }
            let bucket = [
                "PLACARD_MEDIA_BUCKET": "cards", "PLACARD_MEDIA_BUCKET_ACCESS_KEY": "AK",
                "PLACARD_MEDIA_BUCKET_SECRET_KEY_FILE": path,
            ]
            #expect(throws: ConfigurationError.self) {
                _ = try BucketOptions.settings(SettingValues(environment: bucket))
            }
            let provider = [
                "PLACARD_OIDC_ISSUER": "https://login.example.com", "PLACARD_OIDC_CLIENT_ID": "placard",
                "PLACARD_PUBLIC_URL": "https://cards.example.com", "PLACARD_OIDC_CLIENT_SECRET_FILE": path,
            ]
            #expect(throws: ConfigurationError.self) {
                _ = try OpenIDOptions.settings(SettingValues(environment: provider))
            }
        }
    }

    @Test func `A file of headers for a collector isn't cut, which would send a part of a token`() async throws {
        try await CommandFolder.with { folder in
            func headers(_ data: Data) throws -> [String: String]? {
                let path = try folder.write(data, to: "headers")
                let environment = ["PLACARD_TRACES_ENDPOINT": "http://c:4318", "PLACARD_TRACES_HEADERS_FILE": path]
                return try TraceOptions.parse([]).settings(SettingValues(environment: environment))?.headers
            }
            let found = try headers(Data("a=hush,b=2\n".utf8))
            #expect(found == ["a": "hush", "b": "2"])
            let long = "a=" + String(repeating: "s", count: 16_383)
            for data in [Data(long.utf8), Data([0x61, 0x3D, 0xFC])] {
                let error = #expect(throws: ConfigurationError.self) { _ = try headers(data) }
                #expect(error?.description.hasPrefix("PLACARD_TRACES_HEADERS_FILE: ") == true)
                #expect(error?.description.contains("sss") == false)
            }
        }
    }
}
