extension UICollectionView {
    /// Draws the part of the content that scrolls across it.
    func draw(
        _ row: ScrollingRow,
        _ section: Int,
        _ cells: [UICollectionViewCell],
        in drawing: Drawing
    ) -> String {
        let id = "\(nodeID).section\(section)"
        let end = drawing.add("\(id)end", class: "across-end")
        drawing.nodes[end]?.style["width"] = CSS.points(row.width)
        let children = [end] + cells.map { $0.renderReused(drawing) }
        _ = drawing.add(id, class: "across \(row.behavior)", children: children)
        let (top, height) = (CSS.points(row.frame.minY), CSS.points(row.frame.height))
        drawing.nodes[id]?.style.merge(["top": top, "height": height]) { $1 }
        return id
    }
}
