import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
final class NumbersController: UITableViewController {
    var rows = Array(0..<1_000)
    var chosen: [Int] = []
    var ended: [Int] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.estimatedRowHeight = 100
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "number")
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "number", for: indexPath)
        cell.textLabel?.text = "Row \(rows[indexPath.row])"
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        chosen.append(rows[indexPath.row])
    }

    override func tableView(
        _ tableView: UITableView,
        didEndDisplaying cell: UITableViewCell,
        forRowAt indexPath: IndexPath
    ) {
        ended.append(indexPath.row)
    }

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        rows[indexPath.row] % 2 == 0
    }

    override func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        rows.remove(at: indexPath.row)
        tableView.deleteRows(at: [indexPath], with: .automatic)
    }
}

/// Notes what is to be prepared.
@MainActor
final class Preparer: UITableViewDataSourcePrefetching {
    var rows: [Int] = []

    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
        rows += indexPaths.map(\.row)
    }
}

@MainActor
@Suite("A table")
struct TableTests {
    let controller = NumbersController(style: .plain)
    var table: UITableView { controller.tableView }

    @Test("of a thousand rows keeps few cells however far it scrolls, and sends little at each step")
    func reuse() {
        let page = Page { controller }
        for step in 0..<300 { page.scroll(table, to: CGFloat(step) * 120, rowHeight: 100) }
        #expect(table.live.count <= 17)
        #expect(table.madeCellCount <= 24)
        #expect(page.elements(class: "cell").count == table.live.count)
        #expect((page.sizes.max() ?? 0) < 10_000)
        #expect(page.texts.contains("Row 360"))
        #expect(!page.texts.contains("Row 0"))
    }

    @Test("shows as visible what the measured heights say, not what was estimated")
    func visibility() {
        let page = Page { controller }
        page.scroll(table, to: 0, rowHeight: 400)
        #expect(table.indexPathsForVisibleRows?.map(\.row) == [0, 1])
        page.scroll(table, to: 401, rowHeight: 400)
        #expect(table.indexPathsForVisibleRows?.map(\.row) == [1, 2, 3])
        #expect(table.rectForRow(at: IndexPath(row: 2, section: 0)).minY == 800)
    }

