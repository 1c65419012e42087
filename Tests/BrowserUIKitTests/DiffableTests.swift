import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Diffable data sources")
struct DiffableTests {
    private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

    @Test("A snapshot keeps items in order, each once")
    func snapshot() {
        var snapshot = Snapshot()
        snapshot.appendItems([1])
        #expect(snapshot.numberOfItems == 0)
        snapshot.appendSections(["a", "b", "a"])
        snapshot.insertSections(["c"], beforeSection: "b")
        snapshot.appendItems([1, 2, 2], toSection: "a")
        snapshot.appendItems([3, 1])
        snapshot.insertItems([4], beforeItem: 2)
        snapshot.insertItems([5], afterItem: 2)
        snapshot.insertItems([6], afterItem: 99)
        #expect(snapshot.sectionIdentifiers == ["a", "c", "b"])
        #expect(snapshot.itemIdentifiers == [1, 4, 2, 5, 3])
        snapshot.moveItem(1, afterItem: 3)
        snapshot.moveItem(1, beforeItem: 1)
        #expect(snapshot.itemIdentifiers == [4, 2, 5, 3, 1] && snapshot.sectionIdentifier(containingItem: 1) == "b")
        snapshot.deleteItems([4, 4, 99])
        snapshot.deleteSections(["b", "z"])
        #expect(snapshot.itemIdentifiers == [2, 5] && snapshot.sectionIdentifiers == ["a", "c"])
        #expect(snapshot.indexOfItem(5) == 1 && snapshot.indexOfItem(1) == nil)
        snapshot.appendItems([1], toSection: "c")
        #expect(snapshot.numberOfItems == 3 && snapshot.numberOfItems(inSection: "c") == 1)
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfItems == 0 && snapshot.numberOfSections == 0)
    }

    @Test("A table shows the items of its snapshot")
    func table() {
        let table = UITableView(frame: .zero)
        let source = UITableViewDiffableDataSource<String, Int>(tableView: table) { _, _, item in
            let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
            cell.textLabel?.text = "Item \(item)"
            return cell
        }
        let controller = UIViewController()
        controller.view.addSubview(table)
        let page = Page { controller }
        var snapshot = source.snapshot()
        snapshot.appendSections(["only"])
        snapshot.appendItems([1, 2])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(page.id(text: "Item 1") != nil && page.id(text: "Item 2") != nil)
        #expect(source.itemIdentifier(for: IndexPath(row: 1, section: 0)) == 2)
        #expect(source.itemIdentifier(for: IndexPath(row: 5, section: 9)) == nil)
        #expect(source.indexPath(for: 2) == IndexPath(row: 1, section: 0))
        snapshot.deleteItems([1])
        var isDone = false
        source.apply(snapshot, animatingDifferences: false) { isDone = true }
        page.screen.drawIfNeeded()
        #expect(isDone && page.id(text: "Item 1") == nil && page.id(text: "Item 2") != nil)
    }

    @Test("Changes lead each item that stays from its place in one snapshot to its place in another")
    func changes() throws {
        func snapshot(_ sections: [(String, [Int])]) -> NSDiffableDataSourceSnapshot<String, Int> {
            var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
            snapshot.appendSections(sections.map(\.0))
            for (section, items) in sections { snapshot.appendItems(items, toSection: section) }
            return snapshot
        }
        let old = snapshot([("a", [1, 2, 3, 4, 5]), ("b", [6, 7]), ("c", [8, 9])])
        let others = [
            snapshot([("a", [5, 4, 3, 2, 1]), ("b", [6, 7]), ("c", [8, 9])]),
            snapshot([("a", [9, 2, 20, 3, 5]), ("c", [1, 8, 21])]), snapshot([("d", [6]), ("b", [4, 7, 22])]),
            snapshot([]), snapshot([("a", [3, 1, 4, 2, 5, 9, 6, 8]), ("b", []), ("c", [7])]),
        ]
        for new in others {
            let changes = try #require(new.changes(from: old))
            for item in old.itemIdentifiers {
                let place = try #require(old.path(of: item))
                #expect(changes.place(of: place) == new.path(of: item), "\(item)")
            }
        }
        #expect(snapshot([("b", [6]), ("a", [1])]).changes(from: old) == nil)
        #expect(LongestRun(of: [3, 1, 4, 2, 5]).indices.count == 3 && LongestRun(of: []).indices.isEmpty)
    }

    @Test("Cells of items that stay are kept in a table, and no other is asked for")
    func keptCells() throws {
        let table = UITableView(frame: .zero)
        table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
        var asked: [Int] = []
        let source = UITableViewDiffableDataSource<String, Int>(tableView: table) { view, path, item in
            asked.append(item)
            return view.dequeueReusableCell(withIdentifier: "row", for: path)
        }
        let controller = UIViewController()
        controller.view.addSubview(table)
        let page = Page { controller }
        var snapshot = source.snapshot()
        snapshot.appendSections(["only"])
        snapshot.appendItems([1, 2, 3])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        let cell = try #require(table.cellForRow(at: IndexPath(row: 2, section: 0)))
        asked = []
        snapshot.deleteItems([1])
        snapshot.moveItem(3, beforeItem: 2)
        snapshot.appendItems([4])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(asked == [4] && table.cellForRow(at: IndexPath(row: 0, section: 0)) === cell)
        #expect(table.numberOfRows(inSection: 0) == 3)
    }

    @Test("A subclass of the data source of a table says what stands above and below sections")
    func titles() {
        final class Titled: UITableViewDiffableDataSource<String, Int> {
            override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
                sectionIdentifier(for: section)
            }

            override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
                "The end of \(section)"
            }
        }
        let table = UITableView(frame: .zero)
        let source = Titled(tableView: table) { _, _, _ in UITableViewCell(style: .default, reuseIdentifier: nil) }
        let controller = UIViewController()
        controller.view.addSubview(table)
        let page = Page { controller }
        var snapshot = source.snapshot()
        snapshot.appendSections(["Fruit"])
        snapshot.appendItems([1])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(page.id(text: "Fruit") != nil && page.id(text: "The end of 0") != nil)
    }

    @Test("Items that are equal by their ids take the place of those that were shown")
    func equalItems() {
        struct Person: Hashable {
            let id: Int
            var name: String
            static func == (one: Self, other: Self) -> Bool { one.id == other.id }
            func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }
        func snapshot(_ name: String) -> NSDiffableDataSourceSnapshot<String, Person> {
            var snapshot = NSDiffableDataSourceSnapshot<String, Person>()
            snapshot.appendSections(["only"])
            snapshot.appendItems([Person(id: 1, name: name)])
            snapshot.reloadItems([Person(id: 1, name: name)])
            return snapshot
        }
        let table = UITableView(frame: .zero)
        let rows = UITableViewDiffableDataSource<String, Person>(tableView: table) { _, _, person in
            let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
            cell.textLabel?.text = person.name
            return cell
        }
        let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        let items = UICollectionViewDiffableDataSource<String, Person>(collectionView: collection) { _, _, _ in
            UICollectionViewCell()
        }
        let controller = UIViewController()
        controller.view.addSubview(table)
        let page = Page { controller }
        for name in ["Ann", "Beth"] {
            rows.apply(snapshot(name))
            items.apply(snapshot(name))
            page.screen.drawIfNeeded()
            #expect(page.id(text: name) != nil)
            #expect(rows.snapshot().itemIdentifiers.map(\.name) == [name])
            #expect(items.itemIdentifier(for: IndexPath(item: 0, section: 0))?.name == name)
        }
        #expect(page.id(text: "Ann") == nil)
    }

    @Test("A collection shows items as their registration says")
    func collection() {
        final class TextCell: UICollectionViewCell {
            let label = UILabel()
        }
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 100, height: 40)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let registration = UICollectionView.CellRegistration<TextCell, Int> { cell, path, item in
            cell.label.text = "Item \(item) at \(path.item)"
            if cell.label.superview == nil { cell.contentView.addSubview(cell.label) }
        }
        let source = UICollectionViewDiffableDataSource<Int, Int>(collectionView: collection) {
            collection,
            path,
            item in
            collection.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
        }
        let controller = UIViewController()
        controller.view.addSubview(collection)
        let page = Page { controller }
        var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems([7, 8])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(page.id(text: "Item 8 at 1") != nil)
        #expect(source.indexPath(for: 7)?.item == 0 && source.sectionIdentifier(for: 1) == nil)
    }
}

