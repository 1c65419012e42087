/// A delegate that is asked and told about a search.
@preconcurrency @MainActor
public protocol UISearchBarDelegate: AnyObject {
    /// Returns whether the user may type. The default is `true`.
    func searchBarShouldBeginEditing(_ searchBar: UISearchBar) -> Bool

    /// Is called when the user has begun to type.
    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)

    /// Is called when the user no longer types.
    func searchBarTextDidEndEditing(_ searchBar: UISearchBar)

    /// Is called when the text has changed.
    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)

    /// Is called when the user asks for results.
    func searchBarSearchButtonClicked(_ searchBar: UISearchBar)

    /// Is called when the user gives the search up.
    func searchBarCancelButtonClicked(_ searchBar: UISearchBar)

    /// Is called when the user has chosen where to search.
    func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int)
}

extension UISearchBarDelegate {
    /// Lets the user type.
    public func searchBarShouldBeginEditing(_ searchBar: UISearchBar) -> Bool { true }

    /// Does nothing.
    public func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {}

    /// Does nothing.
    public func searchBarTextDidEndEditing(_ searchBar: UISearchBar) {}

    /// Does nothing.
    public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}

    /// Does nothing.
    public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}

    /// Does nothing.
    public func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {}

    /// Does nothing.
    public func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int) {}
}

/// Takes what is searched for, in a search bar.
open class UISearchTextField: UITextField {
    override var boxName: String { "field-box search-field" }
}

/// Takes what is searched for.
open class UISearchBar: UIView {
    /// Says how a search bar looks.
    public enum Style: UInt, Sendable {
        /// As the system thinks best.
        case `default` = 0
        /// Over the full width.
        case prominent = 1
        /// Without a background.
        case minimal = 2
    }

    /// The object that is asked and told.
    open weak var delegate: (any UISearchBarDelegate)?
    /// The field.
    public let searchTextField = UISearchTextField()
    /// The style of the bar; browsers show it without a background.
    ///
    /// The default is as the system thinks best.
    open var searchBarStyle = Style.default
    /// The text that is searched for.
    open var text: String? {
        get { searchTextField.text }
        set { searchTextField.text = newValue }
    }
    /// The text that is shown while the field is empty.
    open var placeholder: String? {
        get { searchTextField.placeholder }
        set { searchTextField.placeholder = newValue }
    }
    /// The text above the field; browsers do not show it.
    open var prompt: String?
    /// Whether a button gives the search up.
    ///
    /// The default is `false`.
    open var showsCancelButton = false { didSet { setNeedsDisplay() } }
    /// The titles of the scopes in which the user can search.
    ///
    /// The default is nowhere in particular.
    open var scopeButtonTitles: [String]? { didSet { changeScopes() } }
    /// The number of where the user searches.
    ///
    /// The default is 0.
    open var selectedScopeButtonIndex = 0 { didSet { scopes?.selectedSegmentIndex = selectedScopeButtonIndex } }
    /// Whether the choice of where to search is shown.
    ///
    /// The default is `false`.
    open var showsScopeBar = false { didSet { setNeedsDisplay() } }
    private var scopes: UISegmentedControl?
    /// Tells the controller of the search what happens.
    var listener: (any UISearchBarDelegate)?

