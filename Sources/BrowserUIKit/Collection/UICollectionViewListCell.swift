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
    private var leadingActions: UISwipeActionsConfiguration?

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
        let all = accessories.enumerated().filter { $1.isShown(isEditing: isEdited) }
        drawReordering(&node, content: content, accessory: all.first { $1.isReorder }?.offset, in: drawing)
        let shown = all.filter { !$1.isReorder }
        let (leading, trailing) = (shown.filter { $1.isLeading }, shown.filter { !$1.isLeading })
        let start = CGFloat(max(indentationLevel, 0)) * indentationWidth + room(for: leading.map { $1 })
        drawing.nodes[content]?.style["padding-inline-start"] = start > 0 ? CSS.points(start) : nil
        let signs = shown.map { $1.draw("\(nodeID).accessory\($0)", of: self, in: drawing) }
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

    /// Draws the control by which the row is moved, where it can be.
    private func drawReordering(_ node: inout Node, content: String, accessory index: Int?, in drawing: Drawing) {
        guard let index, (superview as? UICollectionView)?.canMove(self) == true else { return }
        let language = screen?.environment.language
        node.children.append(drawing.addReorderControl("\(nodeID).accessory\(index)", language: language))
        drawing.nodes[content]?.style["padding-inline-end"] = CSS.points(38)
    }

    /// Returns the room that views of the app's own take from the content, with that of what is beside them.
    private func room(for accessories: [UICellAccessory]) -> CGFloat {
        if accessories.contains(where: \.isControl) { return 38 + room(for: accessories.filter { !$0.isControl }) }
        guard accessories.contains(where: { $0.customView != nil }) else { return 0 }
        return accessories.reduce(24) { $0 + ($1.customView.map { max($0.frame.width, 51) } ?? 24) }
    }

    private func drawSwipe(_ node: inout Node, content: String, in drawing: Drawing) {
        (swipeActions, leadingActions) = (nil, nil)
        guard let collection = superview as? UICollectionView, let path = collection.indexPath(for: self) else {
            return
        }
        swipeActions = list?.configuration.trailingSwipeActionsConfigurationProvider?(path)
        leadingActions = list?.configuration.leadingSwipeActionsConfigurationProvider?(path)
        guard swipeActions != nil || leadingActions != nil else { return }
        drawing.nodes[content]?.add(class: "cell-content")
        node.add(class: "cell")
        swipeActions?.draw(on: &node, nodeID, at: .trailing, in: drawing)
        leadingActions?.draw(on: &node, nodeID, at: .leading, in: drawing)
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        if case .reorder(let other, let isAfter) = event.kind {
            return (superview as? UICollectionView)?.move(self, to: other, isAfter: isAfter) ?? false
        }
        guard case .tap = event.kind else { return false }
        if event.part.hasPrefix("accessory"), let index = Int(event.part.dropFirst(9)) {
            return accessories.indices.contains(index) && accessories[index].perform(in: self)
        }
        if let isDone = swipeActions?.perform(event.part, at: .trailing, in: self) { return isDone }
        if let isDone = leadingActions?.perform(event.part, at: .leading, in: self) { return isDone }
        return super.handle(event)
    }
}