@MainActor
@Suite("Cells that are brought up to date")
struct ReconfiguringTests {
    /// Gives rows their numbers, and counts how often each was asked for.
    private final class Source: NSObject, UITableViewDataSource {
        var numbers = [1, 2, 3]
        var makesAnew = false
        var asked: [Int] = []

        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { numbers.count }

        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            asked.append(indexPath.row)
            let cell =
                makesAnew
                ? UITableViewCell(style: .default, reuseIdentifier: "row")
                : tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
            cell.textLabel?.text = "Number \(numbers[indexPath.row])"
            return cell
        }
    }

    @Test("stay where they are in a table, also among rows that move")
    func rows() throws {
        let (table, source) = (UITableView(frame: .zero), Source())
        table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
        table.dataSource = source
        let controller = UIViewController()
        controller.view.addSubview(table)
        let page = Page { controller }
        let place = IndexPath(row: 1, section: 0)
        let cell = try #require(table.cellForRow(at: place))
        (source.numbers, source.asked) = ([1, 20, 3], [])
        table.reconfigureRows(at: [place, IndexPath(row: 99, section: 0)])
        page.screen.drawIfNeeded()
        #expect(source.asked == [1] && table.cellForRow(at: place) === cell && page.id(text: "Number 20") != nil)
        (source.numbers, source.asked) = ([21, 3], [])
        table.performBatchUpdates {
            table.reconfigureRows(at: [place])
            table.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .none)
        }
        page.screen.drawIfNeeded()
        #expect(source.asked == [0] && table.cellForRow(at: IndexPath(row: 0, section: 0)) === cell)
        #expect(page.id(text: "Number 21") != nil && page.id(text: "Number 1") == nil)
        source.makesAnew = true
        table.reconfigureRows(at: [IndexPath(row: 0, section: 0)])
        page.screen.drawIfNeeded()
        #expect(table.cellForRow(at: IndexPath(row: 0, section: 0)) !== cell)
    }

    @Test("stay where they are where a snapshot of the same items says so")
    func snapshots() throws {
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 100, height: 40)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        var names = [1: "one", 2: "two"]
        var asked: [Int] = []
        let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Int> { cell, _, item in
            asked.append(item)
            var content = UIListContentConfiguration.cell()
            content.text = names[item]
            cell.contentConfiguration = content
        }
        let source = UICollectionViewDiffableDataSource<Int, Int>(collectionView: collection) { view, path, item in
            view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
        }
        let controller = UIViewController()
        controller.view.addSubview(collection)
        let page = Page { controller }
        var snapshot = source.snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems([1, 2])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        let cell = try #require(collection.cellForItem(at: IndexPath(row: 1, section: 0)))
        (names[2], asked) = ("second", [])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(asked.isEmpty)
        snapshot.reconfigureItems([2, 9])
        #expect(snapshot.reconfiguredItemIdentifiers == [2])
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(asked == [2] && page.id(text: "second") != nil)
        #expect(collection.cellForItem(at: IndexPath(row: 1, section: 0)) === cell)
        #expect(source.snapshot().reconfiguredItemIdentifiers.isEmpty)
        asked = []
        source.applySnapshotUsingReloadData(snapshot)
        page.screen.drawIfNeeded()
        #expect(asked == [1, 2])
        snapshot.reloadSections([0, 5])
        asked = []
        source.apply(snapshot)
        page.screen.drawIfNeeded()
        #expect(asked == [1, 2] && snapshot.reloadedSectionIdentifiers == [0])
    }

    @Test("A section moves with its items, before or after another")
    func sections() {
        var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
        snapshot.appendSections([1, 2, 3])
        for section in [1, 2, 3] { snapshot.appendItems(["\(section)a", "\(section)b"], toSection: section) }
        snapshot.moveSection(1, afterSection: 3)
        #expect(snapshot.sectionIdentifiers == [2, 3, 1])
        snapshot.moveSection(1, beforeSection: 3)
        #expect(snapshot.itemIdentifiers == ["2a", "2b", "1a", "1b", "3a", "3b"])
        snapshot.moveSection(2, beforeSection: 2)
        snapshot.moveSection(9, beforeSection: 2)
        snapshot.moveSection(2, afterSection: 9)
        #expect(snapshot.sectionIdentifiers == [2, 1, 3])
    }
}
