/// Says how light a bar is.
public enum UIBarStyle: Int, Sendable {
    /// Light, or dark where the surroundings are.
    case `default` = 0
    /// Dark.
    case black = 1
}

/// Holds the looks of the bar of a navigation controller.
@preconcurrency @MainActor
open class UINavigationBar: UIView {
    weak var controller: UINavigationController?
    /// Whether titles are large where nothing has been scrolled.
    ///
    /// The default is `false`.
    open var prefersLargeTitles = false { didSet { changed() } }
    /// The colour of the bar; `nil`, the default, is that of what is below.
    open var barTintColor: UIColor? { didSet { changed() } }
    /// The style of the bar, light or dark.
    ///
    /// The default is that of the surroundings.
    open var barStyle = UIBarStyle.default { didSet { changed() } }
    /// Whether content goes on under the bar, and shines through it.
    ///
    /// The default is `true`.
    open var isTranslucent = true { didSet { changed() } }
    /// The font and colour of the title.
    ///
    /// The default is that of the system.
    open var titleTextAttributes: [NSAttributedString.Key: Any]? { didSet { changed() } }
    /// The font and colour of a large title.
    ///
    /// The default is that of the system.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any]? { didSet { changed() } }
    /// The line below the bar; an empty image leaves it out.
    ///
    /// The default is that of the system.
    open var shadowImage: UIImage? { didSet { changed() } }
    /// The look of the bar, of which a copy is kept.
    open var standardAppearance = UINavigationBarAppearance() {
        didSet {
            standardAppearance = standardAppearance.kept { [weak self] in self?.changedStandard() }
            changedStandard()
        }
    }
    /// The look of the bar where nothing has been scrolled; `nil`, the default, is without a background.
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
    private var isStandardSet = false
    /// The item that the bar shows.
    open var topItem: UINavigationItem? { controller?.topViewController?.navigationItem }

    /// The accent colour of buttons in the bar.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open override var tintColor: UIColor! { didSet { changed() } }

    private static let proxy = UINavigationBar(frame: .zero)

    /// Returns the bar whose looks those that are made later take.
    public class func appearance() -> UINavigationBar { proxy }

    /// Takes the looks that the app has set for all bars.
    func takeSharedLooks() {
        let proxy = Self.proxy
        (barTintColor, barStyle, isTranslucent) = (proxy.barTintColor, proxy.barStyle, proxy.isTranslucent)
        (titleTextAttributes, largeTitleTextAttributes) = (proxy.titleTextAttributes, proxy.largeTitleTextAttributes)
        shadowImage = proxy.shadowImage
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

    /// The look of the bar, where the app has set one: for what it shows, or always.
    private var standard: UINavigationBarAppearance? {
        topItem?.standardAppearance ?? (isStandardSet ? standardAppearance : nil)
    }
    private var edge: UINavigationBarAppearance? { topItem?.scrollEdgeAppearance ?? scrollEdgeAppearance }

    /// Returns the looks of its buttons of a kind; without a look of the scroll edge, the standard one counts there.
    func looks(of kind: (UINavigationBarAppearance) -> UIBarButtonItemAppearance) -> BarButtonLooks {
        BarButtonLooks(scrolled: standard.map(kind), resting: edge.map(kind))
    }

    /// Whether content goes on under the bar where its controller doesn't say otherwise.
    var letsContentThrough: Bool { isTranslucent && standard?.isOpaque != true }

    /// Adds the looks to the drawn bar.
    func style(_ node: inout Node, page: UIColor?) {
        if let page { node.style["--page"] = page.css }
        if let color = edge?.backgroundColor ?? barTintColor { node.style["--page"] = color.css }
        let scrolled = standard?.backgroundColor ?? barTintColor
        if let scrolled { node.style["--bar"] = scrolled.css }
        if !letsContentThrough { node.add(class: "opaque") }
        let isSharp = standard.map { $0.backgroundEffect == nil && !$0.isOpaque } ?? false
        if scrolled == .clear || isSharp { node.add(class: "clear") }
        if standard?.hidesShadow == true || shadowImage?.size == .zero { node.add(class: "no-line") }
        if let standard, !standard.hidesShadow { standard.drawLine(&node) }
        if barStyle == .black { node.style["color-scheme"] = "dark" }
        if hasOwnTint { node.style["--tint"] = tintColor.css }
    }

    /// Adds the looks of a title to its element; a title has another one while nothing is scrolled, which is the only
    /// time at which a large title is shown.
    func style(_ node: inout Node, isLarge: Bool) {
        guard !isLarge else {
            let look = (edge ?? standard)?.largeTitleTextAttributes ?? [:]
            return node.take(look.merging(largeTitleTextAttributes ?? [:]) { $1 })
        }
        let own = titleTextAttributes ?? [:]
        node.take((standard?.titleTextAttributes ?? [:]).merging(own) { $1 })
        if let edge { node.takeResting(edge.titleTextAttributes.merging(own) { $1 }) }
    }
}
