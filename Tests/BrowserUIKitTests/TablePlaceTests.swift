import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Places and numbers in a table")
struct TablePlaceTests {
    private let controller = NumbersController(style: .plain)
    private var table: UITableView { controller.tableView }

    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    private var chosen: [Int]? { table.indexPathsForSelectedRows?.map(\.row) }

    /// Shows the rows from 10 on, of 100 points each, on 800 points.
    private func scrolledPage() -> Page {
        let page = Page { controller }
        page.scroll(table, to: 1_000, rowHeight: 100)
        return page
    }

    /// Where the page is asked to scroll to.
    private func scrolled(on page: Page) -> Substring? {
        page.screen.drawIfNeeded()
        return page.elements[table.scrollerID]?.attributes["data-offset"]?.split(separator: ":").last
    }

    // MARK: Scrolling

    @Test("A row is scrolled to the top, the middle or the bottom, as far as the content goes")
    func scrollPositions() {
        let page = scrolledPage()
        func offset(_ row: Int, _ position: UITableView.ScrollPosition) -> CGFloat {
            table.scrollToRow(at: path(row), at: position, animated: false)
            return table.contentOffset.y
        }
        #expect(offset(30, .top) == 3_000 && offset(30, .middle) == 2_650 && offset(30, .bottom) == 2_300)
        #expect(offset(0, .top) == 0 && offset(0, .middle) == 0 && offset(0, .bottom) == 0)
        #expect(scrolled(on: page) == "0")
    }

    @Test("A row without a position is scrolled to only where it isn't seen, and no further than it takes")
    func leastScrolling() {
        let page = scrolledPage()
        func offset(_ row: Int) -> CGFloat {
            table.scrollToRow(at: path(row), at: .none, animated: false)
            return table.contentOffset.y
        }
        #expect(table.contentOffset.y == 1_000)
        #expect(offset(12) == 1_000 && offset(10) == 1_000 && offset(17) == 1_000)
        #expect(offset(5) == 500)
        #expect(offset(20) == 1_300)
        #expect(scrolled(on: page) == "1300")
    }

    @Test("A row that the app chooses is scrolled to where a position is given, and told to nobody")
    func choosing() {
        let page = scrolledPage()
        table.selectRow(at: path(40), animated: false, scrollPosition: .none)
        #expect(table.contentOffset.y == 1_000 && chosen == [40])
        table.selectRow(at: path(50), animated: false, scrollPosition: .top)
        #expect(table.contentOffset.y == 5_000 && chosen == [50])
        table.selectRow(at: nil, animated: false, scrollPosition: .top)
        #expect(table.contentOffset.y == 5_000 && chosen == nil && controller.chosen.isEmpty)
        #expect(scrolled(on: page) == "5000")
    }

    @Test("Rows are found by their place, and places by their row")
    func places() throws {
        let page = scrolledPage()
        #expect(table.rectForRow(at: path(12)) == CGRect(x: 0, y: 1_200, width: 390, height: 100))
        #expect(table.rectForRow(at: path(5_000)) == .zero && table.rectForRow(at: path(0, 3)) == .zero)
        #expect(table.indexPathForRow(at: CGPoint(x: 10, y: 1_250)) == path(12))
        #expect(table.indexPathForRow(at: CGPoint(x: 10, y: -1)) == nil)
        #expect(table.indexPathsForVisibleRows?.first == path(10))
        let cell = try #require(table.cellForRow(at: path(12)))
        #expect(table.indexPath(for: cell) == path(12) && table.visibleCells.contains { $0 === cell })
        #expect(table.cellForRow(at: path(500)) == nil && table.indexPath(for: UITableViewCell()) == nil)
        #expect(page.texts.contains("Row 12"))
    }

    // MARK: Numbers

    @Test("Sections and rows are counted again as soon as a reload is asked for")
    func counts() throws {
        let sections = SectionsController(style: .grouped)
        let page = Page { sections }
        let table = try #require(sections.tableView)
        #expect(table.numberOfSections == 2 && table.numberOfRows(inSection: 1) == 3)
        sections.counts = [1, 4, 2]
        #expect(table.numberOfSections == 2)
        table.reloadData()
        #expect(table.numberOfSections == 3 && table.numberOfRows(inSection: 1) == 4)
        #expect(table.numberOfRows(inSection: 3) == 0 && table.numberOfRows(inSection: -1) == 0)
        page.screen.drawIfNeeded()
        #expect(page.texts.contains("2.1") && !page.texts.contains("0.1"))
    }

