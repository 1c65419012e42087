#if !os(tvOS)
extension ContentCardsTableViewController {
    /// Takes attributes that may be those of before, as SwiftUI gives them whenever it looks at a view.
    ///
    /// Rows are loaded again only where the looks differ. Functions can't be compared, so what `transform` returns is:
    /// the rows that differ come and go as those of a new feed.
    func follow(_ new: ContentCardsAttributes) {
        isFollowing = attributes.looksLike(new)
        attributes = new
        guard isFollowing else { return }
        isFollowing = false
        if isViewLoaded { feedChanged() }
    }
}
#endif
