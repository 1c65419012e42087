// What can be done with rows, and which of them are chosen.
extension UITableView {
    func swipeActions(for path: IndexPath, cell: UITableViewCell) -> UISwipeActionsConfiguration? {
        let isEditable = dataSource?.tableView(self, canEditRowAt: path) ?? false
        guard isEditable || leavesEditingOpen else { return nil }
        if let own = tableDelegate?.tableView(self, trailingSwipeActionsConfigurationForRowAt: path) { return own }
        guard isEditable else { return nil }
        guard tableDelegate?.tableView(self, editingStyleForRowAt: path) ?? .delete == .delete else { return nil }
        let title = tableDelegate?.tableView(self, titleForDeleteConfirmationButtonForRowAt: path)
        let word = title ?? SystemStrings.delete.text(in: screen?.environment.language)
        let delete = UIContextualAction(style: .destructive, title: word) { [weak self, weak cell] _, _, done in
            guard let self, let cell, let path = indexPath(for: cell) else { return done(false) }
            self.dataSource?.tableView(self, commit: .delete, forRowAt: path)
            done(true)
        }
        return UISwipeActionsConfiguration(actions: [delete])
    }

    /// Returns what a swipe from the start of a row offers.
    func leadingActions(for path: IndexPath) -> UISwipeActionsConfiguration? {
        guard isEditable(path) else { return nil }
        return tableDelegate?.tableView(self, leadingSwipeActionsConfigurationForRowAt: path)
    }

    /// Returns the control that a row shows beside its content while the table is edited.
    func editingStyle(of path: IndexPath) -> UITableViewCell.EditingStyle {
        guard editing, !allowsMultipleSelectionDuringEditing, dataSource?.tableView(self, canEditRowAt: path) ?? false
        else { return .none }
        return tableDelegate?.tableView(self, editingStyleForRowAt: path) ?? .delete
    }

    /// Whether rows can be chosen now.
    private var choosesAny: Bool {
        guard editing else { return allowsSelection }
        return allowsSelectionDuringEditing || allowsMultipleSelectionDuringEditing
    }

    /// Whether several rows can be chosen at once now.
    var choosesSeveral: Bool { editing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection }

    /// Lets rows show what can be done with them now.
    func prepareForEditing() {
        for (path, cell) in live { prepareForEditing(cell, at: path) }
        setNeedsDisplay()
    }

    func prepareForEditing(_ cell: UITableViewCell, at path: IndexPath) {
        cell.isSelectable = choosesAny && tableDelegate?.tableView(self, shouldHighlightRowAt: path) ?? true
        cell.editingStyle = editingStyle(of: path)
        cell.showsChoice = editing && allowsMultipleSelectionDuringEditing && isEditable(path)
        if editing { cell.showsReorderControl = dataSource?.tableView(self, canMoveRowAt: path) ?? false }
    }

    private func isEditable(_ path: IndexPath) -> Bool {
        let isEditable = dataSource?.tableView(self, canEditRowAt: path) ?? false
        return isEditable || leavesEditingOpen
    }

    /// Does what the user chose beside a row; returns whether there was something.
    func edit(_ cell: UITableViewCell) -> Bool {
        guard cell.editingStyle == .insert, let path = indexPath(for: cell) else { return false }
        dataSource?.tableView(self, commit: .insert, forRowAt: path)
        return true
    }

    /// Lets a long press on a row open a menu, where the delegate gives menus: its default answer says that it doesn't.
    func watchForMenus(_ cell: UITableViewCell, at path: IndexPath) {
        if hasMenus == nil, let tableDelegate {
            hasMenus = true
            _ = tableDelegate.tableView(self, contextMenuConfigurationForRowAt: path, point: .zero)
        }
        guard hasMenus == true, cell.menuPress == nil else { return }
        let press = UILongPressGestureRecognizer()
        press.addTarget(cell, action: UITableViewCell.showMenu)
        cell.menuPress = press
        cell.addGestureRecognizer(press)
    }

    func showMenu(of cell: UITableViewCell, at point: CGPoint) {
        guard let path = indexPath(for: cell) else { return }
        _ = tableDelegate?.tableView(self, contextMenuConfigurationForRowAt: path, point: point)?.show(by: cell)
    }

    func select(_ cell: UITableViewCell) -> Bool {
        guard cell.isSelectable, let path = indexPath(for: cell) else { return false }
        tableDelegate?.tableView(self, didHighlightRowAt: path)
        tableDelegate?.tableView(self, didUnhighlightRowAt: path)
        guard !chosen.contains(path) || !choosesSeveral else {
            leave(path)
            return true
        }
        guard let wanted = tableDelegate.map({ $0.tableView(self, willSelectRowAt: path) }) ?? path else { return true }
        if !choosesSeveral {
            for path in chosen.subtracting([wanted]).sorted() { leave(path) }
        }
        selectRow(at: wanted, animated: false, scrollPosition: .none)
        tableDelegate?.tableView(self, didSelectRowAt: wanted)
        return true
    }

    /// Chooses a row no longer, unless the delegate keeps it.
    private func leave(_ path: IndexPath) {
        guard let tableDelegate else { return deselectRow(at: path, animated: false) }
        guard let left = tableDelegate.tableView(self, willDeselectRowAt: path) else { return }
        deselectRow(at: left, animated: false)
        tableDelegate.tableView(self, didDeselectRowAt: left)
    }

    /// The row that is chosen, or the first of them.
    public var indexPathForSelectedRow: IndexPath? { chosen.min() }

    /// The rows that are chosen; `nil` where there are none.
    public var indexPathsForSelectedRows: [IndexPath]? { chosen.isEmpty ? nil : chosen.sorted() }

    /// Returns the row at a point of the content; `nil` where there is none.
    public func indexPathForRow(at point: CGPoint) -> IndexPath? {
        if needsReload { readRows() }
        let height = point.y - headerHeight
        let index = geometry.rows(from: height, to: height.nextUp).first
        return index.map { geometry.path(at: $0) }
    }
}
