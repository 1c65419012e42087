/// Does something with what the user shares.
@preconcurrency @MainActor
open class UIActivity: NSObject {
    /// Names an activity.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a type from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Copying.
        public static let copyToPasteboard = Self("com.apple.UIKit.activity.CopyToPasteboard")
        /// A mail.
        public static let mail = Self("com.apple.UIKit.activity.Mail")
        /// A text message.
        public static let message = Self("com.apple.UIKit.activity.Message")
        /// Printing, which browsers do themselves.
        public static let print = Self("com.apple.UIKit.activity.Print")
        /// Assigning an image to a contact, which browsers can't.
        public static let assignToContact = Self("com.apple.UIKit.activity.AssignToContact")
        /// Saving an image, which browsers do themselves.
        public static let saveToCameraRoll = Self("com.apple.UIKit.activity.SaveToCameraRoll")
        /// Adding to a list to read, which browsers do themselves.
        public static let addToReadingList = Self("com.apple.UIKit.activity.AddToReadingList")
        /// Sending to a device nearby, which browsers can't.
        public static let airDrop = Self("com.apple.UIKit.activity.AirDrop")
        /// Posting to Facebook, which is not offered.
        public static let postToFacebook = Self("com.apple.UIKit.activity.PostToFacebook")
        /// Posting to Twitter, which is not offered.
        public static let postToTwitter = Self("com.apple.UIKit.activity.PostToTwitter")
        /// Posting to Weibo, which is not offered.
        public static let postToWeibo = Self("com.apple.UIKit.activity.PostToWeibo")
        /// Posting to Vimeo, which is not offered.
        public static let postToVimeo = Self("com.apple.UIKit.activity.PostToVimeo")
        /// Posting to Flickr, which is not offered.
        public static let postToFlickr = Self("com.apple.UIKit.activity.PostToFlickr")
        /// Marking up as a PDF, which is not offered.
        public static let markupAsPDF = Self("com.apple.UIKit.activity.MarkupAsPDF")
        /// Opening in a reader of books, which is not offered.
        public static let openInIBooks = Self("com.apple.UIKit.activity.OpenInIBooks")
    }

    /// Says in which row an activity is offered; browsers have one.
    public enum Category: Int, Sendable {
        /// Among what is done.
        case action = 0
        /// Among those who get it.
        case share = 1
    }

    /// The row in which the activity is offered.
    open class var activityCategory: Category { .action }
    /// The name of the activity.
    open var activityType: ActivityType? { nil }
    /// The title.
    open var activityTitle: String? { nil }
    /// The image; browsers show titles alone.
    open var activityImage: UIImage? { nil }
    /// The controller that asks more of the user.
    open var activityViewController: UIViewController? { nil }
    weak var sheet: UIActivityViewController?

    /// Creates an activity.
    public override init() {
        super.init()
    }

    /// Returns whether the activity can do something with all items.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }

    /// Takes the items.
    open func prepare(withActivityItems activityItems: [Any]) {}

    /// Does it; call ``activityDidFinish(_:)`` then.
    open func perform() {
        activityDidFinish(false)
    }

    /// Says that it is over, and whether it was done.
    open func activityDidFinish(_ completed: Bool) {
        activityViewController?.presentingViewController?.dismiss(animated: true)
        sheet?.finish(activityType, completed)
    }
}

/// Gives an item when it is known who gets it.
@preconcurrency @MainActor
public protocol UIActivityItemSource: NSObjectProtocol {
    /// Returns what stands for the item until then.
    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any

    /// Returns the item.
    func activityViewController(
        _ activityViewController: UIActivityViewController,
        itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any?

    /// Returns the subject of a mail. The default is none.
    func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String
}

extension UIActivityItemSource {
    /// Returns no subject.
    public func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String { "" }
}
