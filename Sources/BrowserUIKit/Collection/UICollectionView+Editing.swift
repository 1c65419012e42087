// What the user does with items while the collection is edited.
extension UICollectionView {
    /// Whether items can be chosen now.
    var choosesAny: Bool {
        guard isEditing else { return allowsSelection }
        return allowsSelectionDuringEditing || allowsMultipleSelectionDuringEditing
    }

    /// Whether several items can be chosen at once now.
    var choosesSeveral: Bool { isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection }

    /// Begins or ends to be edited.
    func editingChanged() {
        if allowsMultipleSelectionDuringEditing {
            for path in chosen { deselectItem(at: path, animated: false) }
        }
        prepareForEditing()
    }

    /// Lets cells show what can be done with them now.
    func prepareForEditing() {
        for (path, cell) in live {
            cell.isSelectable = choosesAny && itemDelegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
            cell.setNeedsUpdateConfiguration()
        }
    }

    /// Returns whether the user may move the item of a cell.
    func canMove(_ cell: UICollectionViewCell) -> Bool {
        guard let path = indexPath(for: cell) else { return false }
        return dataSource?.collectionView(self, canMoveItemAt: path) ?? false
    }

    /// Moves the item of a cell before or after that of another one, which is named by its element; returns whether
    /// there are both.
    func move(_ cell: UICollectionViewCell, to other: String, isAfter: Bool) -> Bool {
        guard !needsReload, canMove(cell), let dataSource, let source = indexPath(for: cell),
            let target = live.first(where: { $0.value.nodeID == other })?.key, target != source
        else { return false }
        var place = IndexPath(item: isAfter ? target.item + 1 : target.item, section: target.section)
        if place.section == source.section, place.item > source.item { place.item -= 1 }
        if let itemDelegate {
            place = itemDelegate.collectionView(
                self,
                targetIndexPathForMoveOfItemFromOriginalIndexPath: source,
                atCurrentIndexPath: source,
                toProposedIndexPath: place
            )
        }
        guard place != source, takes(place, from: source) else { return true }
        carry(from: source, to: place)
        dataSource.collectionView(self, moveItemAt: source, to: place)
        return true
    }

    /// Returns whether an item can lie at a place once it has left its own.
    private func takes(_ place: IndexPath, from source: IndexPath) -> Bool {
        guard place.count == 2, sectionCounts.indices.contains(place.section), place.item >= 0 else { return false }
        let count = sectionCounts[place.section]
        return place.item < count || place.item == count && place.section != source.section
    }

    /// Brings the cell of an item to another place, and those between to theirs.
    private func carry(from source: IndexPath, to place: IndexPath) {
        let moved = { (path: IndexPath) -> IndexPath in
            guard path != source else { return place }
            var path = path
            if path.section == source.section, path.item > source.item { path.item -= 1 }
            if path.section == place.section, path.item >= place.item { path.item += 1 }
            return path
        }
        live = Dictionary(live.map { (moved($0.key), $0.value) }) { first, _ in first }
        chosen = Set(chosen.map(moved))
        sectionCounts[source.section] -= 1
        sectionCounts[place.section] += 1
        forgetDecisions()
        setNeedsArranging()
    }
}
