/// Shows one row of a list.
open class UICollectionViewListCell: UICollectionViewCell {
    /// The accessories at the end of the cell.
    ///
    /// The default is nothing.
    open var accessories: [UICellAccessory] = [] {
        didSet {
            let views = accessories.compactMap { $0.customView }
            for view in oldValue.compactMap({ $0.customView }) where view.superview === self {
                if !views.contains(where: { $0 === view }) { view.removeFromSuperview() }
            }
            for view in views where view.superview !== self { addSubview(view) }
            setNeedsDisplay()
        }
    }
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
        drawAccessories(&node, content: content, in: drawing)
        drawSwipe(&node, content: content, in: drawing)
    }

    private func drawAccessories(_ node: inout Node, content: String, in drawing: Drawing) {
        let shown = accessories.enumerated().filter { $1.isShown }
        let (leading, trailing) = (shown.filter { $1.isLeading }, shown.filter { !$1.isLeading })
        let start = CGFloat(max(indentationLevel, 0)) * indentationWidth + room(for: leading.map { $1 })
        drawing.nodes[content]?.style["padding-inline-start"] = start > 0 ? CSS.points(start) : nil
        let signs = shown.map { $1.draw("\(nodeID).accessory\($0)", in: drawing) }
        if !trailing.isEmpty { node.add(class: "with-accessory") }
        let end = room(for: trailing.map { $1 })
        if end > 0 { drawing.nodes[content]?.style["padding-inline-end"] = CSS.points(end) }
        guard trailing.count > 1 else {
            node.children += signs
            return
        }
        // Several stand beside one another.
        let ids = Set(trailing.map { "\(nodeID).accessory\($0.offset)" })
        let row = drawing.add("\(nodeID).accessories", class: "accessories", children: signs.filter(ids.contains))
        node.children += signs.filter { !ids.contains($0) } + [row]
    }

    /// Returns the room that views of the app's own take from the content, with that of what is beside them.
    private func room(for accessories: [UICellAccessory]) -> CGFloat {
        guard accessories.contains(where: { $0.customView != nil }) else { return 0 }
        return accessories.reduce(24) { $0 + ($1.customView.map { max($0.frame.width, 51) } ?? 24) }
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
