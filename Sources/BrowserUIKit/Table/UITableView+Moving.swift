// How the user moves rows, by the control at their end.
extension UITableView {
    /// Moves the row of a cell before or after that of another one, which is named by its element; returns whether
    /// there are both.
    func move(_ cell: UITableViewCell, to other: String, isAfter: Bool) -> Bool {
        guard editing, cell.showsReorderControl, !needsReload, let dataSource, let source = indexPath(for: cell),
            let target = live.first(where: { $0.value.nodeID == other })?.key, target != source
        else { return false }
        var place = IndexPath(row: isAfter ? target.row + 1 : target.row, section: target.section)
        if place.section == source.section, place.row > source.row { place.row -= 1 }
        if let tableDelegate {
            place = tableDelegate.tableView(
                self,
                targetIndexPathForMoveFromRowAt: source,
                toProposedIndexPath: place
            )
        }
        guard place != source, takes(place, from: source) else { return true }
        carry(cell, from: source, to: place)
        dataSource.tableView(self, moveRowAt: source, to: place)
        return true
    }

    /// Returns whether a row can lie at a place once it has left its own.
    private func takes(_ place: IndexPath, from source: IndexPath) -> Bool {
        guard place.count == 2, geometry.sections.indices.contains(place.section), place.row >= 0 else { return false }
        let count = geometry.sections[place.section]
        return place.row < count || place.row == count && place.section != source.section
    }

    /// Brings the cell of a row to another place.
    private func carry(_ cell: UITableViewCell, from source: IndexPath, to place: IndexPath) {
        let height = geometry.index(of: source).map { geometry.height(of: $0) } ?? 0
        let isChosen = chosen.remove(source) != nil
        live[source] = nil
        geometry.remove([source])
        shiftRows { path in
            let isBelow = path.section == source.section && path.row > source.row
            return isBelow ? IndexPath(row: path.row - 1, section: path.section) : path
        }
        geometry.insert([place], height: height)
        shiftRows { path in
            let isBelow = path.section == place.section && path.row >= place.row
            return isBelow ? IndexPath(row: path.row + 1, section: path.section) : path
        }
        live[place] = cell
        if isChosen { chosen.insert(place) }
        setNeedsDisplay()
    }
}
