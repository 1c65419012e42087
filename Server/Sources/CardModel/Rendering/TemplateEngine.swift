public import Liquid
import WireJSON

/// Compiles and renders the templates of cards: the dialect with its filters, the content blocks, and what a card may
/// cost.
public struct TemplateEngine: Sendable {
    /// The maximum size of a rendered card's texts, URLs, keys and values, in bytes.
    public let cardSizeLimit: Int
    /// The blocks that templates may name.
    public let contentBlocks: [ContentBlock]
    /// The provider that answers `connected_content`, or `nil` where templates can ask nobody.
    public let connectedContent: (any ConnectedContentProviding)?
    let environment: LiquidEnvironment
    let blocks: LiquidLibrary
    let blockNames: Set<ByteString>
    /// The names of the blocks that blocks include.
    let blockIncludes: [ByteString: Set<String>]

    /// The limits of one text of a card; nobody waits longer for a card that is shown.
    static let limits = LiquidLimits(templateBytes: ContentBlock.sizeLimit)
    /// The longest time for all texts of one card together.
    static let cardDuration = Duration.milliseconds(500)

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - filters: Filters beyond those of the dialect.
    ///   - contentBlocks: The blocks that templates may name.
    ///   - cardSizeLimit: How many bytes a rendered card may have.
    ///   - connectedContent: What answers `connected_content`.
    public init(
        filters: [LiquidFilter] = [],
        contentBlocks: [ContentBlock] = [],
        cardSizeLimit: Int = Settings().cardSizeLimit,
        connectedContent: (any ConnectedContentProviding)? = nil
    ) {
        self.connectedContent = connectedContent
        let environment = LiquidEnvironment(
            filters: FilterRegistry.messaging.adding(filters),
            limits: Self.limits
        )
        self.environment = environment
        let sources = contentBlocks.map { ($0.name, $0.content) }
        blocks = LiquidLibrary(
            Dictionary(sources, uniquingKeysWith: { _, last in last }),
            environment: environment
        )
        self.contentBlocks = contentBlocks
        blockNames = Set(contentBlocks.map { ByteString($0.name) })
        let includes = contentBlocks.filter { Self.includesBlocks($0.content) }
            .map { (ByteString($0.name), environment.check($0.content).usage.contentBlocks) }
        blockIncludes = Dictionary(includes, uniquingKeysWith: { _, last in last })
        self.cardSizeLimit = cardSizeLimit
    }

    /// Whether a text is more than plain text.
    static func isTemplate(_ text: String) -> Bool {
        text.contains(bytesOf: "{{") || text.contains(bytesOf: "{%")
    }

    /// Whether a text may name content blocks.
    static func includesBlocks(_ text: String) -> Bool { text.contains(bytesOf: "content_blocks") }

    /// Whether the cards of campaigns may have to be fetched for before they are rendered.
    func fetches(for campaigns: [Campaign]) -> Bool {
        guard connectedContent != nil else { return false }
        func asks(_ text: String) -> Bool { text.contains(bytesOf: "connected_content") }
        return contentBlocks.contains { asks($0.content) }
            || campaigns.contains { campaign in
                campaign.content.variants.contains { variant in
                    variant.card?.writtenTexts.contains { asks($0.text) } ?? false
                }
            }
    }
}
