import CardModel
import Testing

@testable import CardServer

@Suite("Room for templates")
struct TemplateRoomTests {
    private func block(_ name: String, tags: Int) -> ContentBlock {
        ContentBlock(name: name, content: String(repeating: "{{a}}", count: tags), updatedAt: 0)
    }

    private func campaign(_ id: String, tags: Int) -> Campaign {
        var card = CardTemplate(layout: .classic)
        card.title = String(repeating: "{% if a %}{{a}}", count: tags / 2)
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        return Campaign(id: CampaignID(rawValue: id), content: .init(name: id, variants: [variant]), createdAt: 0)
    }

    @Test("What opens a placeholder or a tag is counted, and nothing else")
    func counting() {
        #expect(TemplateEngine.tags(in: "") == 0)
        #expect(TemplateEngine.tags(in: "{a} % { {") == 0)
        #expect(TemplateEngine.tags(in: "{{a}} {% if b %}{{ c }}{% endif %}") == 4)
        #expect(TemplateEngine.tags(in: "{{{a}}}") == 1)
    }

    @Test("Content blocks have so many together; what is there may become less, or stay")
    func blocks() throws {
        let others = (0..<9).map { block("b\($0)", tags: 10_000) }
        try TemplateRoom.check(block("new", tags: 10_000), beside: others)
        #expect(throws: RequestError.self) { try TemplateRoom.check(block("new", tags: 10_001), beside: others) }
        try TemplateRoom.check(block("b1", tags: 20_000), beside: others)
        let full = others + [block("large", tags: 50_000)]
        try TemplateRoom.check(block("large", tags: 49_000), beside: full)
        #expect(throws: RequestError.self) { try TemplateRoom.check(block("large", tags: 50_001), beside: full) }
        #expect(throws: RequestError.self) { try TemplateRoom.check(block("small", tags: 1), beside: full) }
        try TemplateRoom.check(block("text", tags: 0), beside: full)
    }

    @Test("Campaigns that were launched have so many together, and drafts none")
    func campaigns() throws {
        let others = (0..<10).map { campaign("c\($0)", tags: 100_000) }
        let draft = campaign("new", tags: 2)
        try TemplateRoom.check(draft, insteadOf: campaign("new", tags: 0), beside: others)
        let launched = try draft.applying(.launch, at: 1)
        #expect(throws: RequestError.self) { try TemplateRoom.check(launched, insteadOf: draft, beside: others) }
        try TemplateRoom.check(launched, insteadOf: draft, beside: Array(others.dropLast()))
        // Where there are too many already, what doesn't grow is no matter.
        try TemplateRoom.check(launched.applying(.pause, at: 2), insteadOf: launched, beside: others)
        let plain = try campaign("plain", tags: 0).applying(.launch, at: 1)
        try TemplateRoom.check(plain, insteadOf: campaign("plain", tags: 0), beside: others)
    }
}
