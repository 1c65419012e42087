/// Shows one row of a list.
open class UICollectionViewListCell: UICollectionViewCell {
    /// The accessories at the end of the cell.
    ///
    /// The default is nothing.
    open var accessories: [UICellAccessory] = [] { didSet { setNeedsDisplay() } }
    /// The depth of the row among others.
    ///
    /// The default is 0.
    open var indentationLevel = 0 { didSet { setNeedsDisplay() } }
    /// The room for each level, in points.
    ///
    /// The default is 10.
    open var indentationWidth: CGFloat = 10 { didSet { setNeedsDisplay() } }
    private var swipeActions: UISwipeActionsConfiguration?

    /// Creates a cell.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a cell from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Returns the configuration that suits the list.
    open func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        super.draw(&node, in: drawing)
        if let list {
            node.add(class: list.name)
            if backgroundColor == nil, backgroundConfiguration == nil {
                node.style["background-color"] = list.configuration.rowBackground.css
            }
        }
        guard let content = node.children.last else { return }
        drawing.nodes[content]?.style["padding-inline-start"] =
            indentationLevel > 0 ? CSS.points(CGFloat(indentationLevel) * indentationWidth) : nil
        node.children += accessories.enumerated().map { $1.draw("\(nodeID).accessory\($0)", in: drawing) }
        if !accessories.isEmpty { node.add(class: "with-accessory") }
        drawSwipe(&node, content: content, in: drawing)
    }

    private func drawSwipe(_ node: inout Node, content: String, in drawing: Drawing) {
        guard let collection = superview as? UICollectionView, let path = collection.indexPath(for: self),
            let actions = list?.configuration.trailingSwipeActionsConfigurationProvider?(path)
        else {
            swipeActions = nil
            return
        }
        swipeActions = actions
        drawing.nodes[content]?.add(class: "cell-content")
        node.add(class: "cell")
        actions.draw(on: &node, nodeID, in: drawing)
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind else { return false }
        if event.part.hasPrefix("swipe") {
            return swipeActions?.perform(String(event.part.dropFirst(5)), in: self) ?? false
        }
        return super.handle(event)
    }
}

/// A small sign at the end of a row.
@preconcurrency @MainActor
public struct UICellAccessory {
    /// Says when a sign is shown; browsers do not edit lists.
    public enum DisplayedState: Sendable {
        /// Always.
        case always
        /// While the list is edited.
        case whenEditing
        /// While the list is not edited.
        case whenNotEditing
    }

    private enum Kind {
        case disclosure, checkmark
        case label(String)
    }

    private let kind: Kind

    /// Returns the sign that there is more.
    public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .disclosure)
    }

    /// Returns a check mark.
    public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .checkmark)
    }

    /// Returns a text.
    public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory {
        UICellAccessory(kind: .label(text))
    }

    func draw(_ id: String, in drawing: Drawing) -> String {
        switch kind {
        case .disclosure: drawing.add(id, tag: "span", class: "accessory more")
        case .checkmark: drawing.add(id, tag: "span", class: "accessory check")
        case .label(let text): drawing.add(id, tag: "span", class: "accessory text", text: text)
        }
    }
}

extension UISwipeActionsConfiguration {
    /// Draws the buttons that a swipe uncovers.
    func draw(on node: inout Node, _ nodeID: String, in drawing: Drawing) {
        for (index, action) in actions.enumerated() {
            let id = drawing.add("\(nodeID).swipe\(index)", tag: "button", class: "swipe", text: action.title ?? "")
            if let image = action.image { draw(image, action.title, id, in: drawing) }
            drawing.nodes[id]?.style["background-color"] = (action.backgroundColor ?? .systemGray).css
            drawing.nodes[id]?.attributes.merge(["data-tap": "", "data-reachable": ""]) { $1 }
            node.children.append(id)
        }
        if !actions.isEmpty { node.attributes["data-swipe"] = performsFirstActionWithFullSwipe ? "full" : "part" }
    }

    /// Draws an image over the title of a button.
    private func draw(_ image: UIImage, _ title: String?, _ id: String, in drawing: Drawing) {
        var parts = [image.drawGlyph("\(id)image", in: drawing)]
        if let title { parts.append(drawing.add("\(id)title", tag: "span", class: "swipe-title", text: title)) }
        drawing.nodes[id]?.text = ""
        drawing.nodes[id]?.children = parts
        drawing.nodes[id]?.add(class: "pictured")
        drawing.nodes[id]?.attributes["aria-label"] = title
    }

    /// Does what a button says; returns whether there is such a button.
    func perform(_ number: String, in view: UIView) -> Bool {
        guard let index = Int(number), actions.indices.contains(index) else { return false }
        actions[index].handler(actions[index], view) { _ in }
        return true
    }
}
