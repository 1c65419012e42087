/// Brings results in line with what is searched for.
@preconcurrency @MainActor
public protocol UISearchResultsUpdating: AnyObject {
    /// Is called when what is searched for has changed, and when a search begins or ends.
    func updateSearchResults(for searchController: UISearchController)
}

/// A delegate that is told when a search is shown and goes.
@preconcurrency @MainActor
public protocol UISearchControllerDelegate: AnyObject {
    /// Is called before the search is shown.
    func willPresentSearchController(_ searchController: UISearchController)

    /// Is called after the search was shown.
    func didPresentSearchController(_ searchController: UISearchController)

    /// Is called before the search goes.
    func willDismissSearchController(_ searchController: UISearchController)

    /// Is called after the search has gone.
    func didDismissSearchController(_ searchController: UISearchController)
}

extension UISearchControllerDelegate {
    /// Does nothing.
    public func willPresentSearchController(_ searchController: UISearchController) {}

    /// Does nothing.
    public func didPresentSearchController(_ searchController: UISearchController) {}

    /// Does nothing.
    public func willDismissSearchController(_ searchController: UISearchController) {}

    /// Does nothing.
    public func didDismissSearchController(_ searchController: UISearchController) {}
}

/// Lets the user search what a controller shows: set it as ``UINavigationItem/searchController``.
open class UISearchController: UIViewController {
    /// The bar that the user types into.
    public let searchBar = UISearchBar()
    /// Brings results in line with what is searched for.
    open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
    /// The object that is told when the search is shown and goes.
    open weak var delegate: (any UISearchControllerDelegate)?
    /// Shows results over what is searched; `nil` where that shows them itself.
    public let searchResultsController: UIViewController?
    /// Whether the user searches.
    ///
    /// The default is `false`.
    open var isActive = false {
        didSet { if isActive != oldValue { change() } }
    }
    /// Whether what is searched is shaded until there are results; browsers do not shade it.
    ///
    /// The default is `true`.
    open var obscuresBackgroundDuringPresentation = true
    /// Whether the bar of the navigation goes while the user searches; browsers keep it.
    ///
    /// The default is `true`.
    open var hidesNavigationBarDuringPresentation = true
    /// Whether the button that gives the search up comes and goes by itself.
    ///
    /// The default is `true`.
    open var automaticallyShowsCancelButton = true
    /// Whether the choice of where to search comes and goes by itself.
    ///
    /// The default is `true`.
    open var automaticallyShowsScopeBar = true
    /// Whether results are shown before anything is typed.
    ///
    /// The default is `false`.
    open var showsSearchResultsController = false { didSet { showResults() } }
    weak var searched: UIViewController?
    private let listening = SearchListener()

    /// Creates a search.
    public init(searchResultsController: UIViewController?) {
        self.searchResultsController = searchResultsController
        super.init(nibName: nil, bundle: nil)
        listening.controller = self
        searchBar.listener = listening
    }

    /// Creates a search from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        searchResultsController = nil
        super.init(coder: coder)
    }

    private func change() {
        isActive ? delegate?.willPresentSearchController(self) : delegate?.willDismissSearchController(self)
        if automaticallyShowsCancelButton { searchBar.showsCancelButton = isActive }
        if automaticallyShowsScopeBar { searchBar.showsScopeBar = isActive && searchBar.scopeButtonTitles != nil }
        if !isActive {
            searchBar.text = ""
            searchBar.resignFirstResponder()
        }
        update()
        isActive ? delegate?.didPresentSearchController(self) : delegate?.didDismissSearchController(self)
    }

    fileprivate func update() {
        searchResultsUpdater?.updateSearchResults(for: self)
        showResults()
    }

    /// Shows results over what is searched as long as something is searched for.
    private func showResults() {
        searched?.navigationController?.viewIfLoaded?.setNeedsDisplay()
        guard let results = searchResultsController, let searched else { return }
        let isShown = isActive && (showsSearchResultsController || !(searchBar.text ?? "").isEmpty)
        guard isShown != (results.parent != nil) else { return }
        if isShown {
            searched.addChild(results)
            results.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            searched.view.addSubview(results.view)
            results.didMove(toParent: searched)
        } else {
            results.willMove(toParent: nil)
            results.view.removeFromSuperview()
            results.removeFromParent()
        }
        results.view.isSearchResult = isShown
    }
}

/// Brings a search in line with what happens in its bar.
private final class SearchListener: UISearchBarDelegate {
    weak var controller: UISearchController?

    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {
        controller?.isActive = true
    }

    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {
        controller?.update()
    }

    func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int) {
        controller?.update()
    }

    func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {
        controller?.isActive = false
    }
}
