import CardModel
import CardServer
import Foundation
import Testing
import WireJSON
import WorkspaceFiles

@testable import BrazeImport

@Suite("Exports that are taken over")
struct ExportImportTests {
    private let work: URL

    init() throws {
        work = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    }

    /// An export with one of everything, and much that can't be taken over.
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/braze-export").path

    private var output: URL { work.appending(path: "output") }

    private func run(_ export: String = fixture, archived: Bool = false) throws -> ImportReport {
        let importing = ExportImport(includesArchived: archived, filters: CryptographyFilters.all)
        return try importing.run(from: export, to: output.path)
    }

    /// Writes an export of some files.
    private func export(_ files: [String: String]) throws -> String {
        let folder = work.appending(path: "export")
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return folder.path
    }

    /// What was written, as `placard apply` reads it.
    private func contents() throws -> [String: JSONObject] {
        let folder = try WorkspaceFolder.open(output.appending(path: "workspace").path)
        let contents = folder.read(Set(ObjectKind.allCases))
        #expect(contents.problems.isEmpty)
        return Dictionary(uniqueKeysWithValues: contents.files.map { ($0.object.reference.text, $0.object.members) })
    }

    private func campaign(_ name: String, _ message: String, _ others: String = "") -> String {
        """
        {"name": "\(name)", "schedule_type": "time_based", "messages": {"m": \(message)}\(others)}
        """
    }

    // MARK: The fixture

    @Test("become files that a server takes, of which none reaches anyone")
    func applies() throws {
        _ = try run()
        let folder = try WorkspaceFolder.open(output.appending(path: "workspace").path)
        let files = folder.read(Set(ObjectKind.allCases)).files
        let planner = WorkspacePlanner(
            files: files,
            server: ServerState(),
            pulled: nil,
            kinds: Set(ObjectKind.allCases),
            options: WorkspacePlan.PlannerOptions(),
            filters: CryptographyFilters.all,
            now: 1_800_000_000
        )
        let (plan, problems) = planner.plan()
        #expect(problems.isEmpty)
        #expect(plan.changes.count == files.count && !files.isEmpty)
        for file in files {
            guard case .campaign(let content, let status) = file.object.content else { continue }
            #expect(status == nil && content.audience == .any([]))
        }
    }

