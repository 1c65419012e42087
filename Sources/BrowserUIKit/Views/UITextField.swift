/// Says what a keyboard turns into capitals by itself.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// Nothing.
    case none = 0
    /// The first letters of words.
    case words = 1
    /// The first letters of sentences.
    case sentences = 2
}

/// Says whether a keyboard corrects words.
public enum UITextAutocorrectionType: Int, Sendable {
    /// As the system thinks best.
    case `default` = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2
}

/// Names what the key at the end of a keyboard says.
public enum UIReturnKeyType: Int, Sendable {
    /// Return.
    case `default` = 0
    /// Go.
    case go = 1
    /// Done.
    case done = 9
}

/// Takes one line of text.
open class UITextField: UIControl {
    /// Says what is around the text.
    public enum BorderStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// A line with round corners.
        case roundedRect = 3
    }

    private var typed: String?
    private var revision = 0
    /// The text.
    ///
    /// The default is none.
    open var text: String? {
        get { typed ?? "" }
        set {
            typed = newValue
            revision += 1
            setNeedsDisplay()
        }
    }
    /// What stands there while there is no text.
    ///
    /// The default is nothing.
    open var placeholder: String? { didSet { setNeedsDisplay() } }
    /// The font.
    ///
    /// The default is that of the system in 17 points.
    open var font: UIFont? = .systemFont(ofSize: 17) { didSet { setNeedsDisplay() } }
    /// The colour.
    ///
    /// The default is `label`.
    open var textColor: UIColor? = .label { didSet { setNeedsDisplay() } }
    /// Whether a font of a text style follows the user's text size at once.
    ///
    /// The default is `false`.
    open var adjustsFontForContentSizeCategory = false { didSet { setNeedsDisplay() } }
    /// To which side the text is set.
    ///
    /// The default is `natural`.
    open var textAlignment = NSTextAlignment.natural { didSet { setNeedsDisplay() } }
    /// What is around the text.
    ///
    /// The default is nothing.
    open var borderStyle = BorderStyle.none { didSet { setNeedsDisplay() } }
    /// What the keyboard turns into capitals.
    ///
    /// The default is the start of sentences.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences { didSet { setNeedsDisplay() } }
    /// Whether the keyboard corrects words.
    ///
    /// The default leaves that to the system.
    open var autocorrectionType = UITextAutocorrectionType.default { didSet { setNeedsDisplay() } }
    /// What the key at the end says.
    ///
    /// The default is Return.
    open var returnKeyType = UIReturnKeyType.default { didSet { setNeedsDisplay() } }

    /// What lies above the keyboard, which browsers do not show.
    open var inputAccessoryView: UIView?
    /// What takes the place of the keyboard, which browsers do not show.
    open var inputView: UIView?
    /// Is asked and told about what is typed.
    open weak var delegate: (any UITextFieldDelegate)?
    private var isTypedInto = false
    private var focusRequest: String?
    private var focusRequests = 0

    /// Whether what is typed comes to the field.
    open override var isFirstResponder: Bool { isTypedInto }

    /// A field takes what is typed.
    open override var canBecomeFirstResponder: Bool { isEnabled }

    /// Puts the cursor into the field.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder, delegate?.textFieldShouldBeginEditing(self) ?? true else { return false }
        requestFocus(true)
        return true
    }

    /// Takes the cursor out of the field.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard delegate?.textFieldShouldEndEditing(self) ?? true else { return false }
        if isTypedInto { requestFocus(false) }
        return true
    }

    /// Takes the cursor out of the field, whatever its delegate says.
    func endFocus() { requestFocus(false) }

    private func requestFocus(_ isWanted: Bool) {
        focusRequests += 1
        focusRequest = "\(focusRequests):\(isWanted ? 1 : 0)"
        isTypedInto = isWanted
        setNeedsDisplay()
    }

    /// Creates an empty field.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a field from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override var hasIntrinsicHeight: Bool { true }

    /// The page keeps what is being typed into it, unless the app has set another text: that has another number.
    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.tag = "input"
        node.add(class: borderStyle == .none ? "field" : "field bordered")
        node.attributes.merge([
            "type": "text", "data-value": "\(revision):\(typed ?? "")", "autocomplete": "off",
            "autocapitalize": ["off", "words", "sentences"][autocapitalizationType.rawValue],
            "spellcheck": autocorrectionType == .no ? "false" : "true",
            "enterkeyhint": ["go", "done"][returnKeyType == .done ? 1 : 0],
        ]) { $1 }
        if let placeholder { node.attributes["placeholder"] = placeholder }
        if !isEnabled { node.attributes["disabled"] = "" }
        if let focusRequest { node.attributes["data-focus"] = focusRequest }
        if let label = accessibility.label ?? placeholder { node.attributes["aria-label"] = label }
        var font = font ?? .systemFont(ofSize: 17)
        if adjustsFontForContentSizeCategory {
            font = font.scaled(for: traitCollection.preferredContentSizeCategory)
        }
        node.style.merge(font.css(lineSpacing: 0)) { $1 }
        node.style["color"] = (textColor ?? .label).css
        node.style["text-align"] = ["left", "center", "right", "justify", "start"][textAlignment.rawValue]
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .text(let text, let isFinal) = event.kind, isEnabled else { return false }
        if !isFinal, !isTypedInto {
            isTypedInto = true
            delegate?.textFieldDidBeginEditing(self)
        }
        guard accepts(text) else {
            // Another number makes the page show again what the app has.
            revision += 1
            setNeedsDisplay()
            return true
        }
        typed = text
        setNeedsDisplay()
        sendActions(for: isFinal ? [.editingDidEnd, .primaryActionTriggered] : .editingChanged)
        if isFinal { end() }
        return true
    }

    private func accepts(_ text: String) -> Bool {
        let old = typed ?? ""
        guard let delegate, text != old else { return true }
        let start = old.commonPrefix(with: text)
        let (oldRest, newRest) = (old.dropFirst(start.count), text.dropFirst(start.count))
        let end = min(String(oldRest.reversed()).commonPrefix(with: String(newRest.reversed())).count, newRest.count)
        let range = NSRange(location: start.utf16.count, length: oldRest.dropLast(end).utf16.count)
        return delegate.textField(
            self,
            shouldChangeCharactersIn: range,
            replacementString: String(newRest.dropLast(end))
        )
    }

    private func end() {
        isTypedInto = false
        _ = delegate?.textFieldShouldReturn(self)
        delegate?.textFieldDidEndEditing(self)
    }
}

/// Is asked and told about what is typed into a field.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
    /// Returns whether the user may type into the field. The default is `true`.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool

    /// Is called when the user has begun to type.
    func textFieldDidBeginEditing(_ textField: UITextField)

    /// Returns whether the app may end the typing. The default is `true`.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool

    /// Is called when the user is done.
    func textFieldDidEndEditing(_ textField: UITextField)

    /// Returns whether a part of the text may be exchanged. The default is `true`.
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool

    /// Is called when the user is done; browsers end the typing whatever it returns. The default is `true`.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    /// Lets the user type.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }

    /// Does nothing.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}

    /// Lets the typing end.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }

    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField) {}

    /// Takes any text.
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { true }

    /// Ends the typing.
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
