import CardModel
import CardStore
import WireJSON

/// A limit on the placeholders and tags of the templates that every node has compiled in memory.
///
/// The texts alone are bounded in bytes, but a text that is all placeholders takes 25 times its bytes.
enum TemplateRoom {
    /// Of all content blocks.
    static let blocks = 100_000
    /// Of all campaigns that were launched.
    static let campaigns = 1_000_000

    /// Throws where a content block has no room beside the others.
    static func check(_ block: ContentBlock, beside others: [ContentBlock]) throws(RequestError) {
        let own = TemplateEngine.tags(in: block.content)
        var (sum, before) = (own, 0)
        for other in others {
            let tags = TemplateEngine.tags(in: other.content)
            if other.name.hasSameBytes(as: block.name) { before = tags } else { sum += tags }
        }
        guard sum > blocks, own > before else { return }
        throw full("All content blocks have at most 100,000 placeholders and tags together.")
    }

    /// Throws where a campaign that is launched has no room beside the others.
    static func check(_ campaign: Campaign, insteadOf old: Campaign, beside others: [Campaign]) throws(RequestError) {
        guard campaign.launchedAt != nil, old.launchedAt == nil || campaign.content != old.content else { return }
        let own = campaign.content.templateTags
        guard own > 0, old.launchedAt == nil || own > old.content.templateTags else { return }
        var sum = own
        for other in others where other.id != campaign.id {
            sum += other.content.templateTags
        }
        guard sum > campaigns else { return }
        throw full("The campaigns that were launched have at most 1,000,000 placeholders and tags together.")
    }

    private static func full(_ message: String) -> RequestError {
        RequestError(.conflict, "limit_reached", message)
    }
}
