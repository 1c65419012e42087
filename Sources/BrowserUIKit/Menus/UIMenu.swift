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

    /// Calls back with what the menu offers, once all of it is there.
    func resolve(_ body: @escaping @MainActor ([UIMenuElement]) -> Void) {
        Self.resolve(children.flatMap(Self.elements), body)
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
