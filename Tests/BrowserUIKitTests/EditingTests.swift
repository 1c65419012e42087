import Foundation
import Testing

@testable import BrowserUIKit

/// Has two sections of texts, which the user may move.
@MainActor
private final class ListController: UITableViewController {
    var sections = [["a", "b", "c"], ["d", "e"]]
    var moves: [String] = []
    var log: [String] = []
    /// Whether rows stay chosen.
    var keepsRows = false
    /// The place that the delegate moves rows to in place of the proposed one.
    var target: IndexPath?

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "text")
    }

    override func numberOfSections(in tableView: UITableView) -> Int { sections.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        sections[section].count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "text", for: indexPath)
        cell.textLabel?.text = sections[indexPath.section][indexPath.row]
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

    override func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        sections[indexPath.section][indexPath.row] != "b"
    }

    override func tableView(
        _ tableView: UITableView,
        moveRowAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        let text = sections[sourceIndexPath.section].remove(at: sourceIndexPath.row)
        sections[destinationIndexPath.section].insert(text, at: destinationIndexPath.row)
        moves.append("\(text) to \(destinationIndexPath.section).\(destinationIndexPath.row)")
    }

    override func tableView(
        _ tableView: UITableView,
        targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
        toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath { target ?? proposedDestinationIndexPath }

    override func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
        log.append("touched \(indexPath.row)")
    }

    override func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
        log.append("let go \(indexPath.row)")
    }

    override func tableView(_ tableView: UITableView, willDeselectRowAt indexPath: IndexPath) -> IndexPath? {
        log.append("leaves \(indexPath.row)")
        return keepsRows ? nil : indexPath
    }

    override func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        log.append("left \(indexPath.row)")
    }
}

@MainActor
@Suite("A table that is edited")
struct EditingTests {
    private let controller = ListController(style: .plain)
    private var table: UITableView { controller.tableView }

    private func cell(_ section: Int, _ row: Int) throws -> UITableViewCell {
        try #require(table.cellForRow(at: IndexPath(row: row, section: section)))
    }

    private func shown(_ section: Int) -> [String?] {
        (0..<table.numberOfRows(inSection: section)).map {
            table.cellForRow(at: IndexPath(row: $0, section: section))?.textLabel?.text
        }
    }

    private func page() -> Page {
        let page = Page { controller }
        controller.setEditing(true, animated: false)
        page.screen.drawIfNeeded()
        return page
    }