    @Test("have ids by their names; a campaign that backends send keeps its own")
    func ids() throws {
        _ = try run()
        #expect(
            try Set(contents().keys) == [
                "campaigns/spring-sale", "campaigns/spring-sale-2", "campaigns/0f6a1d2c-1111-4222-8333-444455556666",
                "segments/vip-tokyo", "content-blocks/footer", "content-blocks/sender", "content-blocks/loop",
            ]
        )
    }

    @Test("keep what a card says, and withhold one that isn't whole")
    func cards() throws {
        _ = try run()
        let spring = try #require(contents()["campaigns/spring-sale"])
        let variants = try #require(spring["variants"]?.array)
        #expect(variants.map { $0["control"] } == [false, false, true])
        #expect(variants[0]["card"]?["title"]?.string?.contains("abort_message") == true)
        #expect(variants[0]["card"]?["extras"]?["code"] == "SPRING")
        let card = try #require(variants[1]["card"])
        #expect(card["type"] == "captioned_image" && card["title"] == "Hello {{${first_name}}}")
        #expect(card["urls"]?["ios"] == "shop://spring" && card["open_url_in_web_view"] == true)
        #expect(card["expires_after"]?.double == 86_400 && card["pinned"] == true)
        #expect(card["extras"]?["a.b"]?.string?.contains("abort_message") == true)
        let names = try #require(spring["conversions"]?.array).map { $0["on"] }
        #expect(names == [["purchase": "boots"], ["session_start": true]])
    }

    @Test("leave out an address that could run code, and keep the card")
    func addresses() throws {
        _ = try run()
        let shipped = try #require(contents()["campaigns/0f6a1d2c-1111-4222-8333-444455556666"])
        #expect(shipped["delivery"]?["type"] == "api_triggered")
        #expect(shipped["variants"]?.array?[0]["card"]?["urls"] == nil)
    }

    @Test("withhold cards with a content block that can't be rendered, and those alone")
    func blocks() throws {
        _ = try run()
        let contents = try contents()
        #expect(contents["content-blocks/footer"]?["content"] == "Yours, {{content_blocks.${sender}}}")
        for name in ["sender", "loop"] {
            #expect(contents["content-blocks/\(name)"]?["content"]?.string?.contains("abort_message") == true)
        }
    }

    @Test("keep of users what can be imported")
    func users() throws {
        let report = try run()
        let text = try String(contentsOf: output.appending(path: "users.jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["user_id"] } == ["dan", "cat", "ann", "bob"])
        #expect(lines[0]["attributes"]?["email_subscribe"] == "unsubscribed")
        #expect(lines[0]["attributes"]?["home_city"] == "Paris")
        #expect(lines[0]["custom_attributes"] == ["level": 3, "zip": "0012"])
        #expect(lines[2]["custom_attributes"] == ["plan": "pro", "points": 12])
        #expect(lines[3]["attributes"] == [:])
        #expect(report.users.taken == 4 && report.users.refused == 3)
        let fields = report.users.fields.keys
        #expect(fields.contains("custom_events") && fields.contains { $0.hasPrefix("gender") })
        #expect(!fields.contains("purchases"))
    }

    @Test("are reported with what is to be done, and what was left out")
    func report() throws {
        let report = try run()
        let text = try String(contentsOf: output.appending(path: "report.txt"), encoding: .utf8)
        for part in [
            "Took over 3 campaigns, 1 segment, 3 content blocks and 4 users from 11 files",
            "campaigns/spring-sale.yaml: “Spring Sale” of campaigns/3bbc4555-8fa0-4c9b-a5c0-4505edf3e064.json",
            "The conversion event 2 (Opens Email) isn't possible", "“Welcome mail” has no content card (email)",
            "“Old” is archived", "“Never fetched” is only in a list", "users/rest.zip: Unpack it",
            "canvas.json: This is a Canvas", "“../evil” can't be kept", "Home City is Tokyo",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(report.json["objects"]?.array?.count == 7)
        let segment = report.entries.first { $0.file.hasPrefix("segments") }
        #expect(segment?.originalID == "5e900000-0000-4000-8000-000000000001")
    }

    @Test("are the same each time, and never overwrite")
    func repeats() throws {
        _ = try run()
        let first = try contents()
        #expect(throws: FileProblem.self) { try run() }
        try FileManager.default.removeItem(at: output)
        _ = try run()
        #expect(try contents() == first)
    }

    @Test("have archived campaigns where they are asked for")
    func archived() throws {
        _ = try run(archived: true)
        #expect(try contents()["campaigns/old"] != nil)
    }

    // MARK: Hostile exports

    @Test("are not written into themselves")
    func inside() throws {
        let folder = try export(["a.json": "{}"])
        let importing = ExportImport(includesArchived: false, filters: [])
        #expect(throws: FileProblem.self) { try importing.run(from: folder, to: folder + "/inner") }
    }

    @Test("name files by nothing that leads elsewhere, and lines of a report by nothing that ends one")
    func names() throws {
        let name = "../../etc/\\u0000\\n# x: y\\u202e"
        let card = #"{"channel": "content_cards", "name": "\#(name)", "title": "T", "description": "D"}"#
        let folder = try export([
            "a.json": campaign(name, card), "b.json": campaign("春のセール", card),
            "c.json": campaign("\(String(repeating: "long ", count: 500))", card),
        ])
        let report = try run(folder)
        #expect(report.entries.map(\.id) == ["etc-x-y", "campaign", String("long-".repeated(10).dropLast(2))])
        #expect(try contents()["campaigns/campaign"]?["name"] == "春のセール")
        let text = try String(contentsOf: output.appending(path: "report.txt"), encoding: .utf8)
        #expect(!text.contains("\u{202E}") && !text.contains("\0"))
    }

    @Test("with the same campaign twice give the later one, and other campaigns of the same name theirs")
    func duplicates() throws {
        let id = "3bbc4555-8fa0-4c9b-a5c0-4505edf3e064"
        let card = #"{"channel": "content_cards", "title": "T", "description": "D", "type": "classic"}"#
        func edited(_ year: Int) -> String {
            #", "campaign_id": "\#(id)", "updated_at": "\#(year)-01-01", "tags": ["\#(year)"]"#
        }
        let folder = try export([
            "a.json": campaign("Same", card, edited(2_027)), "b.json": campaign("Same", card, edited(2_026)),
            "c.json": campaign("Same", card),
        ])
        let report = try run(folder)
        let contents = try contents()
        #expect(contents.keys.sorted() == ["campaigns/same", "campaigns/same-2"])
        #expect(contents["campaigns/same"]?["tags"] == ["2027"])
        #expect(report.omissions.map(\.source) == ["b.json"])
    }

    private static let large = String(repeating: "x", count: 99_000)

    @Test(
        "may be anything: each document is taken or named",
        arguments: [
            "", "[", "null", "[[[]]]", #"{"messages": 1}"#,
            #"{"messages": {"m": {"channel": "content_cards", "extras": 7}}}"#,
            #"{"name": "x", "messages": [{"channel": "content_cards", "type": 7, "title": 9, "expire_at": "soon"}]}"#,
            #"{"users": [1, {"external_id": 5}, {"external_id": ""}]}"#, #"{"segments": 5, "name": 4}"#,
            #"{"content_block_id": "a", "name": "b", "content": "\#(large)"}"#,
            #"{"name": "", "messages": {"m": {"channel": "content_cards", "title": "\#(large)"}}}"#,
            #"{"errors": [], "message": "no"}"#,
        ]
    )
    func anything(_ text: String) throws {
        let report = try run(try export(["a.json": text]))
        let contents = try contents()
        #expect(!report.omissions.isEmpty || !report.users.refusals.isEmpty || contents.count == 1)
    }

    @Test("aren't followed out of their folder, nor deeper than anyone lays folders")
    func links() throws {
        let deep = String(repeating: "d/", count: 12)
        let folder = try export(["\(deep)a.json": #"{"external_id": "deep"}"#, "b.txt": "x"])
        let outside = work.appending(path: "outside.json")
        try Data(#"{"external_id": "outside"}"#.utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: URL(filePath: folder).appending(path: "link.json"),
            withDestinationURL: outside
        )
        let report = try run(folder)
        #expect(report.users.taken == 0)
        #expect(report.omissions.count == 3)
        #expect(!FileManager.default.fileExists(atPath: output.appending(path: "users.jsonl").path))
    }

    @Test("have no more variants, controls and tags than campaigns can have")
    func bounds() throws {
        let messages = (0..<30).map { #""m\#($0)": {"channel": "content_cards", "title": "T", "description": "D"}"# }
        let controls = (0..<3).map { #""c\#($0)": {"channel": "content_cards", "type": "control"}"# }
        let tags = (0..<80).map { "\"t\($0)\"" }.joined(separator: ", ")
        let text = """
            {"name": "Many", "schedule_type": "", "tags": [\(tags)],
             "messages": {\((controls + messages).joined(separator: ", "))}}
            """
        _ = try run(try export(["a.json": text]))
        let many = try #require(contents()["campaigns/many"])
        #expect(many["variants"]?.array?.count == 20 && many["tags"]?.array?.count == 50)
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
