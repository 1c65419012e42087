import CardModel
import CardServer
import Foundation
import Testing
import WireJSON
import WorkspaceFiles

@testable import BrazeImport

/// What an export says in an unusual way is taken over or named, and never lost.
struct ExportLossTests {
    /// The card of a campaign whose message has some fields beside its texts.
    private static func card(_ fields: String) throws -> (card: JSONValue?, remarks: [String]) {
        let texts = #""channel": "content_cards", "title": "T", "description": "D", "type": "classic""#
        let text = #"{"name": "Spring", "schedule_type": "time_based", "messages": {"m": {\#(texts), \#(fields)}}}"#
        let imported = try ImportedExport(["a.json": text])
        let card = imported.objects["campaigns/spring"]?["variants"]?.array?.first?["card"]
        return (card, imported.report.entries.first?.remarks ?? [])
    }

    // MARK: Subscriptions

    @Test(
        "A user who wants no messages gets none, in whichever order the columns stand",
        arguments: [
            ("email_subscribe,unsubscribed_from_emails_at", "subscribed,2026-01-01"),
            ("unsubscribed_from_emails_at,email_subscribe", "2026-01-01,subscribed"),
            ("unsubscribed_from_emails_at,email_subscribe", "2026-01-01,opted_in"),
            ("email_subscribe,opted_in_to_emails_at", "unsubscribed,2025-01-01"),
            ("opted_in_to_emails_at,email_subscribe", "2025-01-01,unsubscribed"),
            ("opted_in_to_emails_at,unsubscribed_from_emails_at", "2025-01-01,2026-01-01"),
            ("unsubscribed_from_emails_at,opted_in_to_emails_at", "2026-01-01,2025-01-01"),
        ]
    )
    func unsubscribed(_ columns: String, _ values: String) throws {
        let imported = try ImportedExport(["users.csv": "user_id,\(columns)\na,\(values)\n"])
        #expect(imported.users.first?["attributes"]?["email_subscribe"] == "unsubscribed")
    }

    @Test(
        "A user who asked for messages keeps that, and one who said nothing says nothing",
        arguments: [
            ("email_subscribe,opted_in_to_emails_at", "subscribed,2025-01-01", "opted_in"),
            ("opted_in_to_emails_at,email_subscribe", "2025-01-01,subscribed", "opted_in"),
            ("opted_in_to_emails_at,email_subscribe", ",subscribed", "subscribed"),
            ("unsubscribed_from_emails_at,email_subscribe", ",", nil),
        ] as [(String, String, String?)]
    )
    func subscribed(_ columns: String, _ values: String, _ state: String?) throws {
        let imported = try ImportedExport(["users.csv": "user_id,\(columns)\na,\(values)\n"])
        #expect(imported.users.count == 1)
        #expect(imported.users.first?["attributes"]?["email_subscribe"]?.string == state)
    }

    @Test func `The states of e-mail and push are two`() throws {
        let csv = "user_id,unsubscribed_from_push_at,opted_in_to_emails_at\na,2026-01-01,2025-01-01\n"
        let attributes = try ImportedExport(["users.csv": csv]).users.first?["attributes"]
        #expect(attributes?["push_subscribe"] == "unsubscribed" && attributes?["email_subscribe"] == "opted_in")
    }

    // MARK: Users

