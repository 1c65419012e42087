import Testing

@testable import CommandSettings

@Suite("Settings")
struct SettingValuesTests {
    @Test("come from a flag, then the environment, then the file")
    func order() throws {
        // Given all three
        let values = try SettingValues(
            file: "port: 1\nhost: a\nkey: f",
            environment: ["PLACARD_PORT": "2", "PLACARD_KEY": ""]
        )
        // Then the first that says something counts, and says where it was
        #expect(values.value(of: .port, flag: "3") == SettingValues.Value(text: "3", origin: "--port"))
        #expect(values.value(of: .port) == SettingValues.Value(text: "2", origin: "PLACARD_PORT"))
        #expect(values.value(of: .host) == SettingValues.Value(text: "a", origin: "host in placard.yaml"))
        #expect(values.value(of: .key)?.text == "f")
        #expect(values.value(of: .database) == nil)
    }

    @Test("may be in a file that is JSON, or empty")
    func json() throws {
        #expect(try SettingValues(file: #"{"port": 8081}"#, environment: [:]).value(of: .port)?.text == "8081")
        #expect(try SettingValues(file: "", environment: [:]).value(of: .port) == nil)
    }

    @Test("that are misspelt are refused by name", arguments: ["prot: 1", "[1]", "port: [1]", "port: {", "a\tb: - ]"])
    func wrong(text: String) {
        #expect(throws: ConfigurationError.self) { try SettingValues(file: text, environment: [:]) }
    }

    @Test("name a database")
    func database() throws {
        func location(_ text: String) throws -> DatabaseLocation {
            try DatabaseLocation(SettingValues.Value(text: text, origin: "--database"))
        }
        #expect(try location("sqlite:a/b.sqlite").path == "a/b.sqlite")
        #expect(try location("sqlite:///var/b.sqlite").path == "/var/b.sqlite")
        #expect(try location("sqlite:/var/b.sqlite").path == "/var/b.sqlite")
        for wrong in ["", "a.sqlite", "sqlite:", "sqlite::memory:", "mysql://x"] {
            #expect(throws: ConfigurationError.self) { try location(wrong) }
        }
        for url in ["postgres://db/placard", "postgresql://user@a,b/placard?sslmode=verify-full"] {
            let server = try location(url)
            #expect(server == .postgres(url: url))
            let error = #expect(throws: ConfigurationError.self) { try server.path }
            #expect(error?.description.contains("SQLite") == true)
        }
    }

    @Test("name a port", arguments: ["-1", "65536", "x", "", "80.5"])
    func port(text: String) {
        #expect(throws: ConfigurationError.self) { try Port.number(SettingValues.Value(text: text, origin: "--port")) }
    }
}
