/// Keeps cells that no row needs, for rows to come.
@preconcurrency @MainActor
struct ReuseQueue {
    private var waiting: [String: [(cell: UITableViewCell, lastPath: IndexPath)]] = [:]

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    mutating func put(_ cell: UITableViewCell, from path: IndexPath) {
        guard let identifier = cell.reuseIdentifier else { return }
        waiting[identifier, default: []].append((cell, path))
    }

    /// Takes a cell out: the one that showed the row before, if it waits, so that a reload changes little on the page.
    mutating func take(_ identifier: String, for path: IndexPath?) -> UITableViewCell? {
        guard var cells = waiting[identifier], !cells.isEmpty else { return nil }
        let index = cells.firstIndex { $0.lastPath == path } ?? cells.count - 1
        let cell = cells.remove(at: index).cell
        waiting[identifier] = cells
        return cell
    }

    /// Lets go of cells beyond what a fast scroll needs.
    mutating func trim(to limit: Int) {
        for (identifier, cells) in waiting where cells.count > limit {
            waiting[identifier] = Array(cells.suffix(limit))
        }
    }
}
