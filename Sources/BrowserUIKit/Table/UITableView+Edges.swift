// What lies above and below the rows.
extension UITableView {
    func exchange(_ old: UIView?, for new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
        if tableHeaderView == nil { headerHeight = 0 }
    }

    func drawEdge(_ view: UIView, _ name: String, in drawing: Drawing) -> String {
        let id = view.render(drawing)
        drawing.nodes[id]?.style.merge(["position": "relative", "width": "100%"]) { $1 }
        if view.frame.height > 0 { drawing.nodes[id]?.style["min-height"] = CSS.points(view.frame.height) }
        return drawing.add("\(nodeID).\(name)", class: name, children: [id])
    }
}
