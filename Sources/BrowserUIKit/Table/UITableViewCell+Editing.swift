// What a cell shows beside its content while its table is edited.
extension UITableViewCell {
    func drawEditing(_ node: inout Node, content: String, in drawing: Drawing) {
        if isEditing, showsChoice {
            let language = screen?.environment.language
            node.children.append(drawing.addChoice("\(nodeID).choice", isChosen: isSelected, language: language))
            drawing.nodes[content]?.add(class: "beside-control")
        } else if editingStyle != .none {
            node.children.append(drawControl(in: drawing))
            drawing.nodes[content]?.add(class: "beside-control")
        }
        if isEditing, showsReorderControl {
            let id = drawing.addReorderControl("\(nodeID).reorder", language: screen?.environment.language)
            node.children.append(id)
            drawing.nodes[content]?.add(class: "before-reorder")
        }
    }

    /// Draws the control that deletes, which is asked about first, or the one that inserts.
    private func drawControl(in drawing: Drawing) -> String {
        let language = screen?.environment.language
        return editingStyle == .delete
            ? drawing.addControl("\(nodeID).edit", "delete", .delete, uncovers: true, language: language)
            : drawing.addControl("\(nodeID).edit", "insert", .insert, language: language)
    }

    /// The accessory that is shown now.
    var shownAccessory: AccessoryType { isEditing ? editingAccessoryType : accessoryType }

    func exchange(_ old: UIView?, for new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
    }
}

extension Drawing {
    /// Draws the circle that says whether a row is chosen.
    func addChoice(_ id: String, isChosen: Bool, language: String?) -> String {
        let name = isChosen ? "edit-control choice chosen" : "edit-control choice"
        let id = add(id, tag: "button", class: name)
        nodes[id]?.attributes.merge([
            "role": "checkbox", "aria-checked": isChosen ? "true" : "false", "data-tap": "", "data-reachable": "",
            "aria-label": SystemStrings.select.text(in: language),
        ]) { $1 }
        return id
    }

    /// Draws a control before the content; one that uncovers what a swipe does leaves that to the page.
    func addControl(
        _ id: String,
        _ name: String,
        _ word: SystemStrings,
        uncovers: Bool = false,
        language: String?
    ) -> String {
        let id = add(id, tag: "button", class: "edit-control \(name)")
        nodes[id]?.attributes["aria-label"] = word.text(in: language)
        nodes[id]?.attributes.merge(["data-reachable": ""]) { $1 }
        nodes[id]?.attributes[uncovers ? "data-uncover" : "data-tap"] = ""
        return id
    }

    /// Draws the control by which a row is dragged, or moved by the arrow keys.
    func addReorderControl(_ id: String, language: String?) -> String {
        let id = add(id, tag: "button", class: "reorder-control")
        nodes[id]?.attributes["aria-label"] = SystemStrings.reorder.text(in: language)
        nodes[id]?.attributes.merge(["data-reorder": "", "data-reachable": ""]) { $1 }
        return id
    }
}
