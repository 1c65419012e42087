/// Takes or shows text of any number of lines.
open class UITextView: UIScrollView, UITextInputTraits, TypedInto {
    private var typing = TypingState()
    private let label = UILabel()
    private var labelLook: LabelLook?
    /// The text. It is never `nil` when it is read.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var text: String! {
        get { typing.text ?? "" }
        set {
            typing.set(newValue)
            shown = nil
            setNeedsDisplay()
        }
    }
    private var shown: NSAttributedString?
    /// The text with attributes, which a view shows that can't be typed into.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var attributedText: NSAttributedString! {
        get { shown ?? NSAttributedString(string: text) }
        set {
            text = newValue?.string
            shown = newValue
        }
    }
    /// The font.
    ///
    /// The default is that of the system in 12 points.
    open var font: UIFont? = .systemFont(ofSize: 12) { didSet { setNeedsDisplay() } }
    /// The colour.
    ///
    /// The default is `label`.
    open var textColor: UIColor? = .label { didSet { setNeedsDisplay() } }
    /// The side to which lines are set.
    ///
    /// The default is `natural`.
    open var textAlignment = NSTextAlignment.natural { didSet { setNeedsDisplay() } }
    /// Whether a font of a text style follows the user's text size at once.
    ///
    /// The default is `false`.
    open var adjustsFontForContentSizeCategory = false { didSet { setNeedsDisplay() } }
    /// Whether the user can type.
    ///
    /// The default is `true`.
    open var isEditable = true { didSet { setNeedsDisplay() } }
    /// Whether the user can select text, and follow links.
    ///
    /// The default is `true`.
    open var isSelectable = true { didSet { setNeedsDisplay() } }
    /// The kinds of data that are found in the text and can be tapped; browsers find nothing by themselves.
    ///
    /// The default is nothing.
    open var dataDetectorTypes: UIDataDetectorTypes = []
    /// The attributes of links; of them the colour counts.
    ///
    /// The default is the colour of links.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var linkTextAttributes: [NSAttributedString.Key: Any]! = [.foregroundColor: UIColor.link] {
        didSet { setNeedsDisplay() }
    }
    /// The attributes of what is typed, which browsers show in one font and colour.
    open var typingAttributes: [NSAttributedString.Key: Any] = [:]
    /// The selected range, in UTF-16 units; browsers don't tell, so it is what the app has set.
    open var selectedRange = NSRange(location: 0, length: 0)
    /// The room around the text.
    ///
    /// The default is 8 above and below.
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0) { didSet { setNeedsDisplay() } }
    /// The container in which the text fills the view.
    public private(set) lazy var textContainer = NSTextContainer(in: self)
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

    /// Creates an empty text view.
    public init(frame: CGRect, textContainer: NSTextContainer?) {
        super.init(frame: frame)
        setUp()
    }

    /// Creates an empty text view.
    public override convenience init(frame: CGRect) {
        self.init(frame: frame, textContainer: nil)
    }

    /// Creates a view from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        backgroundColor = .systemBackground
        label.numberOfLines = 0
        addSubview(label)
    }

    private var textDelegate: (any UITextViewDelegate)? { delegate as? any UITextViewDelegate }
    override var hasIntrinsicHeight: Bool { !isScrollEnabled }

    // MARK: The cursor

    /// Whether what is typed comes to the view.
    open override var isFirstResponder: Bool { typing.isActive }

    /// A text view that can be edited takes what is typed.
    open override var canBecomeFirstResponder: Bool { isEditable }

    /// Puts the cursor into the view.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !typing.isActive else { return true }
        guard isEditable, textDelegate?.textViewShouldBeginEditing(self) ?? true else { return false }
        typing.requestFocus(true)
        began()
        screen?.settleKeyboard()
        return true
    }

    /// Takes the cursor out of the view.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard textDelegate?.textViewShouldEndEditing(self) ?? true else { return false }
        guard typing.isActive else { return true }
        endFocus()
        screen?.settleKeyboard()
        return true
    }

    func endFocus() {
        typing.requestFocus(false)
        ended()
    }

    /// Scrolls to a part of the text; browsers scroll to what is typed by themselves.
    open func scrollRangeToVisible(_ range: NSRange) {}

    // MARK: Drawing

    override func draw(_ node: inout Node, in drawing: Drawing) {
        if label.isHidden != isEditable { label.isHidden = isEditable }
        guard isEditable else { return drawText(&node, in: drawing) }
        node.tag = "textarea"
        node.add(class: isScrollEnabled ? "text-view" : "text-view growing")
        draw(on: &node)
        node.attributes["data-value"] = typing.value
        if let request = typing.focusRequest { node.attributes["data-focus"] = request }
        if let name = accessibilityLabel { node.attributes["aria-label"] = name }
        node.style.merge(shownFont.css(lineSpacing: 0)) { $1 }
        node.style["color"] = (textColor ?? .label).css
        node.style["text-align"] = ["left", "center", "right", "justify", "start"][textAlignment.rawValue]
        node.style["padding"] = padding
    }

    private var shownFont: UIFont {
        let font = font ?? .systemFont(ofSize: 12)
        return adjustsFontForContentSizeCategory
            ? font.scaled(for: traitCollection.preferredContentSizeCategory) : font
    }

    private var padding: String {
        let (room, fragment) = (textContainerInset, textContainer.lineFragmentPadding)
        return [room.top, room.right + fragment, room.bottom, room.left + fragment].map(CSS.points)
            .joined(separator: " ")
    }

    /// Shows text that can't be typed into, with its attributes.
    private func drawText(_ node: inout Node, in drawing: Drawing) {
        if isScrollEnabled { drawScrolling(&node, in: drawing) }
        updateLabel()
        let id = label.render(drawing)
        node.add(class: isSelectable ? "text-view read selectable-text" : "text-view read")
        node.style["padding"] = padding
        node.children.append(id)
    }

    /// Gives the label what it shows.
    ///
    /// What stays as it is asks for no other drawing, which would ask for the next one.
    private func updateLabel() {
        let look = LabelLook(
            font: shownFont,
            color: textColor,
            alignment: textAlignment,
            text: attributedText,
            linkColor: (linkTextAttributes?[.foregroundColor] as? UIColor) ?? .link
        )
        guard look != labelLook else { return }
        labelLook = look
        label.font = look.font
        label.textColor = look.color
        label.textAlignment = look.alignment
        label.attributedText = look.text
        label.linkColor = look.linkColor
    }

    // MARK: Typing

    override func handle(_ event: BrowserEvent) -> Bool {
        guard isEditable else { return super.handle(event) }
        switch event.kind {
        case .focus: _ = begin()
        case .text(let text, let isFinal): take(text, isFinal: isFinal)
        default: return super.handle(event)
        }
        return true
    }

    private func begin() -> Bool {
        if typing.isActive { return true }
        guard textDelegate?.textViewShouldBeginEditing(self) ?? true else {
            typing.requestFocus(false)
            setNeedsDisplay()
            return false
        }
        began()
        return true
    }

    private func began() {
        typing.isActive = true
        screen?.begin(self)
        textDelegate?.textViewDidBeginEditing(self)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        setNeedsDisplay()
    }

    private func ended() {
        guard typing.isActive else { return }
        typing.isActive = false
        screen?.end(self)
        textDelegate?.textViewDidEndEditing(self)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
        setNeedsDisplay()
    }

    private func take(_ text: String, isFinal: Bool) {
        let isNew = text != self.text
        guard typing.isActive || isNew || !isFinal, begin() else { return }
        if isNew { change(to: text) }
        if isFinal { ended() }
    }

    private func change(to new: String) {
        let change = typing.change(to: new)
        let isAllowed =
            textDelegate?.textView(self, shouldChangeTextIn: change.range, replacementText: change.text) ?? true
        guard isAllowed else {
            typing.refuse()
            return setNeedsDisplay()
        }
        typing.take(new)
        shown = nil
        textDelegate?.textViewDidChange(self)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
        setNeedsDisplay()
    }

    /// Follows a link of the text, unless the delegate does; returns whether it was one.
    func follow(_ link: Any?, in range: NSRange) -> Bool {
        guard let url = (link as? URL) ?? (link as? String).flatMap(URL.init(string:)), isSelectable else {
            return false
        }
        let isOpened =
            textDelegate?.textView(self, shouldInteractWith: url, in: range, interaction: .invokeDefaultAction) ?? true
        if isOpened { _ = screen?.open(url) }
        return true
    }

    /// A notification that the user begins to type.
    public nonisolated static let textDidBeginEditingNotification = NSNotification.Name(
        "UITextViewTextDidBeginEditingNotification"
    )
    /// A notification that the user no longer types.
    public nonisolated static let textDidEndEditingNotification = NSNotification.Name(
        "UITextViewTextDidEndEditingNotification"
    )
    /// A notification that the text has changed.
    public nonisolated static let textDidChangeNotification = NSNotification.Name("UITextViewTextDidChangeNotification")
}

/// The look of a text that can't be typed into.
private struct LabelLook: Equatable {
    let font: UIFont
    let color: UIColor?
    let alignment: NSTextAlignment
    let text: NSAttributedString?
    let linkColor: UIColor
}