    private func move(_ cell: UITableViewCell, to other: UITableViewCell, isAfter: Bool, on page: Page) {
        page.report(#"{"i":"\#(cell.nodeID).reorder","k":"reorder","t":"\#(other.nodeID)","f":\#(isAfter)}"#)
    }

    @Test("has controls by which rows are moved, where the data source lets them be")
    func controls() throws {
        let page = Page { controller }
        #expect(page.elements(class: "reorder-control").isEmpty && page.elements(class: "more").count == 5)
        controller.setEditing(true, animated: false)
        page.screen.drawIfNeeded()
        let (first, second) = (try cell(0, 0), try cell(0, 1))
        #expect(page.elements["\(first.nodeID).reorder"]?.attributes["aria-label"] == "Reorder")
        #expect(page.elements["\(second.nodeID).reorder"] == nil)
        #expect(first.showsReorderControl && !second.showsReorderControl)
        // While rows are edited they have other accessories.
        #expect(page.elements(class: "more").isEmpty)
        first.editingAccessoryType = .checkmark
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "check").count == 1)
        controller.setEditing(false, animated: false)
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "reorder-control").isEmpty && page.elements(class: "more").count == 5)
    }

    @Test("moves a row within its section and into another one, with its cell, and tells the data source")
    func moves() throws {
        let page = page()
        let first = try cell(0, 0)
        table.selectRow(at: IndexPath(row: 0, section: 0), animated: false, scrollPosition: .none)
        move(first, to: try cell(0, 2), isAfter: true, on: page)
        #expect(try cell(0, 2) === first)
        #expect(table.indexPathForSelectedRow == IndexPath(row: 2, section: 0))
        #expect(shown(0) == ["b", "c", "a"])
        move(first, to: try cell(1, 0), isAfter: true, on: page)
        #expect((shown(0), shown(1)) == (["b", "c"], ["d", "a", "e"]))
        move(try cell(1, 2), to: try cell(0, 1), isAfter: false, on: page)
        #expect((shown(0), shown(1)) == (["b", "e", "c"], ["d", "a"]))
        #expect(controller.moves == ["a to 0.2", "a to 1.1", "e to 0.1"])
        #expect(controller.sections == [["b", "e", "c"], ["d", "a"]])
    }

    @Test("leaves it to the delegate where a row goes, and moves none that it shouldn't")
    func targets() throws {
        let page = page()
        controller.target = IndexPath(row: 1, section: 0)
        move(try cell(0, 0), to: try cell(1, 1), isAfter: true, on: page)
        #expect(controller.moves == ["a to 0.1"] && shown(0) == ["b", "a", "c"])
        for wrong in [IndexPath(row: 9, section: 0), IndexPath(row: 0, section: 7), IndexPath(row: -1, section: 0)] {
            controller.target = wrong
            move(try cell(0, 1), to: try cell(0, 2), isAfter: true, on: page)
        }
        controller.target = nil
        move(try cell(0, 0), to: try cell(0, 2), isAfter: true, on: page)
        move(try cell(0, 1), to: try cell(0, 1), isAfter: true, on: page)
        let moved = try cell(0, 1)
        page.report(#"{"i":"\#(moved.nodeID).reorder","k":"reorder","t":"v0"}"#)
        controller.setEditing(false, animated: false)
        move(try cell(0, 1), to: try cell(0, 2), isAfter: true, on: page)
        #expect(controller.moves.count == 1 && shown(0) == ["b", "a", "c"])
    }

    @Test("lets several rows be chosen by circles, where it says so, and forgets them at the end")
    func severalRows() throws {
        controller.tableView.allowsMultipleSelectionDuringEditing = true
        let page = page()
        let (first, second) = (try cell(0, 0), try cell(0, 1))
        #expect(page.elements(class: "choice").count == 5 && page.elements(class: "delete").isEmpty)
        #expect(page.elements["\(first.nodeID).choice"]?.attributes["aria-checked"] == "false")
        page.tap("\(first.nodeID).choice")
        page.tap(second.nodeID)
        #expect(page.elements["\(first.nodeID).choice"]?.attributes["aria-checked"] == "true")
        #expect(table.indexPathsForSelectedRows?.map(\.row) == [0, 1])
        page.tap(first.nodeID)
        #expect(table.indexPathsForSelectedRows?.map(\.row) == [1])
        controller.setEditing(false, animated: false)
        page.screen.drawIfNeeded()
        #expect(table.indexPathsForSelectedRows == nil && page.elements(class: "choice").isEmpty)
    }

    @Test("tells of touches, and asks whether a row may be chosen no longer")
    func deselection() throws {
        let page = Page { controller }
        page.tap(try cell(0, 0).nodeID)
        page.tap(try cell(0, 1).nodeID)
        #expect(controller.log == ["touched 0", "let go 0", "touched 1", "let go 1", "leaves 0", "left 0"])
        (table.allowsMultipleSelection, controller.keepsRows, controller.log) = (true, true, [])
        page.tap(try cell(0, 1).nodeID)
        #expect(controller.log == ["touched 1", "let go 1", "leaves 1"])
        #expect(table.indexPathsForSelectedRows == [IndexPath(row: 1, section: 0)])
    }

    @Test("chooses rows while it is edited only where it says so")
    func choosing() throws {
        let page = page()
        page.tap(try cell(0, 0).nodeID)
        #expect(table.indexPathForSelectedRow == nil)
        controller.setEditing(false, animated: false)
        page.tap(try cell(0, 0).nodeID)
        #expect(table.indexPathForSelectedRow == IndexPath(row: 0, section: 0))
        table.allowsSelectionDuringEditing = true
        controller.setEditing(true, animated: false)
        page.tap(try cell(0, 2).nodeID)
        #expect(table.indexPathsForSelectedRows == [IndexPath(row: 2, section: 0)])
    }

    @Test("lets rows be chosen as soon as it says so, also while it is edited")
    func choosingLater() throws {
        let page = page()
        table.allowsSelectionDuringEditing = true
        page.screen.drawIfNeeded()
        let first = try cell(0, 0).nodeID
        #expect(page.elements[first]?.attributes["data-tap"] != nil)
        page.tap(first)
        #expect(table.indexPathForSelectedRow == IndexPath(row: 0, section: 0))
        table.allowsMultipleSelectionDuringEditing = true
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "choice").count == 5 && page.elements(class: "delete").isEmpty)
    }
}
