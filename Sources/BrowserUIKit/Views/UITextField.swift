/// Takes one line of text.
open class UITextField: UIControl, UITextInputTraits, TypedInto {
    /// Says what is around the text.
    public enum BorderStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// A thin line.
        case line = 1
        /// A line that lets the field look sunk in.
        case bezel = 2
        /// A line with round corners.
        case roundedRect = 3
    }

    /// Says when something beside the text is shown.
    public enum ViewMode: Int, Sendable {
        /// Never.
        case never = 0
        /// While the user types.
        case whileEditing = 1
        /// While the user does not type.
        case unlessEditing = 2
        /// Always.
        case always = 3
    }

    /// Says why the typing has ended.
    public enum DidEndEditingReason: Int, Sendable {
        /// It was done.
        case committed = 0
        /// It was left, on a TV.
        case cancelled = 1
    }

    var typing = TypingState()
    /// The text.
    ///
    /// The default is none.
    open var text: String? {
        get { typing.text ?? "" }
        set {
            typing.set(newValue)
            setNeedsDisplay()
        }
    }
    /// The text, with attributes; a field shows its own font and colour.
    open var attributedText: NSAttributedString? {
        get { typing.text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    /// The text that is shown while the field is empty.
    ///
    /// The default is nothing.
    open var placeholder: String? { didSet { setNeedsDisplay() } }
    /// The text that is shown while the field is empty, with attributes, of which the colour counts.
    ///
    /// The default is nothing.
    open var attributedPlaceholder: NSAttributedString? {
        didSet {
            placeholder = attributedPlaceholder?.string
            setNeedsDisplay()
        }
    }
    /// The rule for showing the button that removes the text.
    ///
    /// The default is never.
    open var clearButtonMode = ViewMode.never { didSet { setNeedsDisplay() } }
    /// The view before the text.
    ///
    /// The default is nothing.
    open var leftView: UIView? { didSet { exchange(oldValue, for: leftView) } }
    /// The rule for showing the view before the text.
    ///
    /// The default is never.
    open var leftViewMode = ViewMode.never { didSet { setNeedsDisplay() } }
    /// The view after the text.
    ///
    /// The default is nothing.
    open var rightView: UIView? { didSet { exchange(oldValue, for: rightView) } }
    /// The rule for showing the view after the text.
    ///
    /// The default is never.
    open var rightViewMode = ViewMode.never { didSet { setNeedsDisplay() } }
    /// Whether the text goes when the user begins to type.
    ///
    /// The default is `false`.
    open var clearsOnBeginEditing = false
    /// Whether text becomes smaller to fit the width; browsers scroll it.
    ///
    /// The default is `false`.
    open var adjustsFontSizeToFitWidth = false
    /// The smallest size of text that becomes smaller, in points.
    ///
    /// The default is 0.
    open var minimumFontSize: CGFloat = 0
    /// Whether the user types into the field.
    open var isEditing: Bool { typing.isActive }
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
    /// The side to which the text is set.
    ///
    /// The default is `natural`.
    open var textAlignment = NSTextAlignment.natural { didSet { setNeedsDisplay() } }
    /// The border around the text.
    ///
    /// The default is nothing.
    open var borderStyle = BorderStyle.none { didSet { setNeedsDisplay() } }
    /// The letters that the keyboard turns into capitals.
    ///
    /// The default is the start of sentences.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences { didSet { setNeedsDisplay() } }
    /// Whether the keyboard corrects words.
    ///
    /// The default leaves that to the system.
    open var autocorrectionType = UITextAutocorrectionType.default { didSet { setNeedsDisplay() } }
    /// Whether spelling is checked.
    ///
    /// The default leaves that to the system.
    open var spellCheckingType = UITextSpellCheckingType.default { didSet { setNeedsDisplay() } }
    /// Whether quotation marks become typographic ones; browsers leave them.
    ///
    /// The default leaves that to the system.
    open var smartQuotesType = UITextSmartQuotesType.default
    /// Whether two hyphens become a dash; browsers leave them.
    ///
    /// The default leaves that to the system.
    open var smartDashesType = UITextSmartDashesType.default
    /// Whether spaces follow what is inserted and deleted; browsers leave them.
    ///
    /// The default leaves that to the system.
    open var smartInsertDeleteType = UITextSmartInsertDeleteType.default
    /// The kind of keyboard.
    ///
    /// The default are those of the language.
    open var keyboardType = UIKeyboardType.default { didSet { setNeedsDisplay() } }
    /// The look of the keyboard; browsers show their own.
    ///
    /// The default is as the appearance is.
    open var keyboardAppearance = UIKeyboardAppearance.default
    /// The label of the key at the end.
    ///
    /// The default is Return.
    open var returnKeyType = UIReturnKeyType.default { didSet { setNeedsDisplay() } }
    /// Whether the key at the end can only be used when there is text.
    ///
    /// The default is `false`.
    open var enablesReturnKeyAutomatically = false
    /// Whether what is typed is hidden.
    ///
    /// The default is `false`.
    open var isSecureTextEntry = false { didSet { setNeedsDisplay() } }
    /// The kind of text, so that it can be filled in.
    ///
    /// The default is nothing known.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var textContentType: UITextContentType! { didSet { setNeedsDisplay() } }
    /// The view above the keyboard, which browsers do not show.
    open var inputAccessoryView: UIView?
    /// The view in place of the keyboard, which browsers do not show.
    open var inputView: UIView?
    /// The object that is asked and told about what is typed.
    open weak var delegate: (any UITextFieldDelegate)?

    /// Whether what is typed comes to the field.
    open override var isFirstResponder: Bool { typing.isActive }

    /// A field takes what is typed.
    open override var canBecomeFirstResponder: Bool { isEnabled }

    /// Puts the cursor into the field.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !typing.isActive else { return true }
        guard canBecomeFirstResponder, delegate?.textFieldShouldBeginEditing(self) ?? true else { return false }
        typing.requestFocus(true)
        began()
        screen?.settleKeyboard()
        return true
    }

    /// Takes the cursor out of the field.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard delegate?.textFieldShouldEndEditing(self) ?? true else { return false }
        guard typing.isActive else { return true }
        endFocus()
        screen?.settleKeyboard()
        return true
    }

    /// Takes the cursor out of the field, whatever its delegate says.
    func endFocus() {
        typing.requestFocus(false)
        ended()
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
        var input = Node(tag: "input")
        input.attributes = ["class": borderStyle == .none ? "field" : "field bordered"]
        drawInput(&input)
        let before = drawSide(leftView, leftViewMode, in: drawing)
        let after = drawSide(rightView, rightViewMode, in: drawing)
        guard before != nil || after != nil || clearButtonMode != .never else {
            node.tag = "input"
            node.add(class: borderStyle == .none ? "field" : "field bordered")
            input.attributes["class"] = node.attributes["class"]
            node.attributes.merge(input.attributes) { $1 }
            node.style.merge(input.style) { $1 }
            return
        }
        node.add(class: boxName)
        input.attributes["class"] = "field"
        drawing.nodes["\(nodeID).input"] = input
        node.children = [before, "\(nodeID).input", after ?? drawClearButton(in: drawing)].compactMap { $0 }
    }

    /// Draws what lies beside the text, in the size of its frame.
    private func drawSide(_ view: UIView?, _ mode: ViewMode, in drawing: Drawing) -> String? {
        guard let view, shows(mode) else { return nil }
        let id = view.render(drawing)
        guard !view.frame.isEmpty else { return id }
        drawing.nodes[id]?.style["width"] = CSS.points(view.frame.width)
        drawing.nodes[id]?.style["height"] = CSS.points(view.frame.height)
        return id
    }

    /// The name in the style sheet of the field with what is beside it.
    var boxName: String { borderStyle == .none ? "field-box" : "field-box bordered" }

    private func drawInput(_ node: inout Node) {
        draw(on: &node)
        node.attributes.merge(["type": isSecureTextEntry ? "password" : "text", "data-value": typing.value]) { $1 }
        if let placeholder { node.attributes["placeholder"] = placeholder }
        if let attributedPlaceholder, attributedPlaceholder.length > 0,
            let color = attributedPlaceholder.attribute(.foregroundColor, at: 0, effectiveRange: nil) as? UIColor
        {
            node.style["--placeholder"] = color.css
        }
        if !isEnabled { node.attributes["disabled"] = "" }
        if let request = typing.focusRequest { node.attributes["data-focus"] = request }
        if let label = accessibilityLabel ?? placeholder { node.attributes["aria-label"] = label }
        var font = font ?? .systemFont(ofSize: 17)
        if adjustsFontForContentSizeCategory {
            font = font.scaled(for: traitCollection.preferredContentSizeCategory)
        }
        node.style.merge(font.css(lineSpacing: 0)) { $1 }
        node.style["color"] = (textColor ?? .label).css
        node.style["text-align"] = ["left", "center", "right", "justify", "start"][textAlignment.rawValue]
    }

    private func drawClearButton(in drawing: Drawing) -> String? {
        guard shows(clearButtonMode), !(typing.text ?? "").isEmpty, isEnabled else { return nil }
        let id = drawing.add("\(nodeID).clear", tag: "button", class: "clear-button")
        let label = SystemStrings.clear.text(in: screen?.environment.language)
        drawing.nodes[id]?.attributes.merge(["data-tap": "", "data-keeps-focus": "", "aria-label": label]) { $1 }
        return id
    }

    private func shows(_ mode: ViewMode) -> Bool {
        switch mode {
        case .never: false
        case .whileEditing: typing.isActive
        case .unlessEditing: !typing.isActive
        case .always: true
        }
    }

    private func exchange(_ old: UIView?, for new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard isEnabled else { return false }
        switch event.kind {
        case .focus: _ = begin()
        case .text(let text, let isFinal): take(text, isFinal: isFinal)
        case .returned(let text):
            take(text, isFinal: false)
            returned()
        case .tap where event.part == "clear": clear()
        default: return false
        }
        return true
    }
}
