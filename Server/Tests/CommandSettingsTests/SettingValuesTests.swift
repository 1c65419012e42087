import Testing

@testable import CommandSettings

@Suite("Settings")
struct SettingValuesTests {
    @Test("come from a flag, then the environment, then the file")
    func order() throws {
        // Given all three
        let values = try SettingValues(
            file: "port: 1\nhost: a\nkey: f",
            environment: ["PLACARD_PORT": "2"]
        )
        // Then the first that says something counts, and says where it was
        #expect(try values.value(of: .port, flag: "3") == SettingValues.Value(text: "3", origin: "--port"))
        #expect(try values.value(of: .port) == SettingValues.Value(text: "2", origin: "PLACARD_PORT"))
        #expect(try values.value(of: .host) == SettingValues.Value(text: "a", origin: "host in placard.yaml"))
        #expect(try values.value(of: .key)?.text == "f")
        #expect(try values.value(of: .database) == nil)
    }

    @Test(
        "that are misspelt are near to the one that is meant",
        arguments: [
            ("prot", "port"), ("log_levle", "log_level"), ("trusted_proxy", "trusted_proxies"),
            ("smtp_pasword", "smtp_password"), ("Port", "port"), ("purple", nil), ("", nil),
            (String(repeating: "port", count: 999), nil),
        ] as [(String, String?)]
    )
    func nearest(name: String, meant: String?) {
        #expect(SettingValues.Setting.nearest(to: name)?.rawValue == meant)
        let error = #expect(throws: ConfigurationError.self) {
            try SettingValues(file: "\"\(name)\": 1", environment: [:])
        }
        #expect(error?.description.contains("Did you mean \(meant ?? "")?") == (meant != nil))
    }

    @Test("that the environment misspells are named, and other programs' variables aren't")
    func variables() throws {
        let names = ["PLACARD_PROT", "PLACARD_PORT", "PLACARD_CONFIG", "PATH", "PLACARD_A"]
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "1") })
        #expect(try SettingValues(environment: environment).unknownVariables == ["PLACARD_A", "PLACARD_PROT"])
        #expect(SettingValues.Setting.nearest(toVariable: "PLACARD_PROT") == .port)
    }

    @Test("differ where another value counts: the environment's before the file's, byte by byte")
    func differences() throws {
        let variables = ["PLACARD_HOST": "a"]
        let first = try SettingValues(file: "port: 1\nhost: b\noidc_name: caf\u{E9}\n", environment: variables)
        let second = try SettingValues(file: "port: 2\nhost: c\noidc_name: cafe\u{301}\n", environment: variables)
        #expect(first.differences(from: second) == [.port, .oidcName])
        #expect(second.differences(from: try SettingValues(environment: [:])) == [.host, .port, .oidcName])
        #expect(first.differences(from: first).isEmpty)
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

    @Test("that are empty are refused by their origin, wherever they are", arguments: SettingValues.Setting.allCases)
    func empty(setting: SettingValues.Setting) throws {
        let name = setting.rawValue
        let variable = try SettingValues(file: "\(name): a", environment: [setting.variable: ""])
        let file = try SettingValues(file: "\(name): ''", environment: [:])
        let nothing = try SettingValues(file: "\(name):", environment: [:])
        guard name != "trusted_proxies", name != "access_log" else {
            // Then none is wanted, also where a lower place names some
            for values in [variable, file, nothing] { #expect(try values.value(of: setting) == nil) }
            #expect(try variable.value(of: setting, flag: "") == nil)
            return
        }
        for (values, origin) in [(variable, setting.variable), (file, "\(name) in placard.yaml")] {
            let error = #expect(throws: ConfigurationError.self) { try values.value(of: setting) }
            #expect(error?.description.hasPrefix("\(origin) is empty.") == true)
        }
        #expect(throws: ConfigurationError.self) { try nothing.value(of: setting) }
        let error = #expect(throws: ConfigurationError.self) { try variable.value(of: setting, flag: "") }
        #expect(error?.description.hasPrefix("\(setting.flag) is empty.") == true)
        // And a place before it that says something counts
        #expect(try variable.value(of: setting, flag: "b")?.text == "b")
    }

    @Test(
        "that have several values may be lists",
        arguments: [
            "trusted_proxies: [127.0.0.1, 10.0.0.0/8]", "trusted_proxies:\n  - 127.0.0.1\n  - 10.0.0.0/8",
            #"{"trusted_proxies": ["127.0.0.1", "10.0.0.0/8"]}"#, "trusted_proxies: 127.0.0.1,10.0.0.0/8",
        ]
    )
    func lists(text: String) throws {
        let values = try SettingValues(file: text, environment: [:])
        #expect(try values.value(of: .trustedProxies)?.text == "127.0.0.1,10.0.0.0/8")
        #expect(try SettingValues(file: "secrets_key: [a, b]", environment: [:]).value(of: .secretsKey)?.text == "a,b")
        #expect(try SettingValues(file: "trusted_proxies: []", environment: [:]).value(of: .trustedProxies) == nil)
    }

    @Test(
        "say which form they take",
        arguments: [
            ("port: [1]", "`port: `"), ("host: {a: b}", "`host: `"), ("trusted_proxies: {a: b}", "[A, B]"),
            ("trusted_proxies: [[a]]", "[A, B]"), ("secrets_key: [a,]\ntrusted_proxies: ['a,b']", "[A, B]"),
            ("trusted_proxies: [null]", "[A, B]"),
        ]
    )
    func forms(text: String, form: String) {
        let error = #expect(throws: ConfigurationError.self) { try SettingValues(file: text, environment: [:]) }
        #expect(error?.description.contains(form) == true)
    }

    @Test("name a database")
    func database() throws {
        func location(_ text: String) throws -> DatabaseLocation {
            try DatabaseLocation(SettingValues.Value(text: text, origin: "--database"))
        }
        #expect(try location("sqlite:a/b.sqlite").path == "a/b.sqlite")
        #expect(try location("sqlite:///var/b.sqlite").path == "/var/b.sqlite")
        #expect(try location("sqlite:/var/b.sqlite").path == "/var/b.sqlite")
        #expect(try location("SQLite:a=b.sqlite").path == "a=b.sqlite")
        for wrong in ["", "a.sqlite", "sqlite:", "sqlite::memory:", "mysql://x", "=x", " =x", "host", "host x=y"] {
            #expect(throws: ConfigurationError.self) { try location(wrong) }
        }
        for (text, url) in [
            ("Postgresql://u:pw@H/X", "postgresql://u:pw@H/X"), ("POSTGRES://e\u{301}/x", "postgres://e\u{301}/x"),
        ] {
            #expect(try location(text) == .postgres(url: url))
        }
        for url in [
            "postgres://db/placard", "postgresql://user@a,b/placard?sslmode=verify-full",
            "host=db.example.com dbname=placard", "user = 'a b' host=/tmp",
        ] {
            let server = try location(url)
            #expect(server == .postgres(url: url))
            let error = #expect(throws: ConfigurationError.self) { try server.path }
            #expect(error?.description.contains("SQLite") == true)
        }
    }

    @Test(
        "never say a password of what is no database",
        arguments: [
            "postgres:u:SECRET@h/x", "postgresql:/u:SECRET@h/x", "jdbc:postgresql://u:SECRET@h/x", "u:SECRET@h/x",
            "mysql://u:SECRET@h/x", " postgresql://u:SECRET@h/x", "postgresql//u:SECRET@h", "SECRET",
            "Host=h password=SECRET",
        ]
    )
    func secrets(text: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try DatabaseLocation(SettingValues.Value(text: text, origin: "PLACARD_DATABASE"))
        }
        #expect(error?.description.contains("SECRET") == false)
        #expect(error?.description.contains("postgresql://USER@HOST/NAME") == true)
    }

    @Test("name a port", arguments: ["-1", "65536", "x", "", "80.5"])
    func port(text: String) {
        #expect(throws: ConfigurationError.self) { try Port.number(SettingValues.Value(text: text, origin: "--port")) }
    }

    @Test("name a whole number within its bounds, and say what those are otherwise")
    func wholeNumbers() throws {
        func number(_ text: String) throws -> Int {
            try WholeNumber.read(SettingValues.Value(text: text, origin: "--max"), in: 1...1_000)
        }
        #expect(try ["1", "007", "1000"].map(number) == [1, 7, 1_000])
        for text in ["0", "1001", "-1", "", " 1", "1 ", "1.0", "1e2", "0x1", "٣", "9223372036854775808"] {
            let error = #expect(throws: ConfigurationError.self, "\(text)") { try number(text) }
            #expect(error?.description == "--max: a whole number from 1 to 1000 is expected, not \(text).")
        }
    }

    @Test("are true or false, and nothing that looks like it", arguments: ["True", "yes", "1", "0", "on", "", " true"])
    func truthValues(text: String) throws {
        func flag(_ text: String) throws -> Bool {
            try TruthValue.read(SettingValues.Value(text: text, origin: "PLACARD_X"))
        }
        #expect(try flag("true") && !flag("false"))
        let error = #expect(throws: ConfigurationError.self) { try flag(text) }
        #expect(error?.description.hasPrefix("PLACARD_X: true or false is expected") == true)
    }
}
