import Synchronization

/// The places of a user's cards by campaign, found when they are first asked for.
///
/// A user may have thousands of cards, and thousands of campaigns ask for those of one campaign each.
final class CardPlaces: Sendable {
    private struct KnownPlaces {
        /// The number of cards among which they are.
        var count: Int
        var places: [CampaignID: [Int]]
    }

    private let known = Mutex<KnownPlaces?>(nil)

    /// Returns the places of the cards of a campaign among all that a user was given.
    func places(of campaign: CampaignID, in deliveries: [Delivery]) -> [Int] {
        known.withLock { known in
            if let known, known.count == deliveries.count { return known.places[campaign] ?? [] }
            let places = Dictionary(grouping: deliveries.indices) { deliveries[$0].campaign }
            known = KnownPlaces(count: deliveries.count, places: places)
            return places[campaign] ?? []
        }
    }
}

extension UserFacts {
    /// Looks at each card that the user was given of a campaign, or at none where that takes more work than there is.
    ///
    /// - Returns: Whether there was as much.
    func look(atCardsOf campaign: CampaignID, _ look: (Delivery) -> Void) -> Bool {
        guard deliveries.count > SharedPatternWork.freeSteps, let cardPlaces else {
            for delivery in deliveries where delivery.campaign == campaign { look(delivery) }
            return true
        }
        let places = cardPlaces.places(of: campaign, in: deliveries)
        guard patterns.takesSteps(places.count) else { return false }
        for place in places { look(deliveries[place]) }
        return true
    }
}
