import Liquid

extension TemplateEngine {
    /// Warns of every text that is blank for some users: it prints what they might not have, without a default.
    ///
    /// - Parameter content: The campaign.
    /// - Returns: A warning for each such text of its cards.
    public func blankChecks(in content: Campaign.Content) -> [CampaignCheck] {
        content.variants.enumerated().flatMap { index, variant in
            (variant.card?.writtenTexts ?? []).compactMap { field, text in
                guard Self.isTemplate(text) else { return nil }
                let unguarded = environment.check(text).usage.unguarded.subtracting(Self.alwaysThere)
                guard let first = unguarded.min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) else { return nil }
                return CampaignCheck(
                    .warning,
                    "default_missing",
                    at: "variants[\(index)].card.\(field)",
                    "“\(first)” is blank for users who don't have it. Give it a default, such as | default: 'there'."
                )
            }
        }
    }

    /// The attributes that every user has.
    private static let alwaysThere: Set<String> = ["${user_id}", "${external_id}"]
}
