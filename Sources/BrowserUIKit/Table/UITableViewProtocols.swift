/// Gives a table its rows.
@preconcurrency @MainActor
public protocol UITableViewDataSource: AnyObject {
    /// Returns how many sections there are. The default is 1.
    func numberOfSections(in tableView: UITableView) -> Int

    /// Returns how many rows a section has.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int

    /// Returns the cell of a row.
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell

    /// Returns whether a row can be deleted. The default is `false`.
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool

    /// Does what the user asked for a row.
    func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    )

    /// Returns whether a row can be moved by the user. The default is `false`.
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool

    /// Is called after the user has moved a row: the data has to follow, and the table already has.
    func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    )

    /// Returns what stands above the rows of a section. The default is nothing.
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?

    /// Returns what stands below the rows of a section. The default is nothing.
    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
}

/// Prepares rows that will be shown soon.
@preconcurrency @MainActor
public protocol UITableViewDataSourcePrefetching: AnyObject {
    /// Begins to get what rows will need.
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])

    /// Is told that rows will not be shown after all.
    func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

extension UITableViewDataSourcePrefetching {
    /// Does nothing.
    public func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {}
}

/// Says how the rows of a table behave, and hears what happens to them.
@preconcurrency @MainActor
public protocol UITableViewDelegate: UIScrollViewDelegate {
    /// Is called before a cell comes on screen.
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)

    /// Is called after a cell has left the screen.
    func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath)

    /// Returns the height of a row. The default is that of the table.
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat

    /// Returns about how high a row is. The default is the table's estimate.
    func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat

    /// Returns whether a row answers to touch. The default is `true`.
    func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool

    /// Is called after the user chose a row.
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)

    /// Returns what a swipe on a row offers. The default is to delete.
    func tableView(
        _ tableView: UITableView,
        editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle

    /// Returns what a swipe on a row offers in place of deletion. The default is `nil`: deletion.
    func tableView(
        _ tableView: UITableView,
        trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?

    /// Returns what a swipe from the start of a row offers. The default is `nil`: nothing.
    func tableView(
        _ tableView: UITableView,
        leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?

    /// Returns what the button for deletion says. The default is the word of the system.
    func tableView(
        _ tableView: UITableView,
        titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
    ) -> String?

    /// Returns the place that a row is moved to in place of the one that the user chose. The default is that place.
    func tableView(
        _ tableView: UITableView,
        targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath

    /// Returns the view above the rows of a section. The default is none: a title of the data source is shown.
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?

    /// Returns the height of the header of a section. The default is that of the table.
    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat

    /// Returns about how high the header of a section is. The default is the table's estimate.
    func tableView(_ tableView: UITableView, estimatedHeightForHeaderInSection section: Int) -> CGFloat

    /// Is called before the header of a section comes on screen.
    func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int)

    /// Is called after the header of a section has left the screen.
    func tableView(_ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int)

    /// Returns the view below the rows of a section. The default is none: a title of the data source is shown.
    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?

    /// Returns the height of the footer of a section. The default is that of the table.
    func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat

    /// Returns about how high the footer of a section is. The default is the table's estimate.
    func tableView(_ tableView: UITableView, estimatedHeightForFooterInSection section: Int) -> CGFloat

    /// Is called before the footer of a section comes on screen.
    func tableView(_ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int)

    /// Is called after the footer of a section has left the screen.
    func tableView(_ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int)

    /// Returns the row to choose in place of the one that the user chose; `nil` for none. The default is that row.
    func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath?

    /// Is called when the user touches a row that answers to touch; in browsers, when a tap on it has come.
    func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath)

    /// Is called when the user no longer touches a row, before it is chosen.
    func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath)

    /// Returns the row to leave in place of the one that the user left; `nil` for none. The default is that row.
    func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath?

    /// Is called after a row is no longer chosen.
    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath)

    /// Returns the menu that a long press on a row opens. The default is none.
    func tableView(
        _ tableView: UITableView,
        contextMenuConfigurationForRowAt indexPath: IndexPath,
        point: CGPoint
    ) -> UIContextMenuConfiguration?
}

