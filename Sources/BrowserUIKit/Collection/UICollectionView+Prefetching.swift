extension UICollectionView {
    /// Returns the item at a point of the content; `nil` where there is none.
    public func indexPathForItem(at point: CGPoint) -> IndexPath? {
        live.keys.sorted().first { layoutAttributesForItem(at: $0)?.frame.contains(point) ?? false }
    }

    /// Has the items prepared that come next below those with cells, and no longer those that are far away again.
    func prefetch() {
        guard let prefetchDataSource else { return }
        let near = bounds.insetBy(dx: 0, dy: -3 * UITableView.margin)
        let wanted = Set(collectionViewLayout.paths(in: near)).filter { live[$0] == nil }
        let new = wanted.subtracting(prefetched).sorted()
        let gone = prefetched.subtracting(wanted).filter { live[$0] == nil }.sorted()
        prefetched = wanted
        if !new.isEmpty { prefetchDataSource.collectionView(self, prefetchItemsAt: new) }
        if !gone.isEmpty { prefetchDataSource.collectionView(self, cancelPrefetchingForItemsAt: gone) }
    }
}
