/// A button in a bar.
@preconcurrency @MainActor
open class UIBarButtonItem: NSObject {
    /// Names a button that the system knows.
    public enum SystemItem: Int, Sendable {
        /// Done.
        case done = 0
        /// Cancel.
        case cancel = 1
        /// Edit.
        case edit = 2
        /// Save.
        case save = 3
        /// Adding something.
        case add = 4
        /// Room that grows.
        case flexibleSpace = 5
        /// Room of a width.
        case fixedSpace = 6
        /// Writing something.
        case compose = 7
        /// Answering.
        case reply = 8
        /// The button for what can be done with something.
        case action = 9
        /// Putting into a folder.
        case organize = 10
        /// Bookmarks.
        case bookmarks = 11
        /// Searching.
        case search = 12
        /// Refresh.
        case refresh = 13
        /// Stopping.
        case stop = 14
        /// Taking a photograph.
        case camera = 15
        /// Throwing away.
        case trash = 16
        /// Playing.
        case play = 17
        /// Pausing.
        case pause = 18
        /// Close.
        case close = 24
    }

    /// Says how a button looks.
    public enum Style: Int, Sendable {
        /// As all others.
        case plain = 0
        /// As the one that ends what the user does.
        case done = 2
    }

    /// The title; `nil` for a button of the system.
    open var title: String? { didSet { changed() } }
    /// The image.
    ///
    /// The default is none.
    open var image: UIImage? { didSet { changed() } }
    /// Whether the button can be used.
    ///
    /// The default is `true`.
    open var isEnabled = true { didSet { changed() } }
    /// The style of the button.
    ///
    /// The default is plain.
    open var style = Style.plain { didSet { changed() } }
    /// The width of fixed room, in points.
    ///
    /// The default is 0.
    open var width: CGFloat = 0 { didSet { changed() } }
    /// A number of the app's own.
    ///
    /// The default is 0.
    open var tag = 0
    /// The action of a tap.
    open var primaryAction: UIAction?
    /// The menu of a tap, where the button has no action.
    ///
    /// The default is none.
    open var menu: UIMenu?
    /// The view that stands in place of the button.
    open var customView: UIView? { didSet { changed() } }
    /// The name for people who do not see it.
    open var accessibilityLabel: String? { didSet { changed() } }
    let systemItem: SystemItem?
    private var target: TargetAction?
    /// The view that shows the button, since it was drawn.
    private weak var shower: UIView?

