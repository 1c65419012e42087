/// Holds what a navigation bar shows for one controller.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    /// Says whether a title is large.
    public enum LargeTitleDisplayMode: Int, Sendable {
        /// As that of the controller below.
        case automatic = 0
        /// Always.
        case always = 1
        /// Never.
        case never = 2
    }

    weak var controller: UIViewController?
    private var ownTitle: String?

    /// The title.
    ///
    /// The default is that of the controller.
    open var title: String? {
        get { ownTitle ?? controller?.title }
        set {
            ownTitle = newValue
            changed()
        }
    }
    /// The buttons at the end, from the edge inwards.
    open var rightBarButtonItems: [UIBarButtonItem]? { didSet { changed() } }
    /// The buttons at the start, from the edge inwards.
    open var leftBarButtonItems: [UIBarButtonItem]? { didSet { changed() } }
    /// The button at the end.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }
    /// The button at the start.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }
    /// The view that stands in place of the title.
    ///
    /// The default is none.
    open var titleView: UIView? { didSet { changed() } }
    /// The search of what the controller shows, whose bar stands below the title.
    ///
    /// The default is none.
    open var searchController: UISearchController? {
        didSet {
            searchController?.searched = controller
            changed()
        }
    }
    /// Whether the bar of the search goes while content is scrolled; browsers keep it.
    ///
    /// The default is `true`.
    open var hidesSearchBarWhenScrolling = true
    /// Whether the title is large where the bar prefers that.
    ///
    /// The default is that of the controller below.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic { didSet { changed() } }
    /// The look of the bar while it shows this; `nil`, the default, is its usual one.
    open var standardAppearance: UINavigationBarAppearance? {
        didSet {
            standardAppearance = standardAppearance?.kept { [weak self] in self?.changed() }
            changed()
        }
    }
    /// The look of the bar while it shows this and nothing has been scrolled; `nil`, the default, is its usual one.
    open var scrollEdgeAppearance: UINavigationBarAppearance? {
        didSet {
            scrollEdgeAppearance = scrollEdgeAppearance?.kept { [weak self] in self?.changed() }
            changed()
        }
    }
    /// The look of a low bar; browsers have none.
    open var compactAppearance: UINavigationBarAppearance? {
        didSet { compactAppearance = compactAppearance?.kept() }
    }
    /// The look of a low bar where nothing has been scrolled; browsers have none.
    open var compactScrollEdgeAppearance: UINavigationBarAppearance? {
        didSet { compactScrollEdgeAppearance = compactScrollEdgeAppearance?.kept() }
    }
    /// The text above the title; browsers do not show it.
    open var prompt: String?
    /// The button that leads back here, of which the title counts.
    ///
    /// The default is none.
    open var backBarButtonItem: UIBarButtonItem? { didSet { backButtonTitle = backBarButtonItem?.title } }
    /// Exchanges the buttons at the end.
    open func setRightBarButtonItems(_ items: [UIBarButtonItem]?, animated: Bool) {
        rightBarButtonItems = items
    }

    /// Exchanges the buttons at the start.
    open func setLeftBarButtonItems(_ items: [UIBarButtonItem]?, animated: Bool) {
        leftBarButtonItems = items
    }

    /// Exchanges the button at the end.
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) {
        rightBarButtonItem = item
    }

    /// Exchanges the button at the start.
    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) {
        leftBarButtonItem = item
    }

    /// The title of the button that leads back here.
    ///
    /// The default is the title.
    open var backButtonTitle: String? { didSet { changed() } }
    /// Says what the button that leads back here shows.
    public enum BackButtonDisplayMode: Int, Sendable {
        /// The title, where there is room.
        case `default` = 0
        /// The word of the system.
        case generic = 1
        /// The arrow alone.
        case minimal = 2
    }

    /// The text or symbol of the button that leads back here.
    ///
    /// The default is the title.
    open var backButtonDisplayMode = BackButtonDisplayMode.default { didSet { changed() } }
    /// Whether the buttons at the start stand beside the one that leads back, and not in its place.
    ///
    /// The default is `false`.
    open var leftItemsSupplementBackButton = false { didSet { changed() } }
    /// Shows or hides the button that leads back.
    open func setHidesBackButton(_ hidesBackButton: Bool, animated: Bool) {
        self.hidesBackButton = hidesBackButton
    }

    /// Whether the bar has a button that leads back where there is a controller to go back to.
    var showsBackButton: Bool {
        !hidesBackButton && (leftItemsSupplementBackButton || leftBarButtonItems?.isEmpty != false)
    }
    /// Whether there is no button that leads back.
    ///
    /// The default is `false`.
    open var hidesBackButton = false { didSet { changed() } }

    /// Creates an item with a title.
    public init(title: String) {
        ownTitle = title.isEmpty ? nil : title
    }

    private func changed() {
        controller?.navigationController?.viewIfLoaded?.setNeedsDisplay()
    }
}