extension UITableViewDelegate {
    /// Is called before a cell comes on screen.
    public func tableView(
        _ tableView: UITableView,
        willDisplay cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}

    /// Is called after a cell has left the screen.
    public func tableView(
        _ tableView: UITableView,
        didEndDisplaying cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}

    /// Returns the height of a row.
    ///
    /// The default is that of the table.
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }

    /// Returns about how high a row is.
    ///
    /// The default is the table's estimate.
    public func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.estimatedRowHeight
    }

    /// Returns whether a row answers to touch.
    ///
    /// The default is `true`.
    public func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool { true }

    /// Is called after the user chose a row.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}

    /// Returns what a swipe on a row offers.
    ///
    /// The default is to delete.
    public func tableView(
        _ tableView: UITableView,
        editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle { .delete }

    /// Returns what a swipe on a row offers in place of deletion.
    ///
    /// The default is `nil`: deletion.
    public func tableView(
        _ tableView: UITableView,
        trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { nil }

    /// Returns what a swipe from the start of a row offers.
    ///
    /// The default is `nil`: nothing.
    public func tableView(
        _ tableView: UITableView,
        leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { nil }

    /// Returns what the button for deletion says.
    ///
    /// The default is the word of the system.
    public func tableView(
        _ tableView: UITableView,
        titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
    ) -> String? { nil }

    /// Returns the place that a row is moved to in place of the one that the user chose.
    ///
    /// The default is that place.
    public func tableView(
        _ tableView: UITableView,
        targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath { proposedDestinationIndexPath }

    /// Returns the view above the rows of a section.
    ///
    /// The default is none: a title of the data source is shown.
    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { nil }

    /// Returns the height of the header of a section.
    ///
    /// The default is that of the table.
    public func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        tableView.sectionHeaderHeight
    }

    /// Returns about how high the header of a section is.
    ///
    /// The default is the table's estimate.
    public func tableView(_ tableView: UITableView, estimatedHeightForHeaderInSection section: Int) -> CGFloat {
        tableView.estimatedSectionHeaderHeight
    }

    /// Is called before the header of a section comes on screen.
    public func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int) {}

    /// Is called after the header of a section has left the screen.
    public func tableView(_ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int) {}

    /// Returns the view below the rows of a section.
    ///
    /// The default is none: a title of the data source is shown.
    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { nil }

    /// Returns the height of the footer of a section.
    ///
    /// The default is that of the table.
    public func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        tableView.sectionFooterHeight
    }

    /// Returns about how high the footer of a section is.
    ///
    /// The default is the table's estimate.
    public func tableView(_ tableView: UITableView, estimatedHeightForFooterInSection section: Int) -> CGFloat {
        tableView.estimatedSectionFooterHeight
    }

    /// Is called before the footer of a section comes on screen.
    public func tableView(_ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int) {}

    /// Is called after the footer of a section has left the screen.
    public func tableView(_ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int) {}

    /// Returns the row to choose in place of the one that the user chose; `nil` for none.
    ///
    /// The default is that row.
    public func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }

    /// Is called when the user touches a row that answers to touch; in browsers, when a tap on it has come.
    public func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {}

    /// Is called when the user no longer touches a row, before it is chosen.
    public func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {}

    /// Returns the row to leave in place of the one that the user left; `nil` for none.
    ///
    /// The default is that row.
    public func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }

    /// Is called after a row is no longer chosen.
    public func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {}

    /// Returns the menu that a long press on a row opens.
    ///
    /// The default is none.
    public func tableView(
        _ tableView: UITableView,
        contextMenuConfigurationForRowAt indexPath: IndexPath,
        point: CGPoint
    ) -> UIContextMenuConfiguration? {
        tableView.hasMenus = false
        return nil
    }
}
