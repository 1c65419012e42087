/// A part of a menu: an action, or a further menu.
@preconcurrency @MainActor
open class UIMenuElement: NSObject {
    /// Says how an action is offered.
    public struct Attributes: OptionSet, Sendable {
        /// One bit an attribute.
        public let rawValue: UInt

        /// Creates attributes from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// It can't be chosen.
        public static let disabled = Attributes(rawValue: 1 << 0)
        /// It destroys something.
        public static let destructive = Attributes(rawValue: 1 << 1)
        /// It is not shown.
        public static let hidden = Attributes(rawValue: 1 << 2)
    }

    /// Says whether an action is on.
    public enum State: Int, Sendable {
        /// Off.
        case off = 0
        /// On: a mark stands beside it.
        case on = 1
        /// Neither.
        case mixed = 2
    }

    /// The title.
    public internal(set) var title: String
    /// The image.
    public internal(set) var image: UIImage?
    /// A text below the title; browsers show the title alone.
    ///
    /// The default is none.
    open var subtitle: String?

    init(title: String, image: UIImage?) {
        self.title = title
        self.image = image
    }
}
