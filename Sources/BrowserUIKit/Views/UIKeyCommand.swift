/// Names keys that are held down with another one.
public struct UIKeyModifierFlags: OptionSet, Sendable {
    /// One bit a key.
    public let rawValue: Int

    /// Creates flags from their bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Caps lock; browsers don't tell.
    public static let alphaShift = UIKeyModifierFlags(rawValue: 1 << 16)
    /// Shift.
    public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
    /// Control; on keyboards without a command key, the key with the sign of the system.
    public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
    /// Option, or Alt.
    public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
    /// Command; on keyboards without one, Control.
    public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
    /// A key of the block of digits; browsers take the others, too.
    public static let numericPad = UIKeyModifierFlags(rawValue: 1 << 21)
}

/// Calls a method when keys are pressed.
///
/// The method is that of a class, `FeedController.refresh`: the first responder of that class in the chain is called.
open class UIKeyCommand: UIMenuElement {
    /// The character of the key, or the name of one without a character.
    public let input: String?
    /// The keys that are held down with it.
    public let modifierFlags: UIKeyModifierFlags
    /// A longer title, for lists of what can be done; browsers show none.
    open var discoverabilityTitle: String?
    /// The attributes of the command: one that is disabled isn't looked for.
    open var attributes: Attributes
    /// Whether a menu shows a mark beside the command.
    open var state: State
    /// Whether it goes before what a text field does with the keys.
    ///
    /// The default is `false`.
    open var wantsPriorityOverSystemBehavior = false
    private let body: @MainActor (UIResponder, UIKeyCommand) -> Bool

    private init(
        _ title: String,
        _ image: UIImage?,
        _ keys: (input: String, flags: UIKeyModifierFlags),
        _ attributes: Attributes,
        _ state: State,
        _ body: @escaping @MainActor (UIResponder, UIKeyCommand) -> Bool
    ) {
        input = keys.input
        modifierFlags = keys.flags
        (self.attributes, self.state, self.body) = (attributes, state, body)
        super.init(title: title, image: image)
    }

    /// Creates a command that calls a method.
    public convenience init<Target: AnyObject>(
        title: String = "",
        image: UIImage? = nil,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void,
        input: String,
        modifierFlags: UIKeyModifierFlags = [],
        discoverabilityTitle: String? = nil,
        attributes: Attributes = [],
        state: State = .off
    ) {
        self.init(title, image, (input, modifierFlags), attributes, state) { responder, _ in
            guard let target = responder as? Target else { return false }
            action(target)()
            return true
        }
        self.discoverabilityTitle = discoverabilityTitle
    }

    /// Creates a command that calls a method which takes the command.
    public convenience init<Target: AnyObject>(
        title: String = "",
        image: UIImage? = nil,
        action: @escaping @MainActor (Target) -> @MainActor (UIKeyCommand) -> Void,
        input: String,
        modifierFlags: UIKeyModifierFlags = [],
        discoverabilityTitle: String? = nil,
        attributes: Attributes = [],
        state: State = .off
    ) {
        self.init(title, image, (input, modifierFlags), attributes, state) { responder, command in
            guard let target = responder as? Target else { return false }
            action(target)(command)
            return true
        }
        self.discoverabilityTitle = discoverabilityTitle
    }

    /// Creates a command without a title that calls a method.
    public convenience init<Target: AnyObject>(
        input: String,
        modifierFlags: UIKeyModifierFlags,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(action: action, input: input, modifierFlags: modifierFlags)
    }

    /// Creates a command without a title that calls a method which takes the command.
    public convenience init<Target: AnyObject>(
        input: String,
        modifierFlags: UIKeyModifierFlags,
        action: @escaping @MainActor (Target) -> @MainActor (UIKeyCommand) -> Void
    ) {
        self.init(action: action, input: input, modifierFlags: modifierFlags)
    }

    /// Calls the method of the first responder in a chain that has it; returns whether there is one.
    func perform(from first: UIResponder) -> Bool {
        var next: UIResponder? = first
        while let responder = next {
            if body(responder, self) { return true }
            next = responder.next
        }
        return false
    }

    /// The keys, as the page names them: the first letters of what is held down, and the key; `nil` without one.
    var keys: String? {
        guard let input, !input.isEmpty, !attributes.contains(.disabled) else { return nil }
        let held: [(flag: UIKeyModifierFlags, letter: String)] = [
            (.command, "c"), (.control, "t"), (.alternate, "a"), (.shift, "s"),
        ]
        let letters = held.filter { modifierFlags.contains($0.flag) }.map(\.letter).joined()
        let key = Self.pageNames[input] ?? input.lowercased()
        return "\(wantsPriorityOverSystemBehavior ? "!" : "")\(letters)-\(key)"
    }

    private static let pageNames = [
        inputUpArrow: "ArrowUp", inputDownArrow: "ArrowDown", inputLeftArrow: "ArrowLeft",
        inputRightArrow: "ArrowRight", inputEscape: "Escape", inputPageUp: "PageUp", inputPageDown: "PageDown",
        inputHome: "Home", inputEnd: "End", inputDelete: "Delete", " ": "Space", "\r": "Enter", "\n": "Enter",
        "\t": "Tab", "\u{8}": "Backspace",
    ]
}

extension UIKeyCommand {
    /// The key with the arrow up.
    public nonisolated static let inputUpArrow = "UIKeyInputUpArrow"
    /// The key with the arrow down.
    public nonisolated static let inputDownArrow = "UIKeyInputDownArrow"
    /// The key with the arrow to the left.
    public nonisolated static let inputLeftArrow = "UIKeyInputLeftArrow"
    /// The key with the arrow to the right.
    public nonisolated static let inputRightArrow = "UIKeyInputRightArrow"
    /// Escape.
    public nonisolated static let inputEscape = "UIKeyInputEscape"
    /// Page up.
    public nonisolated static let inputPageUp = "UIKeyInputPageUp"
    /// Page down.
    public nonisolated static let inputPageDown = "UIKeyInputPageDown"
    /// Home.
    public nonisolated static let inputHome = "UIKeyInputHome"
    /// End.
    public nonisolated static let inputEnd = "UIKeyInputEnd"
    /// Delete, to the right.
    public nonisolated static let inputDelete = "UIKeyInputDelete"
}
