import Foundation
import Testing

@testable import BrowserUIKit

/// Shows sections of rows, and notes what it is asked.
@MainActor
private final class Shelves: UITableViewController {
    var shelves: [[String]]
    var heights: [String: CGFloat] = [:]
    var asked: [String] = []
    var counts: [Int] = []

    init(_ shelves: [[String]]) {
        self.shelves = shelves
        super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(ForgetfulCell.self, forCellReuseIdentifier: "row")
    }

    override func numberOfSections(in tableView: UITableView) -> Int { shelves.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        shelves[section].count
    }

    override func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        counts.append(tableView.numberOfRows(inSection: indexPath.section))
        return heights[shelves[indexPath.section][indexPath.row]] ?? 40
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let text = shelves[indexPath.section][indexPath.row]
        asked.append(text)
        let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
        cell.textLabel?.text = text
        return cell
    }
}

/// Doesn't hand `prepareForReuse()` on.
private final class ForgetfulCell: UITableViewCell {
    override func prepareForReuse() {}
}

@MainActor
@Suite("Changes of a table")
struct TableChangeTests {
    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    private func chosen(_ table: UITableView) -> [IndexPath] { table.indexPathsForSelectedRows ?? [] }

    @Test("Places and numbers are those after a reload as soon as it is asked for")
    func reloaded() throws {
        let shelves = Shelves([["a", "b"]])
        _ = Page { shelves }
        let table = try #require(shelves.tableView)
        shelves.shelves = [["a", "b", "c"], ["d"]]
        table.reloadData()
        #expect(table.rectForRow(at: path(2)) == CGRect(x: 0, y: 80, width: table.bounds.width, height: 40))
        shelves.shelves = [["a"], ["b"]]
        table.reloadData()
        #expect(table.rect(forSection: 1).minY == 40 && table.indexPathForRow(at: CGPoint(x: 0, y: 45)) == path(0, 1))
    }

    @Test("The delegate may ask how many rows there are while it says how high they are")
    func asking() {
        let shelves = Shelves([["a", "b"]])
        let page = Page { shelves }
        #expect(!shelves.counts.isEmpty && shelves.counts.allSatisfy { $0 == 2 })
        shelves.counts = []
        shelves.shelves[0].append("c")
        shelves.tableView.insertRows(at: [path(2)], with: .none)
        page.screen.drawIfNeeded()
        #expect(!shelves.counts.isEmpty && shelves.counts.allSatisfy { $0 == 3 })
    }

    @Test("Rows that come have heights of their own before they are shown")
    func heights() {
        let shelves = Shelves([["a"]])
        _ = Page { shelves }
        shelves.heights = ["b": 60, "c": 100]
        shelves.shelves[0] = ["b", "c", "a"]
        shelves.tableView.insertRows(at: [path(0), path(1)], with: .none)
        #expect(shelves.tableView.rectForRow(at: path(1)).minY == 60)
        #expect(shelves.tableView.rectForRow(at: path(2)).minY == 160)
    }

    @Test("An empty update asks for the heights of cells again, by which rows unfold, and asks for no cell")
    func unfolding() throws {
        let shelves = Shelves([["a", "b"]])
        let page = Page { shelves }
        let table = try #require(shelves.tableView)
        let cell = try #require(table.cellForRow(at: path(0)))
        (shelves.heights["a"], shelves.asked) = (90, [])
        table.beginUpdates()
        table.endUpdates()
        page.screen.drawIfNeeded()
        #expect(table.rectForRow(at: path(1)).minY == 90 && page.elements[cell.nodeID]?.style["height"] == "90px")
        #expect(shelves.asked.isEmpty)
    }

    @Test("A row that moves takes its cell, its height and its choice along")
    func moving() throws {
        let shelves = Shelves([["a", "b"], ["c"]])
        shelves.heights["a"] = 70
        let page = Page { shelves }
        let table = try #require(shelves.tableView)
        table.selectRow(at: path(0), animated: false, scrollPosition: .none)
        let cell = try #require(table.cellForRow(at: path(0)))
        shelves.asked = []
        shelves.shelves = [["b"], ["c", "a"]]
        table.moveRow(at: path(0), to: path(1, 1))
        page.screen.drawIfNeeded()
        #expect(table.cellForRow(at: path(1, 1)) === cell && shelves.asked.isEmpty && chosen(table) == [path(1, 1)])
        #expect(table.rectForRow(at: path(1, 1)).height == 70 && table.numberOfRows(inSection: 0) == 1)
    }

