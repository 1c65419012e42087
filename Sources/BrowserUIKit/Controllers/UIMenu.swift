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

    /// Names a menu.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates an identifier from its name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates an identifier from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The name of the menu.
    public let identifier: Identifier
    /// The elements that are offered.
    public let children: [UIMenuElement]
    /// The options with which the menu is shown in another.
    public let options: Options

    /// Creates a menu.
    public init(
        title: String = "",
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        options: Options = [],
        children: [UIMenuElement] = []
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        self.children = children
        self.options = options
        super.init(title: title, image: image)
    }

    /// Shows the menu over a controller: as a sheet of actions, which a browser has room for, once all that it offers
    /// is there.
    func show(by sender: AnyObject, over controller: UIViewController) {
        Self.resolve(children.flatMap(Self.elements)) { [weak controller] elements in
            if let controller { self.show(elements, by: sender, over: controller) }
        }
    }

    private func show(_ elements: [UIMenuElement], by sender: AnyObject, over controller: UIViewController) {
        let language = controller.view.screen?.environment.language
        let sheet = UIAlertController(title: title.isEmpty ? nil : title, message: nil, preferredStyle: .actionSheet)
        for element in elements {
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

    /// Exchanges the first element that is still to be made for what it stands for, until none is left.
    private static func resolve(_ elements: [UIMenuElement], _ body: @escaping @MainActor ([UIMenuElement]) -> Void) {
        guard let place = elements.firstIndex(where: { $0 is UIDeferredMenuElement }),
            let deferred = elements[place] as? UIDeferredMenuElement
        else { return body(elements) }
        deferred.make { made in
            var left = elements
            left.replaceSubrange(place...place, with: made.flatMap(Self.elements))
            resolve(left, body)
        }
    }

    private static func elements(of element: UIMenuElement) -> [UIMenuElement] {
        if let menu = element as? UIMenu, menu.options.contains(.displayInline) {
            return menu.children.flatMap(elements)
        }
        if let action = element as? UIAction, action.attributes.contains(.hidden) { return [] }
        return [element]
    }
}

/// Stands for elements of a menu that are made when it opens.
open class UIDeferredMenuElement: UIMenuElement {
    private let provider: (@escaping ([UIMenuElement]) -> Void) -> Void
    private let isCached: Bool
    private var made: [UIMenuElement]?

    private init(isCached: Bool, provider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void) {
        self.provider = provider
        self.isCached = isCached
        super.init(title: "", image: nil)
    }

    /// Creates elements that are made once, when the menu first opens.
    public convenience init(_ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void) {
        self.init(isCached: true, provider: elementProvider)
    }

    /// Returns elements that are made each time the menu opens.
    public class func uncached(
        _ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void
    ) -> UIDeferredMenuElement { UIDeferredMenuElement(isCached: false, provider: elementProvider) }

    /// Calls back with the elements, once: what a provider says later is not heard.
    fileprivate func make(_ body: @escaping ([UIMenuElement]) -> Void) {
        if let made { return body(made) }
        var isDone = false
        provider { [weak self] elements in
            guard !isDone else { return }
            isDone = true
            if self?.isCached == true { self?.made = elements }
            body(elements)
        }
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