    /// Creates a button that the system knows.
    public init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.systemItem = systemItem
        self.primaryAction = primaryAction
        self.menu = menu
        customView = nil
    }

    /// Creates a button with a title or an image.
    public init(
        title: String? = nil,
        image: UIImage? = nil,
        primaryAction: UIAction? = nil,
        menu: UIMenu? = nil
    ) {
        systemItem = nil
        customView = nil
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
        self.primaryAction = primaryAction
        self.menu = menu
    }

    /// Creates a button that is a view of the app's.
    public init(customView: UIView) {
        systemItem = nil
        self.customView = customView
    }

    /// Creates a button that the system knows, or room, which does nothing.
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: AnyObject?, action: Never?) {
        self.init(systemItem: systemItem)
    }

    /// Creates a button that the system knows, and that calls a method, `FeedController.tapped`, of an object.
    public convenience init<Target: AnyObject>(
        barButtonSystemItem systemItem: SystemItem,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(systemItem: systemItem)
        self.target = TargetAction(target, action)
    }

    /// Creates a button that the system knows, and that calls a method which takes the button.
    public convenience init<Target: AnyObject>(
        barButtonSystemItem systemItem: SystemItem,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (UIBarButtonItem) -> Void
    ) {
        self.init(systemItem: systemItem)
        self.target = TargetAction(target, action)
    }

    /// Creates a button with a title that calls a method of an object which it does not hold.
    public convenience init<Target: AnyObject>(
        title: String?,
        style: Style,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(title: title)
        self.style = style
        self.target = TargetAction(target, action)
    }

    /// Creates a button with a title that calls a method which takes the button.
    public convenience init<Target: AnyObject>(
        title: String?,
        style: Style,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (UIBarButtonItem) -> Void
    ) {
        self.init(title: title)
        self.style = style
        self.target = TargetAction(target, action)
    }

    /// Creates a button with an image that calls a method of an object which it does not hold.
    public convenience init<Target: AnyObject>(
        image: UIImage?,
        style: Style,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(image: image)
        self.style = style
        self.target = TargetAction(target, action)
    }

    /// Creates a button with an image that calls a method which takes the button.
    public convenience init<Target: AnyObject>(
        image: UIImage?,
        style: Style,
        target: Target,
        action: @escaping @MainActor (Target) -> @MainActor (UIBarButtonItem) -> Void
    ) {
        self.init(image: image)
        self.style = style
        self.target = TargetAction(target, action)
    }

    /// Returns room that grows.
    public class func flexibleSpace() -> UIBarButtonItem {
        UIBarButtonItem(room: .flexibleSpace, width: 0)
    }

    /// Returns room of a width, in points.
    public class func fixedSpace(_ width: CGFloat) -> UIBarButtonItem {
        UIBarButtonItem(room: .fixedSpace, width: width)
    }

    private init(room: SystemItem, width: CGFloat) {
        systemItem = room
        customView = nil
        self.width = width
    }

    /// The controller that the button edits, for the words that it says.
    private weak var edited: UIViewController?

    /// Returns the button by which the user begins to edit what a controller shows, and ends it.
    static func edit(of controller: UIViewController) -> UIBarButtonItem {
        let item = UIBarButtonItem(systemItem: .edit)
        item.edited = controller
        item.primaryAction = UIAction { [weak controller] _ in
            controller?.setEditing(controller?.isEditing == false, animated: true)
        }
        return item
    }

    func text(in language: String?) -> String {
        switch edited?.isEditing == true ? .done : systemItem {
        case .done: SystemStrings.done.text(in: language)
        case .cancel: SystemStrings.cancel.text(in: language)
        case .edit: SystemStrings.edit.text(in: language)
        case .save: SystemStrings.save.text(in: language)
        case .refresh: SystemStrings.refresh.text(in: language)
        case .close: SystemStrings.close.text(in: language)
        default: title ?? ""
        }
    }

    /// The image: the app's, or that of the system.
    var shownImage: UIImage? {
        let names: [SystemItem: String] = [
            .add: "plus", .compose: "square.and.pencil", .reply: "arrowshape.turn.up.left",
            .action: "square.and.arrow.up",
            .organize: "folder", .bookmarks: "book", .search: "magnifyingglass", .stop: "xmark", .camera: "camera",
            .trash: "trash", .play: "play.fill", .pause: "pause.fill",
        ]
        return image ?? systemItem.flatMap { names[$0] }.flatMap { UIImage(systemName: $0) }
    }

    var isProminent: Bool { edited?.isEditing == true || systemItem == .done || systemItem == .save || style == .done }
    var isSpace: Bool { systemItem == .flexibleSpace || systemItem == .fixedSpace }

    private func changed() {
        shower?.setNeedsDisplay()
    }

    /// Does what a tap asks for; returns whether the button can be used.
    func perform(in view: UIView) -> Bool {
        guard isEnabled, !isSpace else { return false }
        if let primaryAction {
            primaryAction.perform(by: self)
        } else if let target {
            target.perform(by: self)
        } else if let menu, let controller = view.nearestController {
            menu.show(by: self, over: controller)
        }
        return true
    }

    /// Draws the button as a part of a view; returns its id.
    func draw(
        _ id: String,
        of view: UIView,
        looks: BarButtonLooks? = nil,
        in drawing: Drawing
    ) -> String {
        shower = view
        if let customView { return customView.render(drawing) }
        if isSpace {
            _ = drawing.add(id, class: systemItem == .flexibleSpace ? "bar-space" : "bar-gap")
            if systemItem == .fixedSpace { drawing.nodes[id]?.style["width"] = CSS.points(width) }
            return id
        }
        let text = text(in: view.screen?.environment.language)
        let image = text.isEmpty ? shownImage : image
        let name = isProminent ? "bar-button prominent" : "bar-button"
        _ = drawing.add(id, tag: "button", class: name, text: image == nil ? text : nil)
        drawing.nodes[id]?.attributes[isEnabled ? "data-tap" : "disabled"] = ""
        if let label = accessibilityLabel ?? (image == nil ? nil : title) {
            drawing.nodes[id]?.attributes["aria-label"] = label
        }
        if let image {
            // Drawn first: it adds to the same nodes.
            let glyph = image.drawGlyph("\(id).image", in: drawing)
            drawing.nodes[id]?.children = [glyph]
        }
        looks?.style(id, isEnabled: isEnabled, in: drawing)
        return id
    }
}
