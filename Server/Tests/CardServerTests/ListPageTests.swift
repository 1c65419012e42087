import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import Testing
import WireJSON

@testable import CardServer

@Suite("Pages of lists")
struct ListPageTests {
    @Test("A page is bounded by bytes, and as many as fit are given")
    func bytes() async throws {
        try await Workspace.run { workspace in
            let text = String(repeating: "x", count: 40_000)
            let variants = (0..<20).map { index in
                var card = CardTemplate(layout: .classic)
                card.title = "t"
                card.description = text
                return Campaign.Variant(id: VariantID(rawValue: "v\(index)"), card: card)
            }
            for number in 0..<24 {
                let content = Campaign.Content(name: "Large", variants: variants)
                let id = CampaignID(rawValue: "large-\(number)")
                let campaign = Campaign(id: id, content: content, createdAt: workspace.time.now)
                try await workspace.store.insertCampaign(campaign, by: .command)
            }
            let whole = try await workspace.manage(.get, "/v1/campaigns?limit=1000")
            #expect((whole.status, whole.code, whole.path) == (400, "page_too_large", "limit"))
            let fitting = PageQuery.maximumBytes / 801_000
            #expect(whole.json["error"]?["message"]?.string?.contains("\(fitting) fit") == true)
            var ids: Set<String> = []
            for offset in stride(from: 0, to: 30, by: fitting) {
                let page = try await workspace.manage(.get, "/v1/campaigns?limit=\(fitting)&offset=\(offset)")
                #expect(page.status == 200)
                for campaign in page.json["campaigns"]?.array ?? [] { ids.insert(campaign["id"]?.string ?? "") }
            }
            #expect(ids.count == 24)
        }
    }

    @Test("A page that is read in pieces has what was asked for, in order")
    func pieces() async throws {
        try await Workspace.run { workspace in
            for number in 0..<50 {
                let content = Segment.SegmentContent(name: "s", audience: .everyone)
                let id = SegmentID(rawValue: "s\(number)")
                // safe: small numbers
                let segment = Segment(id: id, content: content, createdAt: workspace.time.now + Double(number))
                try await workspace.store.insertSegment(segment, by: .command)
            }
            for (limit, offset) in [(1, 0), (16, 0), (17, 3), (40, 20), (1_000, 0), (5, 60)] {
                let page = try await workspace.manage(.get, "/v1/segments?limit=\(limit)&offset=\(offset)")
                let names = page.json["segments"]?.array?.map { $0["id"]?.string ?? "" } ?? []
                #expect(names == (0..<50).reversed().dropFirst(offset).prefix(limit).map { "s\($0)" })
            }
        }
    }

    /// A list whose objects move while it is read: an object to its front, or the first one away.
    private actor MovingList {
        var names = (0..<40).map { "n\($0)" }
        var changes: Int
        let isRemoving: Bool

        init(changes: Int, isRemoving: Bool) {
            self.changes = changes
            self.isRemoving = isRemoving
        }

        func piece(_ limit: Int, _ offset: Int) -> [String] {
            let piece = Array(names.dropFirst(offset).prefix(limit))
            guard changes > 0 else { return piece }
            changes -= 1
            if isRemoving { names.removeFirst() } else { names.insert(names.removeLast(), at: 0) }
            return piece
        }
    }

    @Test("A list that changes between two pieces of a page is read again", arguments: [true, false])
    func moving(isRemoving: Bool) async throws {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/v1/segments?limit=1000")
        let page = try PageQuery(Request(head: head, body: RequestBody(buffer: .init())))
        let list = MovingList(changes: 3, isRemoving: isRemoving)
        let found = try await page.read({ .string($0) }, from: { await list.piece($0, $1) })
        let names = await list.names
        #expect(found == names.map(JSONValue.string))

        let restless = MovingList(changes: .max, isRemoving: false)
        await #expect(throws: RequestError.self) {
            _ = try await page.read({ .string($0) }, from: { await restless.piece($0, $1) })
        }
    }
}
