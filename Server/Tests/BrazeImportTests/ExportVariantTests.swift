import CardModel
import CardServer
import Foundation
import Testing
import WireJSON
import WorkspaceFiles

@testable import BrazeImport

/// An export of some files, and what it became.
struct ImportedExport {
    let report: ImportReport
    /// The objects of the workspace by their references.
    let objects: [String: JSONObject]
    /// The lines of the file of users.
    let users: [JSONValue]

    /// Imports files, which are removed at the end.
    init(_ files: [String: Data], archived: Bool = false) throws {
        let work = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        for (path, data) in files {
            let file = work.appending(path: "export/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file)
        }
        let output = work.appending(path: "output").path
        let importing = ExportImport(includesArchived: archived, filters: CryptographyFilters.all)
        report = try importing.run(from: work.appending(path: "export").path, to: output)
        let contents = try WorkspaceFolder.open(output + "/workspace").read(Set(ObjectKind.allCases))
        #expect(contents.problems.isEmpty)
        objects = Dictionary(
            uniqueKeysWithValues: contents.files.map { ($0.object.reference.text, $0.object.members) }
        )
        let text = (try? String(contentsOfFile: output + "/users.jsonl", encoding: .utf8)) ?? ""
        users = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    /// Imports texts.
    init(_ files: [String: String], archived: Bool = false) throws {
        try self.init(files.mapValues { Data($0.utf8) }, archived: archived)
    }

    /// The sentences about what was left out, with their sources.
    var omissions: [String] { report.omissions.map { "\($0.source): \($0.reason)" } }
}

/// Every form that Braze's public API and its dashboard give.
struct ExportVariantTests {
    /// A campaign with one message.
    private static func campaign(_ message: String, _ others: String = "") -> String {
        #"{"name": "Spring", "schedule_type": "time_based", "messages": {"m": \#(message)}\#(others)}"#
    }

    /// The card of a campaign whose message has some fields beside its texts.
    private static func card(_ fields: String) throws -> (card: JSONValue?, remarks: [String]) {
        let texts = #""channel": "content_cards", "title": "T", "description": "D""#
        let imported = try ImportedExport(["a.json": campaign("{\(texts), \(fields)}")])
        let card = imported.objects["campaigns/spring"]?["variants"]?.array?.first?["card"]
        return (card, imported.report.entries.first?.remarks ?? [])
    }

    // MARK: Files

    @Test(
        "A document is the same with a mark of UTF-8, with spaces around it, and in an array",
        arguments: ["\u{FEFF}%", "\u{FEFF}\r\n%\r\n", "\n\n%\n", "[%]", "[\n%\n]", "\t%"]
    )
    func documents(_ form: String) throws {
        let message = #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
        let text = form.replacing("%", with: Self.campaign(message))
        let imported = try ImportedExport(["a.json": text])
        #expect(imported.objects.keys.sorted() == ["campaigns/spring"], "\(imported.omissions)")
    }

    @Test(
        "Users are read a line each, in an array, in an answer, and with a mark of UTF-8",
        arguments: [
            "%1\n%2\n", "%1\r\n%2", "\u{FEFF}%1\n%2\n", "\n\n%1\n\n%2\n\n", "[%1, %2]", "[\n%1,\n%2\n]",
            #"{"users": [%1, %2], "invalid_user_ids": ["x"], "message": "success"}"#,
        ]
    )
    func userForms(_ form: String) throws {
        let text = form.replacing("%1", with: #"{"external_id": "a", "country": "JP"}"#)
            .replacing("%2", with: #"{"external_id": "b", "braze_id": "x", "custom_attributes": {"n": 1}}"#)
        for name in ["users.json", "users.ndjson", "deep/er/USERS.JSONL"] {
            let imported = try ImportedExport([name: text])
            #expect(imported.users.map { $0["user_id"] } == ["a", "b"], "\(name): \(imported.omissions)")
            #expect(imported.users.last?["custom_attributes"] == ["n": 1])
        }
    }

    @Test func `A line that can't be read loses that user alone`() throws {
        let long = #"{"external_id": "long", "bio": ""# + String(repeating: "x", count: 5 << 20) + #""}"#
        let lines = [#"{"external_id": "a"}"#, "{", "nonsense", long, "7", #"{"external_id": "b"}"#]
        let imported = try ImportedExport(["users.jsonl": lines.joined(separator: "\n")])
        #expect(imported.users.map { $0["user_id"] } == ["a", "b"])
        #expect(imported.report.users.refused == 3 && imported.omissions.count == 1)
        #expect(imported.report.users.refusals.values.first?.firstPlace == "users.jsonl:2")
    }

    @Test(
        "What isn't for cards is named for what it is",
        arguments: [
            (#"{"name": "J", "created_at": "x", "variants": [], "steps": []}"#, "a Canvas"),
            (#"{"email_template_id": "e", "template_name": "N"}"#, "an e-mail template"),
            (#"{"message": "Invalid API key"}"#, "an error that the API answered"),
            (#"{"errors": ["x"], "message": "success"}"#, "an error that the API answered"),
            (#"{"message": "success"}"#, "no answer of the API that is known here"), ("true", "no answer of the API"),
            (#"{"canvases": [], "message": "success"}"#, "no answer of the API that is known here"),
        ]
    )
    func others(_ text: String, _ kind: String) throws {
        #expect(try ImportedExport(["a.json": text]).omissions == ["a.json: This is \(kind)."])
    }

    // MARK: Lists

    @Test func `Of two campaigns of one name the one that wasn't fetched is named`() throws {
        let (one, other) = ("3bbc4555-8fa0-4c9b-a5c0-4505edf3e064", "77777777-8fa0-4c9b-a5c0-4505edf3e064")
        let list = #"{"campaigns": [{"id": "\#(one)", "name": "Spring"}, {"id": "\#(other)", "name": "Spring"}]}"#
        let details = Self.campaign(
            #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
        )
        let imported = try ImportedExport(["list.json": list, "campaigns/\(one).json": details])
        #expect(
            imported.omissions == [
                "list.json: The campaign “Spring” is only in a list: fetch its details (\(other))."
            ]
        )
        // Where nothing says which of the two it is, it may be either.
        #expect(try ImportedExport(["list.json": list, "spring.json": details]).omissions.isEmpty)
        #expect(
            try ImportedExport(["list.json": list, "\(one).json": details, "\(other).json": details]).omissions == []
        )
    }

    @Test func `A list gives the details of a single name their ID`() throws {
        let list = #"{"segments": [{"id": "s-1", "name": "VIP"}, {"id": "s-2", "name": "Twice"}]}"#
        let vip = #"{"name": "VIP", "created_at": "2026-01-01", "description": "Country is JP"}"#
        let imported = try ImportedExport(["list.json": list, "vip.json": vip])
        #expect(imported.report.entries.map(\.originalID) == ["s-1"])
        #expect(imported.omissions == ["list.json: The segment “Twice” is only in a list: fetch its details (s-2)."])
        #expect(imported.objects["segments/vip"]?["audience"] == ["any": []])
        #expect(imported.objects["segments/vip"]?["description"] == "Country is JP")
    }

    // MARK: Campaigns

    @Test(
        "How a campaign is sent follows from its schedule",
        arguments: [
            ("time_based", "scheduled"), ("action_based", "scheduled"), ("api_triggered", "api_triggered"),
            ("API_TRIGGERED", "api_triggered"), ("", "scheduled"),
        ]
    )
    func schedules(_ schedule: String, _ delivery: String) throws {
        let message = #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
        let text = Self.campaign(message).replacing("time_based", with: schedule)
        let imported = try ImportedExport(["a.json": text])
        let campaign = try #require(imported.objects["campaigns/spring"])
        #expect((campaign["delivery"]?["type"] ?? "scheduled") == .string(delivery))
        #expect(campaign["audience"] == ["any": []])
        let remarks = imported.report.entries.first?.remarks ?? []
        #expect(remarks.contains { $0.hasPrefix("What triggers it isn't") } == (schedule == "action_based"))
    }

    @Test(
        "A field of a card is taken where the message has it",
        arguments: [
            (#""image_url": "https://e.example/a.png""#, "type", "captioned_image"),
            (#""type": "x""#, "type", "classic"),
            (#""type": "classic", "pinned": true"#, "pinned", true), (#""time_to_live": 60"#, "expires_after", 60),
            (#""uri_text": "Read""#, "domain", "Read"),
            (#""url": "https://e.example/a""#, "url", "https://e.example/a"),
            (#""uri": "shop://a""#, "url", "shop://a"), (#""android_use_webview": true"#, "open_url_in_web_view", true),
            (#""extra": {"k": "v"}"#, "extras", ["k": "v"]), (#""extras": {"k": "v"}"#, "extras", ["k": "v"]),
            (#""extras": {"k": {"deep": 1}}"#, "extras", ["k": #"{"deep":1}"#]),
        ] as [(String, String, JSONValue)]
    )
    func fields(_ fields: String, _ name: String, _ value: JSONValue) throws {
        let (card, remarks) = try Self.card(fields)
        #expect(card?[name]?.text == value.text, "\(card?.text ?? "no card")")
        #expect(!remarks.contains { $0.contains("was left out") }, "\(remarks)")
    }

    @Test(
        "A field that a card can't have is left out with the reason, and the card stays",
        arguments: [
            (#""expire_at": "soon""#, "expires_at"), (#""time_to_live": 0"#, "expires_after"),
            (#""url": "javascript:alert(1)""#, "url"), (#""ios_uri": "javascript:alert(1)""#, "urls"),
            (#""extras": 7"#, "extras"),
        ]
    )
    func refused(_ fields: String, _ name: String) throws {
        let (card, remarks) = try Self.card(fields)
        #expect(card?["title"] == "T" && remarks.contains { $0.hasPrefix("\(name) was left out: ") }, "\(remarks)")
    }

    @Test func `Conversion events keep what can be counted, and each other one is named`() throws {
        let behaviors = """
            [{"type": "Makes Any Purchase", "window": 0}, {"type": "Performs Custom Event", "custom_event_name": "e"},
             {"type": "Performs Custom Event"}, {"type": "Upgrades App"}, {"type": "Starts Session", "window": 60},
             {"type": "Makes Specific Purchase", "product": "p"}, {"type": "Starts Session"}, {}, 7]
            """
        let message = #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
        let imported = try ImportedExport([
            "a.json": Self.campaign(message, #", "conversion_behaviors": \#(behaviors)"#)
        ])
        let conversions = try #require(imported.objects["campaigns/spring"]?["conversions"]?.array)
        let goals = conversions.compactMap { $0["on"] }
        #expect(goals.count == 4 && goals.first?["purchase"] != nil && goals.last == ["purchase": "p"])
        let remarks = imported.report.entries.first?.remarks ?? []
        for number in [3, 4, 7, 8, 9] {
            #expect(remarks.contains { $0.hasPrefix("The conversion event \(number) (") }, "\(remarks)")
        }
        #expect(remarks.contains("The window of the conversion event 1 was cut."))
    }

    // MARK: Users

    @Test func `A user keeps what fits, and what doesn't is counted without a value`() throws {
        let attributes = (0..<3).map { #""a\#($0)": \#($0)"# }.joined(separator: ", ")
        let large = String(repeating: "x", count: UserLimits.valueBytes)
        let text = """
            {"external_id": "a", "email": "a@example.com", "gender": "x-secret", "country": "Nowhere-secret", "dob": "",
             "purchases": [{"name": "secret"}], "devices": [],
             "custom_attributes": {\(attributes), "large": "\(large)"}}
            """.replacing("\n", with: " ")
        let imported = try ImportedExport(["users.jsonl": text + "\n" + text])
        #expect(imported.users.count == 2)
        #expect(imported.users[0]["attributes"] == ["email": "a@example.com"])
        #expect(imported.users[0]["custom_attributes"] == ["a0": 0, "a1": 1, "a2": 2])
        let fields = imported.report.users.fields
        #expect(fields["purchases"]?.number == 2 && fields["purchases"]?.firstPlace == "users.jsonl:1")
        #expect(fields["devices"] == nil && fields.keys.contains { $0.hasPrefix("gender") })
        #expect(!imported.report.text.contains("secret") && !imported.report.json.text.contains("secret"))
    }

    @Test func `CSV has the dashboard's names, and a refused heading refuses the file`() throws {
        let heading =
            "\u{FEFF}user_id,city,timezone,date_of_birth,unsubscribed_from_emails_at,opted_in_to_emails_at,tier"
        let rows = ["a,Paris,Europe/Paris,1990-12-31,2026-01-01,2025-01-01,\"3\"", "b,,,,,2025-01-01,3", "c,x"]
        let csv = ([heading] + rows).joined(separator: "\r\n")
        let imported = try ImportedExport(["users.csv": csv])
        #expect(imported.users.map { $0["user_id"] } == ["a", "b"] && imported.report.users.refused == 1)
        let attributes = imported.users.map { $0["attributes"] }
        #expect(attributes[0]?["home_city"] == "Paris" && attributes[0]?["time_zone"] == "Europe/Paris")
        #expect(attributes[0]?["email_subscribe"] == "unsubscribed" && attributes[1]?["email_subscribe"] == "opted_in")
        #expect(imported.users.map { $0["custom_attributes"]?["tier"] } == ["3", 3])
        for heading in ["name,country", "user_id,external_id", "user_id,a,a", "user_id,,b"] {
            let refused = try ImportedExport(["users.csv": "\(heading)\n1,2,3\n4,5,6\n"])
            #expect(refused.users.isEmpty && refused.omissions.count == 1, "\(heading): \(refused.omissions)")
        }
    }
}
