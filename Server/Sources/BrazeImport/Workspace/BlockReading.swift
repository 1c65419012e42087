import CardModel
import Liquid
import WireJSON

/// The content blocks of an export, of which each can be rendered or withholds the cards that include it.
struct BlockReading {
    /// A block, and what is to be done by hand.
    struct Block {
        let object: ExportedObject
        var block: ContentBlock
        var remarks: [String] = []
    }

    /// The blocks, in their order.
    private(set) var blocks: [Block] = []

    /// Creates a reading of none.
    init() {}

    /// The blocks as templates name them.
    var contents: [ContentBlock] { blocks.map(\.block) }

    /// Reads a block.
    ///
    /// - Throws: `ModelError` where it can't be kept.
    mutating func take(_ object: ExportedObject) throws(ModelError) {
        let description = LimitedText.of(object.members["description"]?.string ?? "", maximumCharacters: 1_000)
        let json: JSONValue = [
            "content": object.members["content"] ?? .null, "description": .string(description),
        ]
        try ReservedID.check(object.name, at: "name")
        let block = try ContentBlock(name: object.name, json: json, updatedAt: 0)
        var entry = Block(object: object, block: block)
        if !(object.members["tags"]?.array ?? []).isEmpty { entry.remarks.append("Content blocks have no tags.") }
        blocks.append(entry)
    }

    /// Puts a text that withholds cards in place of each template that can't be rendered.
    ///
    /// First those that are wrong by themselves, so that one that includes them is right; then those that contain
    /// themselves.
    mutating func withholdTemplates(filters: [LiquidFilter]) {
        let names = contents.map { ContentBlock(name: $0.name, content: "", updatedAt: 0) }
        withhold(TemplateEngine(filters: filters, contentBlocks: names))
        withhold(TemplateEngine(filters: filters, contentBlocks: contents))
    }

    private mutating func withhold(_ engine: TemplateEngine) {
        for index in blocks.indices {
            let problems = engine.problems(in: blocks[index].block.content, at: "content")
                .filter { $0.code != "connected_content" }
            guard let problem = problems.first else { continue }
            blocks[index].block.content = CardReading.withheld("the content block \(blocks[index].block.name)")
            blocks[index].remarks.append(
                "It is no template that can be rendered: \(problem.message) Cards with it are withheld: write it again."
            )
        }
    }
}