    @Test(
        "Custom attributes without names are counted, and the user stays",
        arguments: [#"["pro"]"#, #""pro""#, "7", "true"]
    )
    func unnamed(_ attributes: String) throws {
        let line = #"{"external_id": "a", "country": "JP", "custom_attributes": \#(attributes)}"#
        let imported = try ImportedExport(["users.jsonl": line + "\n" + line])
        #expect(imported.users.count == 2 && imported.users[0]["custom_attributes"] == [:])
        let count = imported.report.users.fields.first { $0.key.hasPrefix("custom_attributes") }?.value
        #expect(count?.number == 2 && count?.firstPlace == "users.jsonl:1")
        #expect(!imported.report.text.contains("pro\""))
    }

    @Test("Custom attributes of nothing are no loss", arguments: ["null", "{}", "[]"])
    func none(_ attributes: String) throws {
        let line = #"{"external_id": "a", "custom_attributes": \#(attributes)}"#
        let imported = try ImportedExport(["users.json": line])
        #expect(imported.users.count == 1 && imported.report.users.fields.isEmpty && imported.report.isComplete)
    }

    @Test func `A user without an ID is counted by the reason, with the place of the first`() throws {
        let lines = [
            #"{"external_id": "a"}"#, #"{"braze_id": "b"}"#, #"{"external_id": ""}"#, #"{"user_aliases": [{"a": 1}]}"#,
            #"{"external_id": "\#(String(repeating: "x", count: 513))"}"#,
        ]
        let imported = try ImportedExport(["users.jsonl": lines.joined(separator: "\n")])
        #expect(imported.users.map { $0["user_id"] } == ["a"] && imported.report.users.refused == 4)
        let missing = imported.report.users.refusals["They have no external_id."]
        #expect(missing?.number == 3 && missing?.firstPlace == "users.jsonl:2")
        #expect(!imported.report.isComplete && imported.report.json["users"]?["imported"] == 1)
        #expect(imported.report.json["users"]?["left_out"]?.array?.count == 2)
    }

    @Test func `Reasons beyond those that are counted apart are counted together`() throws {
        let fields = (0..<600).map { #""f\#($0)": 1"# }.joined(separator: ", ")
        let long = String(repeating: "n", count: 401)
        let imported = try ImportedExport(["users.json": #"{"external_id": "a", "\#(long)": 1, \#(fields)}"#])
        let counts = imported.report.users.fields
        #expect(imported.users.count == 1 && counts.values.reduce(0) { $0 + $1.number } == 601)
        #expect(counts["others"].map { $0.number > 1 } == true && counts[long] == nil && counts.count <= 501)
    }

    // MARK: Cards

    @Test func `A time in seconds ends a card, as one in words does`() throws {
        let seconds = try Self.card(#""expire_at": 1893456000"#)
        let words = try Self.card(#""expire_at": "2030-01-01T00:00:00Z""#)
        #expect(seconds.card?["expires_at"] != nil && seconds.card?["expires_at"] == words.card?["expires_at"])
        #expect(!(seconds.remarks + words.remarks).contains { $0.contains("expires_at") })
    }

    @Test(
        "A time that isn't one is named, and the card stays",
        arguments: ["true", "-5", "1e300", "[1]", "{}", #""2030-13-01""#]
    )
    func times(_ time: String) throws {
        let (card, remarks) = try Self.card(#""expire_at": \#(time)"#)
        #expect(card?["title"] == "T" && card?["expires_at"] == nil)
        #expect(remarks.contains { $0.hasPrefix("expires_at was left out: ") }, "\(remarks)")
    }

    @Test(
        "What has no value stands before nothing that has one",
        arguments: [
            (#""expire_at": null, "time_to_live": 60"#, "expires_after"),
            (#""expire_at": "", "time_to_live": 60"#, "expires_after"),
            (#""extras": null, "extra": {"k": "v"}"#, "extras"),
            (#""extra": {"k": "v"}, "extras": null"#, "extras"),
            (#""url": "", "uri": "shop://a""#, "url"),
        ]
    )
    func empty(_ fields: String, _ name: String) throws {
        let (card, remarks) = try Self.card(fields)
        #expect(card?[name] != nil, "\(card?.text ?? "no card")")
        #expect(!remarks.contains { $0.contains("was left out") }, "\(remarks)")
    }

    // MARK: Folders

    @Test func `Folders that can't be an export, or can't be written, are refused by name`() throws {
        let work = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        let (file, export) = (work.appending(path: "file").path, work.appending(path: "export").path)
        try Data("mine".utf8).write(to: URL(filePath: file))
        try FileManager.default.createDirectory(atPath: export, withIntermediateDirectories: false)
        let importing = ExportImport(includesArchived: false, filters: [])
        let none = work.appending(path: "none").path
        for (source, target) in [(none, none + "-out"), (file, none + "-out"), (export, file), (export, export)] {
            let problem = #expect(throws: FileProblem.self) { _ = try importing.run(from: source, to: target) }
            #expect(problem?.description.contains(work.path) == true, "\(source) to \(target)")
        }
        #expect(!FileManager.default.fileExists(atPath: none + "-out"))
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
        // An export of nothing is taken over, and says so.
        let report = try importing.run(from: export, to: work.appending(path: "out").path)
        #expect(report.files == 0 && report.isComplete && report.entries.isEmpty)
        #expect(report.text.hasPrefix("Took over 0 campaigns, 0 segments, 0 content blocks and 0 users from 0 files;"))
    }
}
