/// Offers one thing to do when a row is swiped.
@preconcurrency @MainActor
open class UIContextualAction {
    /// Does it, and calls back with whether it was done.
    public typealias Handler = @MainActor (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    /// Says what kind of thing it is.
    public enum Style: Int, Sendable {
        /// Something that can be undone.
        case normal = 0
        /// Something that deletes.
        case destructive = 1
    }

    /// The kind.
    public let style: Style
    /// The title.
    open var title: String?
    /// The image over the title.
    ///
    /// The default is none.
    open var image: UIImage?
    /// The background: red or grey by default, according to the kind.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var backgroundColor: UIColor!
    /// The handler of the action.
    public let handler: Handler

    /// Creates an action.
    public init(style: Style, title: String?, handler: @escaping Handler) {
        self.style = style
        self.title = title
        self.handler = handler
        backgroundColor = style == .destructive ? .systemRed : .systemGray
    }
}

/// Holds what a row offers when it is swiped.
@preconcurrency @MainActor
open class UISwipeActionsConfiguration {
    /// The actions, from the edge inwards.
    public let actions: [UIContextualAction]
    /// Whether a long swipe does the first.
    ///
    /// The default is `true`.
    open var performsFirstActionWithFullSwipe = true

    /// Creates a configuration.
    public init(actions: [UIContextualAction]) {
        self.actions = actions
    }
}
