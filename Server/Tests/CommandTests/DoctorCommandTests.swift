import CardModel
import CardServer
import CardStore
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard doctor` as an operator and a script run it, and the sentences that it has for what it finds.
struct DoctorCommandTests {
    private let now: UnixTime = 1_800_000_000

    /// Looks at a database, and at a port where no server is.
    private static func look(_ database: CommandDatabase, _ words: String...) async throws -> CommandOutcome {
        let place = ["--host", "127.0.0.1", "--port", "\(try FreePort.find())"]
        return await CommandOutcome.run(["doctor", "--database", "sqlite:\(database.path)"] + place + words)
    }

    private static func check(_ subject: String, in outcome: CommandOutcome) -> JSONValue? {
        outcome.json["checks"]?.array?.first { $0["subject"]?.string == subject }
    }

    // MARK: The command

    @Test func `JSON has what the lines say, and the status tells whether something is bad`() async throws {
        try await CommandDatabase.with { database in
            let json = try await Self.look(database, "--json")
            let checks = try #require(json.json["checks"]?.array)
            let levels = checks.map { $0["level"]?.string ?? "" }
            #expect(checks.count > 5 && Set(levels).isSubset(of: ["ok", "warn", "fail"]), "\(json.output)")
            #expect(json.status == (levels.contains("fail") ? 1 : 0) && json.notes.isEmpty)
            #expect(json.output.split(separator: "\n").count == 1)
            #expect(Self.check("keys", in: json)?["level"] == "warn")
            let command = Self.check("keys", in: json)?["command"]?.string
            #expect(command?.hasPrefix("placard key create --name NAME --kind ") == true)
            #expect(Self.check("audit", in: json)?["level"] == "ok")
            #expect(Self.check("server", in: json)?["level"] == "ok")
            let text = try await Self.look(database)
            let subjects = checks.map { $0["subject"]?.string ?? "" }
            let lines = text.output.split(separator: "\n").filter { !$0.hasPrefix("      Run: ") }
            #expect(lines.count == subjects.count && text.status == json.status)
            for (line, subject) in zip(lines, subjects) {
                #expect(line.dropFirst(4).hasPrefix("  \(subject): "), "\(line)")
            }
        }
    }

    @Test func `Looking changes nothing in the folder of the database`() async throws {
        try await CommandDatabase.with { database in
            let bytes = try Data(contentsOf: URL(filePath: database.path))
            _ = try await Self.look(database, "--full")
            #expect(try Data(contentsOf: URL(filePath: database.path)) == bytes)
        }
    }

    @Test(
        "What is no database is bad, and the report stays whole",
        arguments: ["no database", String(repeating: "x", count: 100_000)]
    )
    func noDatabase(_ text: String) async throws {
        try await CommandFolder.with { folder in
            let database = CommandDatabase(folder: folder)
            let missing = try await Self.look(database, "--json")
            #expect(missing.status == 1 && missing.json["checks"]?.array?.isEmpty == false)
            try folder.write(text, to: "cards.sqlite")
            let outcome = try await Self.look(database, "--json")
            #expect(outcome.status == 1 && outcome.json["checks"]?.array?.contains { $0["level"] == "fail" } == true)
            #expect(try folder.text(of: "cards.sqlite") == text)
        }
    }

    @Test func `The folder of backups is looked at where it is named`() async throws {
        try await CommandDatabase.with { database in
            let folder = database.folder.path("backups")
            let missing = try await Self.look(database, "--backups", folder, "--json")
            #expect(missing.status == 1 && Self.check("backups", in: missing)?["level"] == "fail")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let empty = try await Self.look(database, "--backups", folder, "--json")
            let command = "placard backup --keep 14 \(folder) --database sqlite:\(database.path)"
            #expect(Self.check("backups", in: empty)?["command"]?.string == command)
            #expect(await database.run("backup", "--keep", "1", folder).status == 0)
            let made = try await Self.look(database, "--backups", folder, "--json")
            #expect(Self.check("backups", in: made)?["level"] == "ok")
            let unnamed = try await Self.look(database, "--json")
            #expect(unnamed.output.contains("keys") && Self.check("backups", in: unnamed) == nil)
        }
    }

    @Test func `A command of Placard's own names the settings and the database that were looked at`() async throws {
        try await CommandDatabase.with { database in
            let config = try database.folder.write("database: 'sqlite:\(database.path)'\n", to: "own settings.yaml")
            let port = "\(try FreePort.find())"
            let found = await CommandOutcome.run(["doctor", "--config", config, "--port", port, "--json"])
            let command = Self.check("keys", in: found)?["command"]?.string
            #expect(command?.hasSuffix(" --config '\(config)'") == true, "\(found.output)")
        }
        func named(_ command: String) -> String? {
            DoctorCheck(.bad, "a", "b", command: command).naming(" --config c.yaml").command
        }
        #expect(named("placard audit verify") == "placard audit verify --config c.yaml")
        for other in ["timedatectl", "placard --version", "placard copy --to A", "placard prune --database d"] {
            #expect(named(other) == other)
        }
    }

    @Test(
        "A setting that a server can't use is a finding beside the others",
        arguments: [
            ("openid", "oidc_issuer: nonsense"), ("openid", "oidc_client_secret_file: /a"),
            ("mail", "smtp_host: mail.example.com"), ("mail", "smtp_password_file: ''"),
            ("bucket", "media_bucket: pictures"), ("bucket", "media_bucket_region: x"),
            ("traces", "traces_endpoint: nonsense"), ("traces", "traces_sample: 2"),
            ("certificate", "tls_certificate: /a.pem"), ("settings", "trusted_proxies: nonsense"),
            ("settings", "max_connections: 0"), ("settings", "log_level: loud"), ("settings", "public_url: nonsense"),
            ("settings", "private_webhooks: perhaps"),
        ]
    )
    func unusableSetting(_ subject: String, _ line: String) async throws {
        try await CommandDatabase.with { database in
            let config = try database.folder.write("\(line)\n", to: "settings.yaml")
            let outcome = try await Self.look(database, "--config", config, "--json")
            #expect(outcome.status == 1 && outcome.notes.isEmpty, "\(outcome.everything)")
            let found = try #require(outcome.json["checks"]?.array).filter { $0["level"] == "fail" }
            #expect(found.count == 1 && found[0]["subject"]?.string == subject, "\(outcome.output)")
            let setting = line.split(separator: ":")[0]
            #expect(found[0]["message"]?.string?.contains(setting) == true, "\(outcome.output)")
            #expect(Self.check("keys", in: outcome)?["level"] == "warn" && Self.check("server", in: outcome) != nil)
        }
    }

    @Test func `Settings that a server can use are said to be so`() async throws {
        try await CommandDatabase.with { database in
            let config = try database.folder.write("trusted_proxies: 127.0.0.1\n", to: "settings.yaml")
            let outcome = try await Self.look(database, "--config", config, "--json")
            #expect(Self.check("settings", in: outcome)?["level"] == "ok", "\(outcome.output)")
        }
    }

    @Test func `Readiness alone is asked of a server, and of nothing else`() async throws {
        try await CommandServer.run { server in
            let port = try #require(URL(string: server.address)?.port)
            let words = ["doctor", "--ready", "--host", "127.0.0.1", "--port"]
            // However busy the machine is.
            let ready = await CommandOutcome.run(words + ["\(port)", "--wait", "120"])
            #expect(ready.status == 0 && ready.output == "ok    server: ready at \(server.address)\n")
            let json = await CommandOutcome.run(words + ["\(port)", "--wait", "120", "--json"])
            #expect(json.json["checks"]?.array?.count == 1 && Self.check("server", in: json)?["level"] == "ok")
            let free = try FreePort.find()
            let none = await CommandOutcome.run(words + ["\(free)", "--wait", "0"])
            #expect(none.status == 1)
            #expect(none.output.hasPrefix("FAIL  server: None answers at http://127.0.0.1:\(free)."))
        }
    }

    @Test(
        "Flags that contradict each other are wrong usage",
        arguments: [
            ["--wait", "1"], ["--ready", "--full"], ["--ready", "--backups", "b"], ["--ready", "--wait=-1"],
            ["--ready", "--wait", "86401"], ["--ready", "--wait", "1.5"], ["--ready", "--wait", "nan"],
            ["--ready", "--port", "65536"], ["--ready", "--port="], ["--ready", "--host="], ["--ready", "--socket="],
            ["--ready", "--tls-certificate", "c"],
        ]
    )
    func usage(_ words: [String]) async {
        let outcome = await CommandOutcome.run(["doctor"] + words)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome.everything)")
    }

    // MARK: Sentences

    @Test func `The clock is set where it is long past, or behind the newest entry`() {
        #expect(DoctorCheck(clock: now, latest: nil).level == .good)
        #expect(DoctorCheck(clock: now, latest: now + 60).level == .good)
        let behind = DoctorCheck(clock: now, latest: now + 61)
        #expect(behind.level == .bad && behind.message == "The newest entry was made 61 s from now. Set the clock.")
        #expect(DoctorCheck(clock: now, latest: 1e300).level == .bad)
        #expect(DoctorCheck(clock: 0, latest: nil).level == .bad)
        #expect(DoctorCheck(clock: BuildInformation.earliestClock, latest: nil).level == .good)
    }

    @Test func `Keys of both kinds have to work, and each missing kind is named`() {
        func key(_ kind: APIKey.KeyKind, expires: UnixTime? = nil) -> APIKey {
            var key = KeySecret(name: "k", kind: kind, permissions: [.manage], createdAt: 0).key
            key.expiresAt = expires
            return key
        }
        let both = DoctorCheck(keys: [key(.secret), key(.publishable)], at: now)
        #expect(both.level == .good && both.message == "2 work")
        let expired = DoctorCheck(keys: [key(.secret), key(.publishable, expires: now)], at: now)
        #expect(expired.message == "There is no publishable key.")
        #expect(expired.command == "placard key create --name NAME --kind publishable")
        let none = DoctorCheck(keys: [], at: now)
        #expect(none.level == .warning && none.message.contains("publishable") && none.message.contains("secret"))
    }

    @Test func `Messages that wait for more than ten minutes are worth a warning`() {
        func queue(_ age: Double?) -> MailQueue {
            MailQueue(waiting: 3, oldestAt: age.map { now - $0 }, dueAt: nil, lastFailure: nil)
        }
        #expect(DoctorCheck(mails: queue(nil), at: now).level == .good)
        #expect(DoctorCheck(mails: queue(600), at: now).level == .good)
        let late = DoctorCheck(mails: queue(3_600), at: now)
        #expect(late.level == .warning && late.message.hasPrefix("3 wait, the oldest for 60 minutes."))
        #expect(DoctorCheck(mails: queue(-60), at: now).level == .good)
        #expect(DoctorCheck(mails: queue(1e300), at: now).level == .warning)
    }

    @Test func `Pictures in a bucket that isn't set are counted, and none are no check`() {
        #expect(DoctorCheck(picturesWithoutBucket: 0) == nil)
        let one = DoctorCheck(picturesWithoutBucket: 1)
        #expect(one?.level == .bad && one?.message.hasPrefix("1 picture is in a bucket") == true)
        #expect(DoctorCheck(picturesWithoutBucket: 2)?.message.hasPrefix("2 pictures are in a bucket") == true)
    }

    @Test func `A check is a line with its mark, and another with the command`() {
        let check = DoctorCheck(.bad, "keys", "None works.", command: "placard key list")
        #expect(check.text == "FAIL  keys: None works.\n      Run: placard key list")
        #expect(DoctorCheck(.warning, "a", "b").text == "warn  a: b")
        #expect(DoctorCheck(.good, "a", "b").text == "ok    a: b")
        #expect(check.json["level"] == "fail" && check.json["command"] == "placard key list")
        #expect(DoctorCheck(.good, "a", "b").json["command"]?.isNull == true)
    }
}
