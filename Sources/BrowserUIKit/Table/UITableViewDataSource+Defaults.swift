extension UITableViewDataSource {
    /// Returns how many sections there are.
    ///
    /// The default is 1.
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }

    /// Returns whether a row can be deleted.
    ///
    /// The default is `false`, although rows have the swipe actions that the delegate gives them.
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        tableView.leavesEditingOpen = true
        return false
    }

    /// Does what the user asked for a row.
    public func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}

    /// Returns whether a row can be moved by the user.
    ///
    /// The default is `false`.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }

    /// Is called after the user has moved a row: the data has to follow, and the table already has.
    public func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}

    /// Returns what stands above the rows of a section.
    ///
    /// The default is nothing.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }

    /// Returns what stands below the rows of a section.
    ///
    /// The default is nothing.
    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
}