    /// Creates a search bar.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        searchTextField.leftView = UIImageView(image: UIImage(systemName: "magnifyingglass"))
        searchTextField.leftView?.tintColor = .secondaryLabel
        searchTextField.leftViewMode = .always
        searchTextField.clearButtonMode = .whileEditing
        searchTextField.returnKeyType = .search
        searchTextField.keyboardType = .webSearch
        searchTextField.delegate = typing
        typing.bar = self
        searchTextField.addAction(UIAction { [weak self] _ in self?.changed() }, for: .editingChanged)
        addSubview(searchTextField)
    }

    /// Creates a search bar from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    private let typing = SearchTyping()

    /// Shows or hides the button that gives the search up.
    open func setShowsCancelButton(_ showsCancelButton: Bool, animated: Bool) {
        self.showsCancelButton = showsCancelButton
    }

    /// Whether what is typed comes to the bar.
    open override var isFirstResponder: Bool { searchTextField.isFirstResponder }

    /// A search bar takes what is typed.
    open override var canBecomeFirstResponder: Bool { searchTextField.canBecomeFirstResponder }

    /// Puts the cursor into the field.
    @discardableResult
    open override func becomeFirstResponder() -> Bool { searchTextField.becomeFirstResponder() }

    /// Takes the cursor out of the field.
    @discardableResult
    open override func resignFirstResponder() -> Bool { searchTextField.resignFirstResponder() }

    override var hasIntrinsicHeight: Bool { true }
    var isSearching: Bool { searchTextField.isEditing }

    func tell(_ event: (any UISearchBarDelegate) -> Void) {
        if let listener { event(listener) }
        if let delegate { event(delegate) }
    }

    private func changed() {
        tell { $0.searchBar(self, textDidChange: text ?? "") }
    }

    private func changeScopes() {
        scopes?.removeFromSuperview()
        guard let scopeButtonTitles, !scopeButtonTitles.isEmpty else {
            scopes = nil
            return
        }
        let control = UISegmentedControl(items: scopeButtonTitles)
        control.selectedSegmentIndex = selectedScopeButtonIndex
        control.addAction(
            UIAction { [weak self, weak control] _ in
                guard let self, let control else { return }
                selectedScopeButtonIndex = control.selectedSegmentIndex
                tell { $0.searchBar(self, selectedScopeButtonIndexDidChange: self.selectedScopeButtonIndex) }
            },
            for: .valueChanged
        )
        scopes = control
        addSubview(control)
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "search-bar")
        var line = [searchTextField.render(drawing)]
        if showsCancelButton {
            let word = SystemStrings.cancel.text(in: screen?.environment.language)
            let id = drawing.add("\(nodeID).cancel", tag: "button", class: "bar-button", text: word)
            drawing.nodes[id]?.attributes["data-tap"] = ""
            line.append(id)
        }
        node.children = [drawing.add("\(nodeID).line", class: "search-line", children: line)]
        if showsScopeBar, let scopes { node.children.append(scopes.render(drawing)) }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, event.part == "cancel" else { return false }
        tell { $0.searchBarCancelButtonClicked(self) }
        return true
    }
}

/// Passes on what happens in the field of a search bar.
private final class SearchTyping: NSObject, UITextFieldDelegate {
    weak var bar: UISearchBar?

    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool {
        bar.flatMap { bar in bar.delegate?.searchBarShouldBeginEditing(bar) } ?? true
    }

    func textFieldDidBeginEditing(_ textField: UITextField) {
        if let bar { bar.tell { $0.searchBarTextDidBeginEditing(bar) } }
    }

    func textFieldDidEndEditing(_ textField: UITextField) {
        if let bar { bar.tell { $0.searchBarTextDidEndEditing(bar) } }
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        if let bar { bar.tell { $0.searchBarSearchButtonClicked(bar) } }
        return true
    }
}

// What is typed into a search bar is typed into its field.
extension UISearchBar {
    /// The kind of keyboard.
    public var keyboardType: UIKeyboardType {
        get { searchTextField.keyboardType }
        set { searchTextField.keyboardType = newValue }
    }
    /// The letters that the keyboard makes capital.
    public var autocapitalizationType: UITextAutocapitalizationType {
        get { searchTextField.autocapitalizationType }
        set { searchTextField.autocapitalizationType = newValue }
    }
    /// Whether what is typed is corrected.
    public var autocorrectionType: UITextAutocorrectionType {
        get { searchTextField.autocorrectionType }
        set { searchTextField.autocorrectionType = newValue }
    }
    /// The label of the key that ends a line.
    public var returnKeyType: UIReturnKeyType {
        get { searchTextField.returnKeyType }
        set { searchTextField.returnKeyType = newValue }
    }
}
