// What a cell shows beside its content while its table is edited.
extension UITableViewCell {
    func drawEditing(_ node: inout Node, content: String, in drawing: Drawing) {
        if isEditing, showsChoice {
            node.children.append(drawChoice(in: drawing))
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

    /// The accessory that is shown now.
    var shownAccessory: AccessoryType { isEditing ? editingAccessoryType : accessoryType }

    func exchange(_ old: UIView?, for new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
    }

    /// Draws the circle that says whether the row is chosen.
    private func drawChoice(in drawing: Drawing) -> String {
        let name = isSelected ? "edit-control choice chosen" : "edit-control choice"
        let id = drawing.add("\(nodeID).choice", tag: "button", class: name)
        drawing.nodes[id]?.attributes.merge([
            "role": "checkbox", "aria-checked": isSelected ? "true" : "false", "data-tap": "", "data-reachable": "",
            "aria-label": SystemStrings.select.text(in: screen?.environment.language),
        ]) { $1 }
        return id
    }

    /// Draws the control that deletes or inserts.
    private func drawControl(in drawing: Drawing) -> String {
        let isDelete = editingStyle == .delete
        let name = isDelete ? "edit-control delete" : "edit-control insert"
        let id = drawing.add("\(nodeID).edit", tag: "button", class: name)
        let word: SystemStrings = isDelete ? .delete : .insert
        drawing.nodes[id]?.attributes["aria-label"] = word.text(in: screen?.environment.language)
        drawing.nodes[id]?.attributes["data-reachable"] = ""
        // Deleting is asked about first: the page uncovers the button by itself.
        drawing.nodes[id]?.attributes[isDelete ? "data-uncover" : "data-tap"] = ""
        return id
    }
}

extension Drawing {
    /// Draws the control by which a row is dragged, or moved by the arrow keys.
    func addReorderControl(_ id: String, language: String?) -> String {
        let id = add(id, tag: "button", class: "reorder-control")
        nodes[id]?.attributes["aria-label"] = SystemStrings.reorder.text(in: language)
        nodes[id]?.attributes.merge(["data-reorder": "", "data-reachable": ""]) { $1 }
        return id
    }
}
