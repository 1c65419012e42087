import CardModel
import CardServer
import Foundation
import Testing
import WireJSON
import WorkspaceFiles

@testable import BrazeImport

/// Rules that hold for whatever an export has.
struct ExportPropertyTests {
    /// A generator that gives the same numbers each time.
    private struct Numbers {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
    }

    private static let names = [
        "Spring", "spring", "SPRING!", "春", "", " ", "a\nb", "../x", "{{", "e\u{301}", "\u{E9}",
    ]
    private static let values: [JSONValue] = [
        .null, true, 0, -1, 1e300, "", "T", "{{${first_name}}}", "{% if", "https://e.example/a", "javascript:x", [],
        [:],
        ["k": "v"], ["k": 1], "2027-01-31T00:00:00Z", "2027-01-31", 86_400, "\u{202E}x", "banner",
    ]
    private static let fields = [
        "title", "description", "image_url", "uri_text", "url", "ios_uri", "android_uri", "web_uri", "type", "pinned",
        "time_to_live", "expire_at", "extras", "name", "ios_use_webview", "expire_in_local_time",
    ]

    private static func campaign(_ numbers: inout Numbers, _ index: Int) -> JSONValue {
        var messages: JSONObject = [:]
        for number in 0...numbers.next(below: 3) {
            var message: JSONObject = ["channel": .string(numbers.pick(["content_cards", "content_card", "email"]))]
            for _ in 0..<numbers.next(below: 8) { message[numbers.pick(fields)] = numbers.pick(values) }
            messages["m\(number)"] = .object(message)
        }
        return [
            "name": .string(numbers.pick(names)), "schedule_type": .string(numbers.pick(["time_based", "api", "x"])),
            "campaign_id": .string("c-\(index)"), "messages": .object(messages), "tags": numbers.pick(values),
            "archived": numbers.pick(values), "conversion_behaviors": numbers.pick(values),
        ]
    }

    @Test("Each campaign is taken or named, and what is taken reaches nobody and can be applied", arguments: 1...30)
    func campaigns(_ seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        let documents = (0..<20).map { Self.campaign(&numbers, $0) }
        let imported = try ImportedExport(["all.json": JSONValue.array(documents).text])
        #expect(imported.objects.count + imported.report.omissions.count >= documents.count)
        #expect(imported.report.entries.count == imported.objects.count)
        // On some disks a file replaces another whose name differs in case alone.
        #expect(Set(imported.report.entries.map { $0.file.lowercased() }).count == imported.report.entries.count)
        for (reference, members) in imported.objects {
            #expect(members["audience"] == ["any": []] && members["status"] == nil, "\(reference)")
            let content = try Campaign.Content(json: .object(members))
            #expect(TemplateEngine(filters: CryptographyFilters.all).problems(in: content).isEmpty, "\(reference)")
        }
        let text = imported.report.text
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!text.contains("\u{202E}"))
        #expect(try JSONValue(parsing: imported.report.json.text)["objects"]?.array?.count == imported.objects.count)
    }

    @Test("The same documents give the same objects, in whatever files they lie", arguments: 1...10)
    func files(_ seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        let documents = (0..<10).map { Self.campaign(&numbers, $0) }
        let together = try ImportedExport(["all.json": JSONValue.array(documents).text])
        let lines = documents.map(\.text).joined(separator: "\n")
        #expect(try ImportedExport(["all.jsonl": lines]).objects == together.objects)
        var apart: [String: String] = [:]
        for (index, document) in documents.enumerated() { apart["\(index)/campaign.json"] = document.text }
        #expect(try ImportedExport(apart).objects == together.objects)
        // A second copy of everything adds nothing, and isn't named.
        let twice = try ImportedExport(["a.json": JSONValue.array(documents + documents).text])
        #expect(twice.objects == together.objects)
        #expect(twice.report.omissions.count == together.report.omissions.count)
    }

    @Test("Each user is written or counted, and a line that is written is one that the import takes", arguments: 1...20)
    func users(_ seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        let fields =
            StandardAttribute.allCases.map(\.rawValue) + ["purchases", "devices", "custom_attributes", "random"]
        let users = (0..<50).map { index -> JSONValue in
            var members: JSONObject = ["external_id": numbers.next(below: 5) == 0 ? numbers.pick(Self.values) : "u"]
            members["braze_id"] = .string("b-\(index)")
            for _ in 0..<numbers.next(below: 6) { members[numbers.pick(fields)] = numbers.pick(Self.values) }
            return .object(members)
        }
        let imported = try ImportedExport(["users.jsonl": users.map(\.text).joined(separator: "\n")])
        #expect(imported.report.users.taken + imported.report.users.refused == users.count)
        #expect(imported.users.count == imported.report.users.taken && !imported.users.isEmpty)
        for user in imported.users {
            let id = try #require(user["user_id"]?.string.flatMap { UserID(checking: $0) })
            let parts: JSONValue = [
                "attributes": user["attributes"] ?? .null, "custom_attributes": user["custom_attributes"] ?? .null,
            ]
            #expect(throws: Never.self) { _ = try UserUpdate(id: id, json: parts) }
        }
    }

    @Test func `Ids are of ASCII, short, each once, and the same each time`() {
        func ids() -> [String] {
            var source = NewIDs()
            let names =
                Self.names + [String(repeating: "long name ", count: 50), "Ünïcödé", "１２", "ﬁ", "İ", "a--b", "-a-"]
            return (0..<3).flatMap { _ in names.map { source.id(for: $0, or: "campaign") } }
        }
        let all = ids()
        #expect(Set(all.map { $0.lowercased() }).count == all.count && all == ids())
        for id in all {
            #expect(CampaignID(checking: id) != nil && id.utf8.allSatisfy { $0 < 0x80 } && !id.hasPrefix("-"), "\(id)")
        }
        #expect(all.contains("unicode") && all.contains("a-b"))
        var taken = NewIDs()
        let answers = [taken.take("A"), taken.take("a")]
        let next = taken.id(for: "a", or: "x")
        #expect(answers == [true, false] && next == "a-2")
    }
}
