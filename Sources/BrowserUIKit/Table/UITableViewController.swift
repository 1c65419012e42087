/// Shows a table, and is its data source and delegate.
///
/// The rows of the table end above a keyboard, so that each can be scrolled to.
open class UITableViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    private let style: UITableView.Style
    /// The table.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tableView: UITableView! {
        get {
            loadViewIfNeeded()
            return view as? UITableView
        }
        set { view = newValue }
    }
    /// The control that is shown while content is refreshed.
    open var refreshControl: UIRefreshControl? {
        get { tableView.refreshControl }
        set { tableView.refreshControl = newValue }
    }
    /// Whether the chosen row is no longer so when the table appears again.
    ///
    /// The default is `true`.
    open var clearsSelectionOnViewWillAppear = true

    /// Creates a controller with a table of a style.
    public init(style: UITableView.Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates a controller with a plain table; browsers have no nib files.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        style = .plain
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// Creates a controller from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    /// Makes the table.
    open override func loadView() {
        let table = UITableView(frame: .zero, style: style)
        table.dataSource = self
        table.delegate = self
        view = table
    }

    /// Is called after the table has moved.
    open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    /// Is called when the user begins to scroll.
    open func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    /// Is called before it is told that the user has let go; another place is scrolled to, where one is set.
    open func scrollViewWillEndDragging(
        _ scrollView: UIScrollView,
        withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {}
    /// Is called after the user has let go.
    open func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    /// Is called when the content that the user scrolled has come to rest.
    open func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    /// Is called when the content that the app scrolled has come to rest.
    open func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}

    /// Returns how many sections there are.
    ///
    /// The default is 1.
    open func numberOfSections(in tableView: UITableView) -> Int { 1 }

    /// Returns how many rows a section has.
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

    /// Returns the cell of a row.
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell(style: .default, reuseIdentifier: nil)
    }

    /// Returns whether a row can be deleted.
    ///
    /// The default is `false`, although rows have the swipe actions that a subclass gives them.
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        tableView.leavesEditingOpen = true
        return false
    }

    /// Does what the user asked for a row.
    open func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {}

    /// Is called before a cell comes on screen.
    open func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {}

    /// Is called after a cell has left the screen.
    open func tableView(
        _ tableView: UITableView,
        didEndDisplaying cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {}

    /// Returns the height of a row.
    ///
    /// The default is that of the table.
    open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }

    /// Returns about how high a row is.
    ///
    /// The default is the table's estimate.
    open func tableView(_ tableView: UITableView, estimatedHeightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.estimatedRowHeight
    }

    /// Returns whether a row answers to touch.
    ///
    /// The default is `true`.
    open func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool { true }

    /// Is called after the user chose a row.
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}

    /// Returns what a swipe on a row offers.
    ///
    /// The default is to delete.
    open func tableView(
        _ tableView: UITableView,
        editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle { .delete }

    /// Returns what a swipe on a row offers in place of deletion.
    ///
    /// The default is `nil`: deletion.
    open func tableView(
        _ tableView: UITableView,
        trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { nil }

    /// Returns what a swipe from the start of a row offers.
    ///
    /// The default is `nil`: nothing.
    open func tableView(
        _ tableView: UITableView,
        leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? { nil }

    /// Returns what the button for deletion says.
    ///
    /// The default is the word of the system.
    open func tableView(
        _ tableView: UITableView,
        titleForDeleteConfirmationButtonForRowAt indexPath: IndexPath
    ) -> String? { nil }

    /// Returns whether a row can be moved by the user.
    ///
    /// The default is `false`.
    open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }

    /// Is called after the user has moved a row: the data has to follow, and the table already has.
    open func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}

    /// Returns the place that a row is moved to in place of the one that the user chose.
    ///
    /// The default is that place.
    open func tableView(
        _ tableView: UITableView,
        targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath { proposedDestinationIndexPath }

    /// Returns what stands above the rows of a section.
    ///
    /// The default is nothing.
    open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }

    /// Returns what stands below the rows of a section.
    ///
    /// The default is nothing.
    open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }

    /// Returns the view above the rows of a section.
    ///
    /// The default is none: a title of the data source is shown.
    open func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? { nil }

    /// Returns the height of the header of a section.
    ///
    /// The default is that of the table.
    open func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        tableView.sectionHeaderHeight
    }

    /// Returns about how high the header of a section is.
    ///
    /// The default is the table's estimate.
    open func tableView(_ tableView: UITableView, estimatedHeightForHeaderInSection section: Int) -> CGFloat {
        tableView.estimatedSectionHeaderHeight
    }

    /// Is called before the header of a section comes on screen.
    open func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int) {}

    /// Is called after the header of a section has left the screen.
    open func tableView(_ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int) {}

    /// Returns the view below the rows of a section.
    ///
    /// The default is none: a title of the data source is shown.
    open func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? { nil }

    /// Returns the height of the footer of a section.
    ///
    /// The default is that of the table.
    open func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        tableView.sectionFooterHeight
    }

    /// Returns about how high the footer of a section is.
    ///
    /// The default is the table's estimate.
    open func tableView(_ tableView: UITableView, estimatedHeightForFooterInSection section: Int) -> CGFloat {
        tableView.estimatedSectionFooterHeight
    }

    /// Is called before the footer of a section comes on screen.
    open func tableView(_ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int) {}

    /// Is called after the footer of a section has left the screen.
    open func tableView(_ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int) {}

    /// Returns the row to choose in place of the one that the user chose; `nil` for none.
    ///
    /// The default is that row.
    open func tableView(_ tableView: UITableView, willSelectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }

    /// Is called when the user touches a row that answers to touch; in browsers, when a tap on it has come.
    open func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {}

    /// Is called when the user no longer touches a row, before it is chosen.
    open func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {}

    /// Returns the row to leave in place of the one that the user left; `nil` for none.
    ///
    /// The default is that row.
    open func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? { indexPath }

    /// Is called after a row is no longer chosen.
    open func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {}

    /// Returns the menu that a long press on a row opens.
    ///
    /// The default is none.
    open func tableView(
        _ tableView: UITableView,
        contextMenuConfigurationForRowAt indexPath: IndexPath,
        point: CGPoint
    ) -> UIContextMenuConfiguration? {
        tableView.hasMenus = false
        return nil
    }

    /// Lets the user edit, or no longer: the table, too.
    open override func setEditing(_ editing: Bool, animated: Bool) {
        super.setEditing(editing, animated: animated)
        tableView.setEditing(editing, animated: animated)
    }
}

extension UITableViewController: KeyboardAvoiding {}
