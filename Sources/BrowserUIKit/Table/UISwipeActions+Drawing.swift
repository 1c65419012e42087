/// Says from which end of a row a swipe uncovers actions.
enum SwipeSide {
    case leading, trailing

    /// The prefix of the names of the buttons.
    var name: String { self == .leading ? "lead" : "swipe" }
}

extension UISwipeActionsConfiguration {
    /// Draws the buttons that a swipe uncovers, side by side from the edge inwards.
    func draw(on node: inout Node, _ nodeID: String, at side: SwipeSide, in drawing: Drawing) {
        guard !actions.isEmpty else { return }
        let name = side == .leading ? "swipe leading" : "swipe"
        for (index, action) in actions.enumerated() {
            let id = drawing.add(
                "\(nodeID).\(side.name)\(index)",
                tag: "button",
                class: name,
                text: action.title ?? ""
            )
            if let image = action.image { draw(image, action.title, id, in: drawing) }
            drawing.nodes[id]?.style["background-color"] = (action.backgroundColor ?? .systemGray).css
            if index > 0 { drawing.nodes[id]?.style["--place"] = String(index) }
            drawing.nodes[id]?.attributes.merge(["data-tap": "", "data-reachable": ""]) { $1 }
            node.children.append(id)
        }
        let attribute = side == .leading ? "data-swipe-leading" : "data-swipe"
        node.attributes[attribute] = performsFirstActionWithFullSwipe ? "full" : "part"
        if actions.count > 1 { node.style[side == .leading ? "--leads" : "--swipes"] = String(actions.count) }
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

    /// Does what a button says; returns whether there is such a button, and `nil` for another part of the row.
    func perform(_ part: String, at side: SwipeSide, in view: UIView) -> Bool? {
        guard part.hasPrefix(side.name) else { return nil }
        guard let index = Int(part.dropFirst(side.name.count)), actions.indices.contains(index) else { return false }
        actions[index].handler(actions[index], view) { _ in }
        return true
    }
}
