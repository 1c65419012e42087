/// Offers one answer to an alert.
@preconcurrency @MainActor
open class UIAlertAction {
    /// Says what an answer means.
    public enum Style: Int, Sendable {
        /// Anything.
        case `default` = 0
        /// That all stays as it is.
        case cancel = 1
        /// That something is lost.
        case destructive = 2
    }

    /// The title.
    public let title: String?
    /// The meaning of the answer.
    public let style: Style
    /// Whether it can be given.
    ///
    /// The default is `true`.
    open var isEnabled = true { didSet { alert?.viewIfLoaded?.setNeedsDisplay() } }
    fileprivate weak var alert: UIAlertController?
    let handler: (@MainActor (UIAlertAction) -> Void)?

    /// Creates an answer.
    public init(title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }
}

/// Says or asks something that cannot wait: present it.
open class UIAlertController: UIViewController {
    /// Says how it is shown.
    public enum Style: Int, Sendable {
        /// At the bottom.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }

    /// The message below the title.
    open var message: String? { didSet { viewIfLoaded?.setNeedsDisplay() } }
    /// The answers, in the order they were added.
    open private(set) var actions: [UIAlertAction] = []
    /// The answer that is emphasised; the one that cancels by default.
    open var preferredAction: UIAlertAction? { didSet { viewIfLoaded?.setNeedsDisplay() } }
    /// The fields, in the order they were added; `nil` where there are none.
    open var textFields: [UITextField]? { fields.isEmpty ? nil : fields }
    fileprivate var fields: [UITextField] = []
    /// The style in which it is shown.
    public let preferredStyle: Style

    /// Creates an alert without answers.
    public init(title: String?, message: String?, preferredStyle: Style) {
        self.preferredStyle = preferredStyle
        super.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        modalPresentationStyle = .overFullScreen
    }

    /// Creates an alert from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        preferredStyle = .alert
        super.init(coder: coder)
    }

    /// Adds an answer.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
        action.alert = self
        viewIfLoaded?.setNeedsDisplay()
    }

    /// Adds a field for text, which the closure prepares; an action sheet shows none.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        guard preferredStyle == .alert else { return }
        let field = UITextField()
        field.borderStyle = .roundedRect
        field.font = .systemFont(ofSize: 13)
        fields.append(field)
        configurationHandler?(field)
        viewIfLoaded?.addSubview(field)
    }

    /// Makes the view of the alert.
    open override func loadView() {
        view = AlertView(self)
        for field in fields { view.addSubview(field) }
    }

    /// The one that cancels comes last, or first of two.
    fileprivate var shownActions: [UIAlertAction] {
        let cancel = actions.filter { $0.style == .cancel }
        let others = actions.filter { $0.style != .cancel }
        return actions.count == 2 && preferredStyle == .alert ? cancel + others : others + cancel
    }

    fileprivate func chose(_ index: Int) {
        guard shownActions.indices.contains(index), shownActions[index].isEnabled else { return }
        let action = shownActions[index]
        presentingViewController?.dismiss(animated: true)
        action.handler?(action)
    }

    /// Chooses what cancels, for a tap beside an action sheet; one without such an answer stays.
    fileprivate func cancel() {
        guard preferredStyle == .actionSheet, let index = shownActions.firstIndex(where: { $0.style == .cancel }) else {
            return
        }
        chose(index)
    }
}

/// Draws an alert over what it interrupts.
final class AlertView: UIView {
    private weak var controller: UIAlertController?

    init(_ controller: UIAlertController) {
        self.controller = controller
        super.init(frame: .zero)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        guard let controller else { return }
        node.add(class: controller.preferredStyle == .alert ? "alert" : "alert action-sheet")
        if controller.preferredStyle == .actionSheet { node.attributes["data-beside"] = "\(nodeID).beside" }
        var texts: [String] = []
        if let title = controller.title, !title.isEmpty {
            texts.append(drawing.add("\(nodeID).title", class: "alert-title", text: title))
        }
        if let message = controller.message, !message.isEmpty {
            texts.append(drawing.add("\(nodeID).message", class: "alert-message", text: message))
        }
        texts += controller.fields.map { $0.render(drawing) }
        let text = drawing.add("\(nodeID).text", class: "alert-text", children: texts)
        let actions = controller.shownActions
        let buttons = actions.enumerated().map { drawButton($1, at: $0, of: controller, in: drawing) }
        let isRow = actions.count == 2 && controller.preferredStyle == .alert
        let row = drawing.add(
            "\(nodeID).buttons",
            class: isRow ? "alert-buttons row" : "alert-buttons",
            children: buttons
        )
        node.children = [drawing.add("\(nodeID).box", class: "alert-box", children: [text, row])]
        node.attributes["aria-label"] = controller.title
    }

    private func drawButton(
        _ action: UIAlertAction,
        at index: Int,
        of controller: UIAlertController,
        in drawing: Drawing
    ) -> String {
        let isBold = controller.preferredAction.map { $0 === action } ?? (action.style == .cancel)
        var name = isBold ? "alert-button bold" : "alert-button"
        if action.style == .destructive { name += " destructive" }
        let id = drawing.add("\(nodeID).choice\(index)", tag: "button", class: name, text: action.title ?? "")
        drawing.nodes[id]?.attributes[action.isEnabled ? "data-tap" : "disabled"] = ""
        return id
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind else { return false }
        if event.part == "beside" {
            controller?.cancel()
            return true
        }
        guard event.part.hasPrefix("choice"), let index = Int(event.part.dropFirst(6)) else { return false }
        controller?.chose(index)
        return true
    }
}