    @Test("A table without a data source has nothing")
    func nothing() {
        let table = UITableView(frame: .zero, style: .insetGrouped)
        #expect(table.numberOfSections == 0 && table.numberOfRows(inSection: 0) == 0)
        #expect(table.indexPathForSelectedRow == nil && table.indexPathsForSelectedRows == nil)
        #expect(table.dequeueReusableCell(withIdentifier: "unknown") == nil && table.style == .insetGrouped)
        #expect(table.dequeueReusableCell(withIdentifier: "unknown", for: path(0)).reuseIdentifier == "unknown")
    }

    // MARK: Changes

    /// Shows ten rows, of which some are chosen.
    private func page(choosing rows: [Int]) -> Page {
        controller.rows = Array(0..<10)
        let page = Page { controller }
        table.allowsMultipleSelection = true
        for row in rows { table.selectRow(at: path(row), animated: false, scrollPosition: .none) }
        return page
    }

    @Test("Rows that are chosen stay so while others come and go above them")
    func choiceMoves() {
        let page = page(choosing: [1, 3])
        controller.rows.removeFirst()
        table.deleteRows(at: [path(0)], with: .automatic)
        #expect(chosen == [0, 2])
        controller.rows.insert(contentsOf: [90, 91], at: 0)
        table.insertRows(at: [path(0), path(1)], with: .automatic)
        #expect(chosen == [2, 4] && table.indexPathForSelectedRow == path(2))
        controller.rows.remove(at: 2)
        table.deleteRows(at: [path(2)], with: .none)
        #expect(chosen == [3])
        page.screen.drawIfNeeded()
        #expect(table.cellForRow(at: path(3))?.isSelected == true && table.cellForRow(at: path(2))?.isSelected == false)
    }

    @Test("In a batch, rows go by their places before it, and come by those after it")
    func batch() {
        let page = page(choosing: [5])
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        var pending: [@MainActor () -> Void] = []
        AnimationTime.wait = { _, body in pending.append(body) }
        var isFinished = false
        controller.rows = [90] + Array(2..<10)
        table.performBatchUpdates {
            table.insertRows(at: [path(0)], with: .fade)
            table.deleteRows(at: [path(0), path(1)], with: .fade)
        } completion: {
            isFinished = $0
        }
        page.screen.drawIfNeeded()
        #expect(!isFinished)
        for body in pending { body() }
        #expect(isFinished && table.numberOfRows(inSection: 0) == 9 && chosen == [4])
        let texts = (0..<3).map { table.cellForRow(at: path($0))?.textLabel?.text }
        #expect(texts == ["Row 90", "Row 2", "Row 3"])
    }

    @Test("A row moves with its neighbours, and one that stays changes nothing")
    func move() {
        let page = page(choosing: [])
        table.moveRow(at: path(3), to: path(3))
        controller.rows = [1, 2, 0] + Array(3..<10)
        table.moveRow(at: path(0), to: path(2))
        page.screen.drawIfNeeded()
        let texts = (0..<4).map { table.cellForRow(at: path($0))?.textLabel?.text }
        #expect(texts == ["Row 1", "Row 2", "Row 0", "Row 3"] && table.numberOfRows(inSection: 0) == 10)
    }

    @Test("Rows that are loaded again show what their data says, and no others do")
    func reload() {
        let page = page(choosing: [2])
        controller.rows[2] = 77
        controller.rows[4] = 78
        table.reloadRows(at: [path(2)], with: .automatic)
        page.screen.drawIfNeeded()
        #expect(page.texts.contains("Row 77") && !page.texts.contains("Row 78") && chosen == [2])
        #expect(table.cellForRow(at: path(2))?.isSelected == true)
        table.reloadData()
        page.screen.drawIfNeeded()
        #expect(page.texts.contains("Row 78") && chosen == nil)
    }
}
