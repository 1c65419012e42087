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

    init(title: String, image: UIImage?) {
        self.title = title
        self.image = image
    }
}

/// Groups actions that are offered together.
open class UIMenu: UIMenuElement {
    /// Says how a menu is shown in another.
    public struct Options: OptionSet, Sendable {
        /// One bit an option.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Its elements stand in the menu around it.
        public static let displayInline = Options(rawValue: 1 << 0)
        /// It destroys something.
        public static let destructive = Options(rawValue: 1 << 1)
    }

    /// The elements that are offered.
    public let children: [UIMenuElement]
    /// The options with which the menu is shown in another.
    public let options: Options

    /// Creates a menu.
    public init(title: String = "", image: UIImage? = nil, options: Options = [], children: [UIMenuElement] = []) {
        self.children = children
        self.options = options
        super.init(title: title, image: image)
    }

    /// Shows the menu over a controller: as a sheet of actions, which a browser has room for.
    func show(by sender: AnyObject, over controller: UIViewController) {
        let language = controller.view.screen?.environment.language
        let sheet = UIAlertController(title: title.isEmpty ? nil : title, message: nil, preferredStyle: .actionSheet)
        for element in children.flatMap(Self.elements) {
            if let action = element as? UIAction {
                sheet.addAction(action.alertAction(for: sender))
            } else if let menu = element as? UIMenu {
                sheet.addAction(
                    UIAlertAction(title: menu.title, style: .default) { [weak controller] _ in
                        if let controller { menu.show(by: sender, over: controller) }
                    }
                )
            }
        }
        sheet.addAction(UIAlertAction(title: SystemStrings.cancel.text(in: language), style: .cancel))
        controller.present(sheet, animated: true)
    }

    private static func elements(of element: UIMenuElement) -> [UIMenuElement] {
        if let menu = element as? UIMenu, menu.options.contains(.displayInline) {
            return menu.children.flatMap(elements)
        }
        if let action = element as? UIAction, action.attributes.contains(.hidden) { return [] }
        return [element]
    }
}

extension UIAction {
    fileprivate func alertAction(for sender: AnyObject) -> UIAlertAction {
        let style: UIAlertAction.Style = attributes.contains(.destructive) ? .destructive : .default
        let mark = state == .on ? "✓ " : ""
        let alertAction = UIAlertAction(title: mark + title, style: style) { _ in self.perform(by: sender) }
        alertAction.isEnabled = !attributes.contains(.disabled)
        return alertAction
    }
}

extension UIView {
    /// The controller that the view belongs to, over which it may show something.
    var nearestController: UIViewController? {
        var next: UIResponder? = self
        while let responder = next {
            if let controller = responder as? UIViewController { return controller }
            next = responder.next
        }
        return nil
    }
}
