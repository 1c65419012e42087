/// Stands for a storyboard, which browsers do not have: an app that lays out views in code needs none.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    /// Creates a storyboard by its name.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        super.init()
    }

    /// Returns the first controller: none.
    open func instantiateInitialViewController() -> UIViewController? { nil }

    /// Returns an empty controller, where iOS reads one.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        UIViewController(nibName: nil, bundle: nil)
    }
}

/// Leads from one controller of a storyboard to another.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    /// The name.
    public let identifier: String?
    /// The controller that it leads from.
    public let source: UIViewController
    /// The controller that it leads to.
    public let destination: UIViewController

    /// Creates a segue.
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
        super.init()
    }

    /// Shows the controller that the segue leads to.
    open func perform() {
        source.show(destination, sender: nil)
    }
}

/// Stands for a nib file, which browsers do not have.
@preconcurrency @MainActor
open class UINib: NSObject {
    /// Creates a nib by its name.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        super.init()
    }

    /// Names what a nib is read with.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a key from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Returns the objects of the nib: none.
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] { [] }
}

extension Bundle {
    /// Returns the objects of a nib: none, for browsers have no nib files.
    @preconcurrency @MainActor
    public func loadNibNamed(
        _ name: String,
        owner: Any?,
        options: [UINib.OptionsKey: Any]? = nil
    ) -> [Any]? { nil }
}