    @Test("Rows of other sections stay chosen while sections come, go, move and are asked for again")
    func sections() throws {
        let shelves = Shelves([["a", "b"], ["c", "d"]])
        let page = Page { shelves }
        let table = try #require(shelves.tableView)
        table.allowsMultipleSelection = true
        for place in [path(1), path(1, 1)] { table.selectRow(at: place, animated: false, scrollPosition: .none) }
        shelves.shelves.insert(["x"], at: 0)
        table.insertSections([0], with: .automatic)
        #expect(chosen(table) == [path(1, 1), path(1, 2)])
        page.screen.drawIfNeeded()
        shelves.shelves = [shelves.shelves[2], shelves.shelves[0], shelves.shelves[1]]
        table.moveSection(2, toSection: 0)
        page.screen.drawIfNeeded()
        #expect(chosen(table) == [path(1), path(1, 2)] && table.cellForRow(at: path(1))?.isSelected == true)
        shelves.shelves[0] = ["c", "d", "e"]
        table.reloadSections([0], with: .automatic)
        page.screen.drawIfNeeded()
        #expect(chosen(table) == [path(1, 2)] && table.numberOfRows(inSection: 0) == 3)
        shelves.shelves.removeFirst(2)
        table.deleteSections([0, 1], with: .automatic)
        page.screen.drawIfNeeded()
        #expect(chosen(table) == [path(1)] && table.numberOfSections == 1 && page.texts.contains("b"))
    }

    @Test("A cell that doesn't prepare itself isn't chosen in a row that is not")
    func forgetful() throws {
        let shelves = Shelves([["a", "b"]])
        let page = Page { shelves }
        let table = try #require(shelves.tableView)
        table.selectRow(at: path(0), animated: false, scrollPosition: .none)
        table.reloadData()
        page.screen.drawIfNeeded()
        #expect(table.cellForRow(at: path(0))?.isSelected == false)
    }

    @Test("Rows that were to be prepared are told when they are passed over")
    func passedOver() {
        @MainActor
        final class Preparing: UITableViewDataSourcePrefetching {
            var given: [Int] = []
            var taken: [Int] = []

            func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
                given += indexPaths.map(\.row)
            }

            func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {
                taken += indexPaths.map(\.row)
            }
        }
        let (numbers, preparing) = (NumbersController(style: .plain), Preparing())
        let page = Page { numbers }
        numbers.tableView.prefetchDataSource = preparing
        page.scroll(numbers.tableView, to: 0, rowHeight: 100)
        let first = preparing.given
        page.scroll(numbers.tableView, to: 50_000, rowHeight: 100)
        #expect(first.count == UITableView.prefetchCount && preparing.taken == first)
    }

    @Test("Rows of a section that nobody named, and rows that aren't there, end the process, as in UIKit")
    func wrong() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let shelves = Shelves([["a"], ["b"]])
                let page = Page { shelves }
                shelves.shelves = [["a", "b"], ["b", "c"]]
                shelves.tableView.insertRows(at: [IndexPath(row: 1, section: 0)], with: .none)
                page.screen.drawIfNeeded()
            }
        }
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let shelves = Shelves([["a"]])
                let page = Page { shelves }
                shelves.tableView.deleteRows(at: [IndexPath(row: 7, section: 0)], with: .none)
                page.screen.drawIfNeeded()
            }
        }
    }
}

@Suite("Changes that are made as one")
struct PlaceChangesTests {
    private func path(_ row: Int, _ section: Int = 0) -> IndexPath { IndexPath(row: row, section: section) }

    @Test("say where each row is afterwards")
    func places() {
        var changes = PlaceChanges()
        #expect(changes.isEmpty && changes.place(of: path(3)) == path(3))
        changes.removed = [path(0), path(2)]
        changes.inserted = [path(1), path(3)]
        changes.moved = [path(4): path(0)]
        let places = (0..<6).map { changes.place(of: path($0))?.row }
        #expect(places == [nil, 2, nil, 4, 0, 5])
        #expect(changes.place(of: path(2, 1)) == path(2, 1))
    }

    @Test("say where each section is afterwards, and what lies in it")
    func sections() {
        var changes = PlaceChanges()
        changes.removedSections = [0]
        changes.insertedSections = [1]
        changes.movedSections = [3: 0]
        changes.reloadedSections = [2]
        #expect((0..<4).map { changes.section(of: $0) } == [nil, 2, 3, 0])
        #expect(changes.place(of: path(5, 3)) == path(5, 0) && changes.place(of: path(5, 2)) == nil)
        #expect(changes.problem(from: [1, 2, 3, 4], to: [4, 9, 2, 8]) == nil)
        #expect(changes.problem(from: [1, 2, 3, 4], to: [5, 9, 2, 8])?.hasPrefix("Section 0 has 5") == true)
        let missing = changes.problem(from: [1, 2, 3, 4], to: [4, 9, 2])
        #expect(missing == "There are 3 sections after the update, and not 4.")
    }

    @Test("say what is wrong with the numbers afterwards")
    func problems() {
        var changes = PlaceChanges()
        changes.inserted = [path(0)]
        #expect(changes.problem(from: [1], to: [2]) == nil && changes.problem(from: [1], to: [1]) != nil)
        changes.inserted = [path(9)]
        #expect(changes.problem(from: [1], to: [2])?.contains("nothing at 9") == true)
        changes.inserted = []
        changes.removed = [path(1)]
        #expect(changes.problem(from: [1], to: [0])?.contains("nothing at 1") == true)
        changes.removed = []
        changes.removedSections = [4]
        #expect(changes.problem(from: [1], to: [1]) == "There was no section 4 before the update.")
    }
}
