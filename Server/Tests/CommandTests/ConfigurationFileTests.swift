import CommandSettings
import Foundation
import Testing

@testable import PlacardCommands

/// The file of settings: which one is read, and what becomes of one that can't be.
struct ConfigurationFileTests {
    /// Reads settings as a command does that runs in a folder of its own.
    private static func values(
        _ folder: CommandFolder,
        _ arguments: [String] = [],
        _ environment: [String: String] = [:]
    ) throws -> SettingValues {
        try ConfigurationOptions.parse(arguments).values(
            standardFile: folder.path("placard.yaml"),
            environment: environment
        )
    }

    @Test func `A flag names another file than the environment, which names another than the usual one`() async throws {
        try await CommandFolder.with { folder in
            try folder.write("port: 1\n", to: "placard.yaml")
            let second = try folder.write("port: 2\n", to: "second.yaml")
            let third = try folder.write("port: 3\n", to: "third.yaml")
            #expect(try Self.values(folder).value(of: .port)?.text == "1")
            let variable = ["PLACARD_CONFIG": second]
            #expect(try Self.values(folder, [], variable).value(of: .port)?.text == "2")
            #expect(try Self.values(folder, ["--config", third], variable).value(of: .port)?.text == "3")
            // The last of several counts, as with every option.
            let twice = ["--config", second, "--config", third]
            #expect(try Self.values(folder, twice).value(of: .port)?.text == "3")
        }
    }

    @Test func `What stands in a file comes after the environment, and errors name the file`() async throws {
        try await CommandFolder.with { folder in
            let file = try folder.write("port: 1\nhost: a\n", to: "placard.yaml")
            let values = try Self.values(folder, [], ["PLACARD_PORT": "2"])
            #expect(try values.value(of: .port, flag: "3")?.origin == "--port")
            #expect(try values.value(of: .port)?.origin == "PLACARD_PORT")
            #expect(try values.value(of: .host)?.origin == "host in \(file)")
            try folder.write("prot: 1\n", to: "placard.yaml")
            let error = #expect(throws: ConfigurationError.self) { _ = try Self.values(folder) }
            #expect(error?.description.hasPrefix("\(file): there is no setting prot.") == true)
        }
    }

    @Test func `Without a file the environment is left, and one that is named has to be there`() async throws {
        try await CommandFolder.with { folder in
            let values = try Self.values(folder, [], ["PLACARD_PORT": "2"])
            #expect(try values.value(of: .port)?.text == "2")
            let none = folder.path("none.yaml")
            let ways: [([String], [String: String])] = [(["--config", none], [:]), ([], ["PLACARD_CONFIG": none])]
            for (words, variables) in ways {
                let failure = #expect(throws: CommandError.self) { _ = try Self.values(folder, words, variables) }
                #expect(failure?.description == "There is no file \(none) that can be read.")
            }
            let flag = #expect(throws: ConfigurationError.self) { _ = try Self.values(folder, ["--config", ""]) }
            #expect(flag?.description.hasPrefix("--config is empty.") == true)
            let variable = #expect(throws: ConfigurationError.self) {
                _ = try Self.values(folder, [], ["PLACARD_CONFIG": ""])
            }
            #expect(variable?.description.hasPrefix("PLACARD_CONFIG is empty.") == true)
        }
    }

    @Test func `The usual file isn't passed over where it is there and can't be read`() async throws {
        try await CommandFolder.with { folder in
            let path = folder.path("placard.yaml")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let isFolder = #expect(throws: CommandError.self) { _ = try Self.values(folder) }
            #expect(isFolder?.description.hasPrefix("\(path) can't be read.") == true)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("mounted.yaml"))
            let dangling = #expect(throws: CommandError.self) { _ = try Self.values(folder) }
            #expect(dangling?.description.hasPrefix("\(path) can't be read.") == true)
            // Another one that is named counts alone.
            let other = try folder.write("port: 2\n", to: "other.yaml")
            #expect(try Self.values(folder, ["--config", other]).value(of: .port)?.text == "2")
            try folder.write("port: 4\n", to: "mounted.yaml")
            #expect(try Self.values(folder).value(of: .port)?.text == "4")
        }
    }

    @Test func `A file in another encoding is refused: a password in it would be another one`() async throws {
        try await CommandFolder.with { folder in
            let latin = try #require("smtp_password: pässword\n".data(using: .isoLatin1))
            let file = try folder.write(latin, to: "placard.yaml")
            let error = #expect(throws: ConfigurationError.self) { _ = try Self.values(folder) }
            #expect(error?.description == "\(file) isn't UTF-8. Save it in that encoding.")
        }
    }

    @Test(
        "A mark of UTF-8 and line ends of Windows change nothing",
        arguments: [
            "port: 8081\nhost: '::1'\n", "\u{FEFF}port: 8081\r\nhost: '::1'\r\n", #"{"port": 8081, "host": "::1"}"#,
        ]
    )
    func forms(_ text: String) async throws {
        try await CommandFolder.with { folder in
            try folder.write(text, to: "placard.yaml")
            let values = try Self.values(folder)
            #expect(try values.value(of: .port)?.text == "8081")
            #expect(try values.value(of: .host)?.text == "::1")
        }
    }

    @Test func `The package's file has every setting of a server once, but secrets, and no others`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let text = try String(contentsOf: root.appending(path: "packaging/placard.yaml"), encoding: .utf8)
        let names = text.matches(of: /^#?([a-z_]+):/.anchorsMatchLineEndings()).map { String($0.output.1) }
        let secrets: Set<SettingValues.Setting> = [
            .mediaBucketSecretKey, .mediaBucketSessionToken, .smtpPassword, .oidcClientSecret, .tracesHeaders,
            .secretsKey,
        ]
        let clients: Set<SettingValues.Setting> = [.server, .key, .publishableKey, .token]
        let wanted = Set(SettingValues.Setting.allCases).subtracting(secrets).subtracting(clients)
        #expect(Set(names) == Set(wanted.map(\.rawValue)))
        #expect(names.count == wanted.count)
    }

    @Test func `A command takes the database of its file, and a flag's before that`() async throws {
        try await CommandDatabase.with { database in
            let config = try database.folder.write("database: 'sqlite:\(database.path)'\n", to: "own.yaml")
            #expect(await CommandOutcome.run(["key", "list", "--config", config]).status == 0)
            let none = "sqlite:\(database.folder.path("none.sqlite"))"
            let flag = await CommandOutcome.run(["key", "list", "--config", config, "--database", none])
            #expect(flag.status == 1 && flag.message.contains("none.sqlite"))
            let wrong = try database.folder.write("database: cards\nkey: sk_hush\n", to: "wrong.yaml")
            let refused = await CommandOutcome.run(["key", "list", "--config", wrong])
            #expect(refused.status == 64 && refused.output.isEmpty && !refused.everything.contains("sk_hush"))
            #expect(refused.message.contains("database in \(wrong)"))
        }
    }
}
