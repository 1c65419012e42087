import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Swipes over rows")
struct SwipeTests {
    /// Has actions at both ends of rows, and says nothing of which can be edited.
    private final class Mails: UITableViewController {
        var done: [String] = []

        private func action(_ title: String, _ path: IndexPath) -> UIContextualAction {
            UIContextualAction(style: .normal, title: title) { [weak self] _, _, end in
                self?.done.append("\(title) \(path.row)")
                end(true)
            }
        }

        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

        override func tableView(
            _ tableView: UITableView,
            leadingSwipeActionsConfigurationForRowAt indexPath: IndexPath
        ) -> UISwipeActionsConfiguration? {
            UISwipeActionsConfiguration(actions: [action("Unread", indexPath)])
        }

        override func tableView(
            _ tableView: UITableView,
            trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
        ) -> UISwipeActionsConfiguration? {
            guard indexPath.row == 0 else { return nil }
            let actions = ["Archive", "Flag"].map { action($0, indexPath) }
            let configuration = UISwipeActionsConfiguration(actions: actions)
            configuration.performsFirstActionWithFullSwipe = false
            return configuration
        }
    }

    @Test("uncover the actions of either end, several side by side")
    func sides() throws {
        let controller = Mails(style: .plain)
        let page = Page { controller }
        let table = try #require(controller.tableView)
        let cells = try (0..<2).map { try #require(table.cellForRow(at: IndexPath(row: $0, section: 0))) }
        let (first, second) = (cells[0].nodeID, cells[1].nodeID)
        #expect(page.elements[first]?.attributes["data-swipe"] == "part")
        #expect(page.elements[first]?.attributes["data-swipe-leading"] == "full")
        #expect(page.elements[first]?.style["--swipes"] == "2" && page.elements[first]?.style["--leads"] == nil)
        #expect(page.elements["\(first).swipe1"]?.style["--place"] == "1")
        #expect(page.elements["\(first).lead0"]?.attributes["class"] == "swipe leading")
        // Nothing is said of deletion, so none is offered.
        #expect(page.elements[second]?.attributes["data-swipe"] == nil)
        for part in ["lead0", "swipe1", "lead1", "swipe"] { page.tap("\(first).\(part)") }
        page.tap("\(second).lead0")
        #expect(controller.done == ["Unread 0", "Flag 0", "Unread 1"])
    }

    @Test("have both ends in lists, too")
    func lists() throws {
        var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
        var done: [IndexPath] = []
        configuration.leadingSwipeActionsConfigurationProvider = { path in
            guard path.item == 0 else { return nil }
            let pin = UIContextualAction(style: .normal, title: "Pin") { _, _, end in
                done.append(path)
                end(true)
            }
            return UISwipeActionsConfiguration(actions: [pin])
        }
        let layout = UICollectionViewCompositionalLayout.list(using: configuration)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Int> { _, _, _ in }
        let source = UICollectionViewDiffableDataSource<Int, Int>(collectionView: collection) {
            $0.dequeueConfiguredReusableCell(using: registration, for: $1, item: $2)
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0])
        snapshot.appendItems([1, 2])
        source.apply(snapshot)
        let page = Page {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
        let cells = try (0..<2).map { try #require(collection.cellForItem(at: IndexPath(item: $0, section: 0))) }
        #expect(page.elements[cells[0].nodeID]?.attributes["data-swipe-leading"] == "full")
        #expect(page.elements[cells[1].nodeID]?.attributes["data-swipe-leading"] == nil)
        page.tap("\(cells[0].nodeID).lead0")
        page.tap("\(cells[1].nodeID).lead0")
        #expect(done == [IndexPath(item: 0, section: 0)])
    }
}
