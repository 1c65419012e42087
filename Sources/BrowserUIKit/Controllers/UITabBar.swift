/// Holds the looks of the bar of a controller of tabs.
@preconcurrency @MainActor
open class UITabBar: UIView {
    weak var controller: UITabBarController?
    private static let proxy = UITabBar(frame: .zero)

    /// Returns the bar whose looks those that are made later take.
    public class func appearance() -> UITabBar { proxy }

    /// The colour of the bar; `nil`, the default, is that of the system.
    open var barTintColor: UIColor? { didSet { changed() } }
    /// The colour of tabs that are not chosen; `nil`, the default, is that of the system.
    open var unselectedItemTintColor: UIColor? { didSet { changed() } }
    /// The style of the bar, light or dark.
    ///
    /// The default is that of the surroundings.
    open var barStyle = UIBarStyle.default { didSet { changed() } }
    /// Whether content goes on under the bar, and shines through it.
    ///
    /// The default is `true`.
    open var isTranslucent = true { didSet { changed() } }
    /// The look of the bar, of which a copy is kept.
    open var standardAppearance = UITabBarAppearance() {
        didSet {
            standardAppearance = standardAppearance.kept { [weak self] in self?.changedStandard() }
            changedStandard()
        }
    }
    /// The look of the bar where nothing is below it; `nil`, the default, is without a background.
    open var scrollEdgeAppearance: UITabBarAppearance? {
        didSet {
            scrollEdgeAppearance = scrollEdgeAppearance?.kept { [weak self] in self?.changed() }
            changed()
        }
    }
    private var isStandardSet = false
    /// The items that the tabs show.
    open var items: [UITabBarItem]? { controller?.viewControllers?.map { $0.tabBarItem } }
    /// The item of the chosen tab.
    open var selectedItem: UITabBarItem? { controller?.selectedViewController?.tabBarItem }

    /// The colour of the chosen tab.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open override var tintColor: UIColor! { didSet { changed() } }

    /// Takes the looks that the app has set for all bars.
    func takeSharedLooks() {
        let proxy = Self.proxy
        (barTintColor, barStyle, isTranslucent) = (proxy.barTintColor, proxy.barStyle, proxy.isTranslucent)
        unselectedItemTintColor = proxy.unselectedItemTintColor
        standardAppearance.onChange = { [weak self] in self?.changedStandard() }
        if proxy.isStandardSet { standardAppearance = proxy.standardAppearance }
        scrollEdgeAppearance = proxy.scrollEdgeAppearance
        if proxy.hasOwnTint { tintColor = proxy.tintColor }
    }

    private func changedStandard() {
        isStandardSet = true
        changed()
    }

    private func changed() {
        controller?.viewIfLoaded?.setNeedsDisplay()
    }

    /// The look of the bar, where the app has set one: for the chosen tab, or always.
    private var standard: UITabBarAppearance? {
        selectedItem?.standardAppearance ?? (isStandardSet ? standardAppearance : nil)
    }
    private var edge: UITabBarAppearance? { selectedItem?.scrollEdgeAppearance ?? scrollEdgeAppearance }

    /// Whether content goes on under the bar where its controller doesn't say otherwise.
    var letsContentThrough: Bool { isTranslucent && standard?.isOpaque != true }

    /// Returns how tabs look, where the app has said so.
    func itemLook(in traits: UITraitCollection) -> UITabBarItemAppearance? { (standard ?? edge)?.items(in: traits) }

    /// Adds the looks to the drawn bar.
    func style(_ node: inout Node) {
        if !letsContentThrough { node.add(class: "opaque") }
        if let barTintColor { node.style["background-color"] = barTintColor.css }
        if let color = standard?.backgroundColor { node.style["--bar"] = color.css }
        if let color = edge?.backgroundColor { node.style["--edge"] = color.css }
        if let standard, standard.backgroundEffect == nil { node.add(class: "clear") }
        standard?.drawLine(&node)
        if let unselectedItemTintColor { node.style["--unselected"] = unselectedItemTintColor.css }
        if barStyle == .black { node.style["color-scheme"] = "dark" }
        if hasOwnTint { node.style["--tint"] = tintColor.css }
    }
}