    @Test("says which rows leave and arrive, and gives no other row the cell of one that leaves")
    func rowChanges() throws {
        let page = Page { controller }
        page.scroll(table, to: 0, rowHeight: 100)
        let cell = try #require(table.cellForRow(at: IndexPath(row: 0, section: 0)))
        page.tap("\(cell.nodeID).swipe0")
        #expect(page.elements(class: "rows").first?.attributes["data-leaving"] == "1:\(cell.nodeID)")
        #expect(page.elements[cell.nodeID] == nil)
        #expect(table.cellForRow(at: IndexPath(row: 0, section: 0))?.textLabel?.text == "Row 1")
        controller.rows.insert(-1, at: 1)
        table.insertRows(at: [IndexPath(row: 1, section: 0)], with: .fade)
        page.screen.drawIfNeeded()
        let new = try #require(table.cellForRow(at: IndexPath(row: 1, section: 0)))
        #expect(new.textLabel?.text == "Row -1")
        #expect(page.elements(class: "rows").first?.attributes["data-arriving"] == "2:\(new.nodeID)")
        controller.rows.removeFirst()
        table.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .none)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "rows").first?.attributes["data-leaving"] == "1:\(cell.nodeID)")
    }

    @Test("takes rows out by their old places and puts others in by their new ones, in whatever order it is told")
    func batch() {
        let page = Page { controller }
        page.scroll(table, to: 0, rowHeight: 100)
        let kept = table.cellForRow(at: IndexPath(row: 3, section: 0))
        table.performBatchUpdates {
            table.insertRows(at: [IndexPath(row: 0, section: 0)], with: .none)
            table.deleteRows(at: [IndexPath(row: 1, section: 0)], with: .none)
            table.insertRows(at: [IndexPath(row: 2, section: 0)], with: .none)
            table.deleteRows(at: [IndexPath(row: 2, section: 0)], with: .none)
            controller.rows = [-1, 0, -2] + Array(3..<1_000)
        }
        page.screen.drawIfNeeded()
        let texts = (0..<5).map { table.cellForRow(at: IndexPath(row: $0, section: 0))?.textLabel?.text }
        #expect(texts == ["Row -1", "Row 0", "Row -2", "Row 3", "Row 4"])
        #expect(table.cellForRow(at: IndexPath(row: 3, section: 0)) === kept)
    }

    @Test("ends the process, as UIKit does, where the rows that there are are not those that were announced")
    func wrongCount() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let controller = NumbersController(style: .plain)
                let page = Page { controller }
                controller.tableView.performBatchUpdates {
                    controller.tableView.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .none)
                }
                page.screen.drawIfNeeded()
            }
        }
    }

    @Test("asks once for the rows after those that have cells to be prepared")
    func prefetching() {
        let page = Page { controller }
        let preparer = Preparer()
        table.prefetchDataSource = preparer
        page.scroll(table, to: 0, rowHeight: 100)
        let last = table.live.keys.map(\.row).max() ?? 0
        #expect(preparer.rows == Array((last + 1)...(last + UITableView.prefetchCount)))
        page.scroll(table, to: 100, rowHeight: 100)
        #expect(preparer.rows.count == Set(preparer.rows).count)
    }

    @Test("tells when a cell leaves, and gives it to another row")
    func endDisplaying() {
        let page = Page { controller }
        page.scroll(table, to: 5_000, rowHeight: 100)
        #expect(controller.ended.contains(0))
        #expect(table.cellForRow(at: IndexPath(row: 0, section: 0)) == nil)
        #expect(table.cellForRow(at: IndexPath(row: 50, section: 0)) != nil)
    }

    @Test("hands a tap on a cell to its delegate")
    func tap() throws {
        let page = Page { controller }
        let cell = try #require(table.cellForRow(at: IndexPath(row: 3, section: 0)))
        page.tap(cell.nodeID)
        #expect(controller.chosen == [3])
    }

    @Test("offers deletion by swipe only where the data source allows it, and moves the rows up")
    func swipe() throws {
        let page = Page { controller }
        let odd = try #require(table.cellForRow(at: IndexPath(row: 1, section: 0)))
        let even = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        #expect(page.elements[odd.nodeID]?.attributes["data-swipe"] == nil)
        #expect(page.elements["\(even.nodeID).swipe0"]?.text == "Delete")
        page.tap("\(even.nodeID).swipe0")
        #expect(controller.rows.prefix(4) == [0, 1, 3, 4])
        #expect(!page.texts.contains("Row 2"))
        #expect(table.cellForRow(at: IndexPath(row: 2, section: 0))?.textLabel?.text == "Row 3")
        #expect(table.numberOfRows(inSection: 0) == 999)
    }

    @Test("survives a reload with fewer rows while scrolled far down")
    func shrinking() {
        let page = Page { controller }
        page.scroll(table, to: 50_000, rowHeight: 100)
        controller.rows = [1, 3]
        table.reloadData()
        page.screen.drawIfNeeded()
        page.scroll(table, to: 0, rowHeight: 100)
        #expect(Set(page.texts) == ["Row 1", "Row 3"])
    }

    @Test("changes nothing on the page when a reload brings the same rows")
    func stableReload() {
        let page = Page { controller }
        let before = page.sizes.count
        table.reloadData()
        page.screen.drawIfNeeded()
        #expect(page.sizes.count == before)
    }

    @Test("takes a tap on what was drawn before a reload for none on the row that is there by now")
    func staleTaps() throws {
        let page = Page { controller }
        let cell = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        let label = try #require(cell.textLabel)
        let (old, oldLabel) = (cell.nodeID, label.nodeID)
        controller.rows = [-4, -2] + controller.rows
        table.reloadData()
        page.tap("\(old).swipe0")
        page.tap(old)
        #expect(controller.rows.count == 1_002 && controller.chosen.isEmpty)
        #expect(page.elements[old] == nil && page.elements[oldLabel] == nil)
        let new = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        #expect(new === cell && page.elements[new.nodeID]?.attributes["data-replaces"] == old)
        page.tap(new.nodeID)
        #expect(controller.chosen == [0])
    }

    @Test("doesn't have the page go to a cell again that was there before a reload")
    func toldFocus() throws {
        let page = Page { controller }
        let cell = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        UIAccessibility.post(notification: .layoutChanged, argument: cell)
        page.screen.drawIfNeeded()
        #expect(page.elements[cell.nodeID]?.attributes["data-focus"] == "1:1")
        controller.rows[2] = -2
        table.reloadData()
        page.screen.drawIfNeeded()
        let new = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        #expect(new === cell && page.elements[new.nodeID]?.attributes["data-replaces"] != nil)
        #expect(page.elements[new.nodeID]?.attributes["data-focus"] == nil)
    }

    @Test("keeps the elements of cells that show the same after a reload, also in groups")
    func reloadedGroups() throws {
        let controller = NumbersController(style: .insetGrouped)
        let page = Page { controller }
        let cells = controller.tableView.live.mapValues(\.nodeID)
        let first = try #require(cells[IndexPath(row: 0, section: 0)])
        controller.rows[0] = -6
        controller.tableView.reloadData()
        page.screen.drawIfNeeded()
        let after = controller.tableView.live.mapValues(\.nodeID)
        #expect(after.count == cells.count && page.elements[first] == nil)
        #expect(after.filter { $0.key.row > 0 } == cells.filter { $0.key.row > 0 })
    }

    @Test("does not trust what a page reports")
    func hostileReports() {
        let page = Page { controller }
        let id = "\(table.nodeID).scroll"
        for offset in ["-1e300", "1e300", "-5"] {
            page.report(#"{"i":"\#(id)","k":"scroll","y":\#(offset),"w":0,"h":-1,"c":0,"r":{"v0":1e300}}"#)
        }
        page.report(#"{"i":"v999999","k":"tap"}"#)
        page.report(#"{"i":"\#(id)","k":"explode"}"#)
        #expect(page.screen.receive(Data("[]".utf8)) == false)
        page.scroll(table, to: 0, rowHeight: 100)
        #expect(page.texts.contains("Row 0"))
    }
}

@Suite("The places of rows")
struct RowGeometryTests {
    @Test("are found for any part of the content", arguments: [0.0, 9.9, 10, 25, 99.9])
    func find(top: Double) {
        var geometry = RowGeometry()
        geometry.reset(sections: [4, 6]) { _ in 10 }
        let rows = geometry.rows(from: CGFloat(top), to: CGFloat(top) + 0.05)
        #expect(rows == Int(top / 10)..<Int(top / 10) + 1)
        #expect(geometry.index(of: geometry.path(at: rows.lowerBound)) == rows.lowerBound)
    }

    @Test("are none outside of it")
    func outside() {
        var geometry = RowGeometry()
        #expect(geometry.rows(from: 0, to: 100).isEmpty)
        geometry.reset(sections: [2]) { _ in 10 }
        #expect(geometry.rows(from: 20, to: 30).isEmpty)
        #expect(geometry.rows(from: -10, to: 0).isEmpty)
        #expect(geometry.index(of: IndexPath(row: 2, section: 0)) == nil)
        #expect(geometry.index(of: IndexPath(row: 0, section: 1)) == nil)
    }

    @Test("move when rows go and come")
    func changes() {
        var geometry = RowGeometry()
        geometry.reset(sections: [3]) { CGFloat($0 + 1) * 10 }
        geometry.remove([IndexPath(row: 1, section: 0)])
        #expect(geometry.totalHeight == 40)
        geometry.insert([IndexPath(row: 0, section: 0)], height: 5)
        #expect(geometry.start(of: 1) == 5)
        #expect(geometry.count == 3)
    }
}
