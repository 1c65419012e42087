import Foundation

/// Divides users among variants: the same user gets the same variant of a campaign, whoever computes it.
public enum VariantAssignment {
    /// Picks the variant of a user, by weight, or returns `nil` where every weight is 0.
    ///
    /// A race of exponential clocks (weighted rendezvous hashing): each variant's time comes from a hash of its own and
    /// from its weight. So a weight that is raised moves only users to that variant, one that is lowered only users
    /// away from it, and the order of the variants means nothing. The campaign's id and salt are in the hash: a user's
    /// place in one campaign says nothing of their place in another.
    public static func variant(of campaign: Campaign, for user: UserID) -> Campaign.Variant? {
        VariantRace(campaign).winner(for: user).flatMap(campaign.variant)
    }
}

/// The race among a campaign's variants, made ready to be run for many users.
struct VariantRace: Sendable {
    private struct Runner: Sendable {
        let variant: VariantID
        let weight: Double
        let hash: StableHash.Start

        /// A number above 0 and up to 1, uniform over users.
        // safe: 53 bits and one fit
        func place(of user: UserID) -> Double { Double(hash.of(user.rawValue) >> 11 + 1) * 0x1p-53 }
    }

    private let runners: [Runner]

    init(_ campaign: Campaign) {
        runners = campaign.content.variants.filter { $0.weight > 0 }.map { variant in
            // No id holds control characters.
            let names = "\(campaign.id.rawValue)\u{1}\(campaign.content.salt)\u{1}\(variant.id.rawValue)"
            return Runner(variant: variant.id, weight: Double(variant.weight), hash: StableHash.Start(names))
        }
    }

    /// The variant of a user, or `nil` where every weight is 0.
    func winner(for user: UserID) -> VariantID? {
        guard runners.count > 1 else { return runners.first?.variant }
        var winner = runners.startIndex
        var shortest = Double.infinity
        for (index, runner) in runners.enumerated() {
            let time = -log(runner.place(of: user)) / runner.weight
            guard time < shortest else { continue }
            (winner, shortest) = (index, time)
        }
        return runners[winner].variant
    }
}
