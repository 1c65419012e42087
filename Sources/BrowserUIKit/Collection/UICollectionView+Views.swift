/// Names the views of a kind that are used again and again.
struct CollectionViewName: Hashable {
    let kind: String
    let identifier: String
}

// Views that show no item, such as headers.
extension UICollectionView {
    /// Says which class makes the views of a kind.
    public func register(
        _ viewClass: UICollectionReusableView.Type?,
        forSupplementaryViewOfKind elementKind: String,
        withReuseIdentifier identifier: String
    ) {
        viewClasses[CollectionViewName(kind: elementKind, identifier: identifier)] = viewClass
    }

    /// Returns a view that waits for use, or a new one of the registered class.
    ///
    /// Without a registered class it returns a plain view, where iOS stops the app.
    public func dequeueReusableSupplementaryView(
        ofKind elementKind: String,
        withReuseIdentifier identifier: String,
        for indexPath: IndexPath
    ) -> UICollectionReusableView {
        let name = CollectionViewName(kind: elementKind, identifier: identifier)
        if let view = waitingViews[name]?.popLast() {
            view.prepareForReuse()
            view.naming.isReused = true
            return view
        }
        let viewClass = viewClasses[name] ?? UICollectionReusableView.self
        return viewClass.init(dequeuedWithReuseIdentifier: identifier)
    }

    /// Returns the view of a kind at a place; `nil` where none is shown.
    public func supplementaryView(
        forElementKind elementKind: String,
        at indexPath: IndexPath
    )
        -> UICollectionReusableView?
    {
        liveViews[CollectionElement(kind: elementKind, path: indexPath)]
    }

    /// Brings views in line with what is on screen or near it.
    func showViews(in rect: CGRect) {
        let places = collectionViewLayout.supplementaries.filter { $0.place.frame.intersects(rect) }
        let wanted = Set(places.map(\.element))
        for element in liveViews.keys where !wanted.contains(element) { recycleView(element) }
        for place in places {
            if liveViews[place.element] == nil, let view = view(for: place) {
                liveViews[place.element] = view
                insertSubview(view, at: place.isDecoration ? 0 : subviews.count)
                tell(of: view, at: place)
            }
            liveViews[place.element]?.place = place.place
            liveViews[place.element]?.isDecoration = place.isDecoration
        }
    }

    private func tell(of view: UICollectionReusableView, at place: SupplementaryPlace) {
        guard !place.isDecoration, let kind = place.element.kind, let itemDelegate else { return }
        let path = place.element.path
        itemDelegate.collectionView(self, willDisplaySupplementaryView: view, forElementKind: kind, at: path)
    }

    private func view(for place: SupplementaryPlace) -> UICollectionReusableView? {
        guard let kind = place.element.kind else { return nil }
        if place.isDecoration {
            return collectionViewLayout.decorationClasses[kind]?.init(dequeuedWithReuseIdentifier: kind)
        }
        return dataSource?.collectionView(self, viewForSupplementaryElementOfKind: kind, at: place.element.path)
    }

    func recycleViews() {
        for element in Array(liveViews.keys) { recycleView(element) }
    }

    private func recycleView(_ element: CollectionElement) {
        guard let view = liveViews.removeValue(forKey: element) else { return }
        view.removeFromSuperview()
        guard let kind = element.kind, !view.isDecoration else { return }
        itemDelegate?.collectionView(
            self,
            didEndDisplayingSupplementaryView: view,
            forElementOfKind: kind,
            at: element.path
        )
        guard let identifier = view.reuseIdentifier else { return }
        let name = CollectionViewName(kind: kind, identifier: identifier)
        if waitingViews[name, default: []].count < 24 { waitingViews[name, default: []].append(view) }
    }

    /// Draws the views, those behind items first.
    func drawViews(in drawing: Drawing) -> [String] {
        let sorted = liveViews.sorted { left, right in
            if left.value.isDecoration != right.value.isDecoration { return left.value.isDecoration }
            return left.key.path < right.key.path
        }
        return sorted.map { $0.value.renderReused(drawing) }
    }
}
