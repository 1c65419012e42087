// What the user chooses, by a tap or a long press.
extension UICollectionView {
    /// The items that are chosen; `nil` where none is.
    public var indexPathsForSelectedItems: [IndexPath]? { chosen.isEmpty ? nil : chosen.sorted() }

    /// Marks an item as chosen, in place of the one before unless several may be, and scrolls to it where a place is
    /// given; the delegate is not told.
    ///
    /// With `nil`, none is chosen any more.
    public func selectItem(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        guard choosesAny else { return }
        if indexPath == nil || !choosesSeveral {
            for path in chosen where path != indexPath { deselectItem(at: path, animated: animated) }
        }
        guard let indexPath else { return }
        chosen.insert(indexPath)
        cellForItem(at: indexPath)?.isSelected = true
        if !scrollPosition.isEmpty { scrollToItem(at: indexPath, at: scrollPosition, animated: animated) }
    }

    /// Marks an item as no longer chosen.
    public func deselectItem(at indexPath: IndexPath, animated: Bool) {
        chosen.remove(indexPath)
        cellForItem(at: indexPath)?.isSelected = false
    }

    func select(_ cell: UICollectionViewCell) -> Bool {
        guard cell.isSelectable, let path = indexPath(for: cell) else { return false }
        itemDelegate?.collectionView(self, didHighlightItemAt: path)
        itemDelegate?.collectionView(self, didUnhighlightItemAt: path)
        if choosesSeveral, chosen.contains(path) { return deselect(path) }
        guard itemDelegate?.collectionView(self, shouldSelectItemAt: path) ?? true else { return true }
        let left = choosesSeveral ? [] : chosen.subtracting([path]).sorted()
        selectItem(at: path, animated: false, scrollPosition: [])
        for path in left { itemDelegate?.collectionView(self, didDeselectItemAt: path) }
        itemDelegate?.collectionView(self, didSelectItemAt: path)
        return true
    }

    private func deselect(_ path: IndexPath) -> Bool {
        guard itemDelegate?.collectionView(self, shouldDeselectItemAt: path) ?? true else { return true }
        deselectItem(at: path, animated: false)
        itemDelegate?.collectionView(self, didDeselectItemAt: path)
        return true
    }

    /// Lets a long press on an item open a menu, where the delegate gives menus: its default answer says that it
    /// doesn't.
    func watchForMenus(_ cell: UICollectionViewCell, at path: IndexPath) {
        if hasMenus == nil, let itemDelegate {
            hasMenus = true
            _ = itemDelegate.collectionView(self, contextMenuConfigurationForItemAt: path, point: .zero)
        }
        guard hasMenus == true, cell.menuPress == nil else { return }
        let press = UILongPressGestureRecognizer()
        press.addTarget(cell, action: UICollectionViewCell.showMenu)
        cell.menuPress = press
        cell.addGestureRecognizer(press)
    }

    func showMenu(of cell: UICollectionViewCell, at point: CGPoint) {
        guard let path = indexPath(for: cell) else { return }
        _ = itemDelegate?.collectionView(self, contextMenuConfigurationForItemAt: path, point: point)?.show(by: cell)
    }
}
