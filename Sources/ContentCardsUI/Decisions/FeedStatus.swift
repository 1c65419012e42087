/// Says what a feed shows besides its rows.
enum FeedStatus: Equatable {
    /// Rows alone.
    case cards
    /// That the first cards are on their way.
    case loading
    /// That there are no cards.
    case empty
    /// That the cards could not be loaded, and a way to try again.
    case failed

    /// A failure keeps the rows that there are; control cards are no content.
    init(hasCards: Bool, isRefreshing: Bool, hasSynced: Bool, hasFailed: Bool) {
        if hasCards {
            self = .cards
        } else if isRefreshing, !hasSynced {
            self = .loading
        } else {
            self = hasFailed ? .failed : .empty
        }
    }
}
