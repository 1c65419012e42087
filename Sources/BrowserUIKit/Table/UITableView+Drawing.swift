// How the rows are drawn: as one list, or, where sections have headers, footers or groups, section by section.
extension UITableView {
    func drawRows(in drawing: Drawing) -> String {
        let paths = live.keys.sorted()
        let isList = style == .plain && edges.live.isEmpty && !geometry.hasEdges
        let id = isList ? drawList(paths, in: drawing) : drawSections(paths, in: drawing)
        for (cell, path) in leaving { reuse.put(cell, as: cell.reuseIdentifier, from: path) }
        (leaving, arriving) = ([], [])
        return id
    }

    private func drawList(_ paths: [IndexPath], in drawing: Drawing) -> String {
        let first = paths.first.flatMap { geometry.index(of: $0) } ?? 0
        let end = paths.last.flatMap { geometry.index(of: $0) }.map { $0 + 1 } ?? 0
        return drawRows(
            "rows",
            paths,
            section: nil,
            above: geometry.start(of: first),
            below: geometry.totalHeight - geometry.start(of: end),
            in: drawing
        )
    }

    private func drawRows(
        _ name: String,
        _ paths: [IndexPath],
        section: Int?,
        above: CGFloat,
        below: CGFloat,
        in drawing: Drawing
    ) -> String {
        var rows = Node(tag: "div", attributes: ["class": "rows"])
        rows.children = paths.compactMap { live[$0]?.renderReused(drawing) }
        let isHere = { (path: IndexPath) in section == nil || path.section == section }
        var change = changes[section ?? -1] ?? RowChanges()
        change.note(
            leaving: leaving.filter { isHere($0.path) }.map(\.cell.nodeID),
            arriving: arriving.filter(isHere).compactMap { live[$0]?.nodeID }
        )
        changes[section ?? -1] = change
        change.draw(&rows)
        rows.style["padding-top"] = CSS.points(above)
        rows.style["padding-bottom"] = CSS.points(below)
        if let separatorColor { rows.style["--line"] = separatorColor.css }
        drawing.nodes["\(nodeID).\(name)"] = rows
        return "\(nodeID).\(name)"
    }

    private func drawSections(_ paths: [IndexPath], in drawing: Drawing) -> String {
        let rows = Dictionary(grouping: paths, by: \.section)
        let shown = Set(rows.keys).union(edges.live.keys.map(\.section)).union(edges.fixed.keys.map(\.section)).sorted()
        var sections = Node(tag: "div", attributes: ["class": "sections"])
        guard let first = shown.first, let last = shown.last, geometry.sections.indices.contains(last) else {
            return drawing.add("\(nodeID).sections", class: "sections")
        }
        sections.style["padding-top"] = CSS.points(geometry.start(ofSection: first))
        sections.style["padding-bottom"] = CSS.points(geometry.totalHeight - geometry.start(ofSection: last + 1))
        sections.children = (first...last).map { drawSection($0, rows[$0] ?? [], in: drawing) }
        if style == .plain {
            sections.style["--header-room"] = CSS.points(headerRoom)
            sections.style["--header-background"] = backgroundColor?.css
        }
        drawing.nodes["\(nodeID).sections"] = sections
        return "\(nodeID).sections"
    }

    private func drawSection(_ section: Int, _ paths: [IndexPath], in drawing: Drawing) -> String {
        let start = geometry.start(ofSection: section) + geometry.height(of: .header, in: section)
        let end = geometry.start(ofSection: section + 1) - geometry.height(of: .footer, in: section)
        let above = paths.first.flatMap { geometry.index(of: $0) }.map { geometry.start(of: $0) - start } ?? end - start
        let below = paths.last.flatMap { geometry.index(of: $0) }.map { end - geometry.end(of: $0) } ?? 0
        let rows = drawRows("rows\(section)", paths, section: section, above: above, below: below, in: drawing)
        for path in paths { drawPlace(of: path, in: drawing) }
        let header = drawEdge(at: SectionPlace(section: section, edge: .header), in: drawing)
        let footer = drawEdge(at: SectionPlace(section: section, edge: .footer), in: drawing)
        return drawing.add("\(nodeID).section\(section)", class: "section", children: [header, rows, footer])
    }

    /// Says of a row whether it is the first or last of its group.
    private func drawPlace(of path: IndexPath, in drawing: Drawing) {
        guard style != .plain, let id = live[path]?.nodeID else { return }
        drawing.nodes[id]?.add(class: "grouped-row")
        if path.row == 0 { drawing.nodes[id]?.add(class: "first") }
        if path.row == geometry.sections[path.section] - 1 { drawing.nodes[id]?.add(class: "last") }
    }

    private func drawEdge(at place: SectionPlace, in drawing: Drawing) -> String {
        let name = "section-edge section-\(place.edge.rawValue)"
        guard let view = edges.live[place] else {
            let id = drawing.add("\(nodeID).\(place.edge.rawValue)\(place.section)", class: name)
            drawing.nodes[id]?.style["height"] = CSS.points(geometry.height(of: place.edge, in: place.section))
            return id
        }
        let id = view.renderReused(drawing)
        drawing.nodes[id]?.add(class: name)
        if let height = edges.fixed[place] {
            drawing.nodes[id]?.style["height"] = CSS.points(height)
            drawing.nodes[id]?.add(class: "given")
        } else if view.frame.height > 0, view.translatesAutoresizingMaskIntoConstraints, view.subviews.isEmpty {
            drawing.nodes[id]?.style["min-height"] = CSS.points(view.frame.height)
        }
        return id
    }
}
