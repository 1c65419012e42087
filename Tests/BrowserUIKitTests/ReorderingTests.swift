import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("A list that is edited")
struct ReorderingTests {
    private final class Judge: NSObject, UICollectionViewDelegate {
        /// The place that items are moved to in place of the proposed one.
        var target: IndexPath?

        func collectionView(
            _ collectionView: UICollectionView,
            targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
            atCurrentIndexPath currentIndexPath: IndexPath,
            toProposedIndexPath proposedIndexPath: IndexPath
        ) -> IndexPath { target ?? proposedIndexPath }
    }

    private typealias Source = UICollectionViewDiffableDataSource<Int, String>

    private let collection: UICollectionView
    private let source: Source
    private let judge = Judge()
    private let page: Page

    init() {
        let layout = UICollectionViewCompositionalLayout.list(using: .init(appearance: .insetGrouped))
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let registration = UICollectionView.CellRegistration<UICollectionViewListCell, String> { cell, _, text in
            var content = cell.defaultContentConfiguration()
            content.text = text
            cell.contentConfiguration = content
            cell.accessories = [.delete(), .reorder(), .disclosureIndicator(displayed: .whenNotEditing)]
        }
        source = Source(collectionView: collection) {
            $0.dequeueConfiguredReusableCell(using: registration, for: $1, item: $2)
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
        snapshot.appendSections([0, 1])
        snapshot.appendItems(["a", "b", "c"], toSection: 0)
        snapshot.appendItems(["d"], toSection: 1)
        source.apply(snapshot)
        collection.delegate = judge
        page = Page {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
        self.collection = collection
    }

    private func cell(_ section: Int, _ item: Int) throws -> UICollectionViewCell {
        try #require(collection.cellForItem(at: IndexPath(item: item, section: section)))
    }

    private func move(_ cell: UICollectionViewCell, to other: UICollectionViewCell, isAfter: Bool) {
        page.report(#"{"i":"\#(cell.nodeID).accessory1","k":"reorder","t":"\#(other.nodeID)","f":\#(isAfter)}"#)
    }

    private var items: [[String]] { [0, 1].map { source.snapshot().itemIdentifiers(inSection: $0) } }

    @Test("shows the controls of its rows, and moves those that the handlers let be moved")
    func handlers() throws {
        #expect(page.elements(class: "edit-control").isEmpty && page.elements(class: "more").count == 4)
        var steps: [[String]] = []
        source.reorderingHandlers.canReorderItem = { $0 != "b" }
        source.reorderingHandlers.willReorder = { steps.append($0.initialSnapshot.itemIdentifiers) }
        source.reorderingHandlers.didReorder = { steps.append($0.finalSnapshot.itemIdentifiers) }
        collection.isEditing = true
        page.screen.drawIfNeeded()
        #expect(page.elements(class: "delete").count == 4 && page.elements(class: "more").isEmpty)
        #expect(page.elements(class: "reorder-control").count == 3)
        let first = try cell(0, 0)
        #expect(first.configurationState.isEditing)
        move(first, to: try cell(0, 2), isAfter: true)
        #expect(try cell(0, 2) === first)
        #expect(items == [["b", "c", "a"], ["d"]])
        #expect(steps == [["a", "b", "c", "d"], ["b", "c", "a", "d"]])
        move(first, to: try cell(1, 0), isAfter: true)
        #expect(items == [["b", "c"], ["d", "a"]])
        #expect(collection.numberOfItems(inSection: 1) == 2)
        move(try cell(0, 0), to: try cell(1, 0), isAfter: false)
        #expect(items == [["b", "c"], ["d", "a"]])
    }

    @Test("leaves it to the delegate where an item goes, and moves none to a place that there is not")
    func targets() throws {
        source.reorderingHandlers.canReorderItem = { _ in true }
        collection.isEditing = true
        judge.target = IndexPath(item: 1, section: 0)
        move(try cell(0, 0), to: try cell(0, 2), isAfter: true)
        #expect(items == [["b", "a", "c"], ["d"]])
        for wrong in [IndexPath(item: 9, section: 0), IndexPath(item: 0, section: 9), IndexPath(item: -1, section: 1)] {
            judge.target = wrong
            move(try cell(0, 0), to: try cell(0, 2), isAfter: true)
        }
        #expect(items == [["b", "a", "c"], ["d"]])
    }

    @Test("does what its controls say, and lets several rows be chosen by circles")
    func controls() throws {
        var done: [String] = []
        let row = try #require(try cell(0, 1) as? UICollectionViewListCell)
        row.accessories = [
            .delete(displayed: .always, actionHandler: { done.append("delete") }), .insert { done.append("insert") },
            .multiselect(),
        ]
        collection.allowsMultipleSelectionDuringEditing = true
        collection.isEditing = true
        page.screen.drawIfNeeded()
        for number in 0..<4 { page.tap("\(row.nodeID).accessory\(number)") }
        #expect(done == ["delete", "insert"])
        #expect(collection.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
        #expect(page.elements["\(row.nodeID).accessory2"]?.attributes["aria-checked"] == "true")
        collection.isEditing = false
        page.screen.drawIfNeeded()
        #expect(collection.indexPathsForSelectedItems == nil)
        #expect(page.elements["\(row.nodeID).accessory0"] != nil)
        #expect(page.elements["\(row.nodeID).accessory1"] == nil)
    }

    @Test("lets items be chosen as soon as it says so, also while it is edited")
    func choosingLater() throws {
        collection.isEditing = true
        page.screen.drawIfNeeded()
        page.tap(try cell(0, 0).nodeID)
        #expect(collection.indexPathsForSelectedItems == nil)
        collection.allowsSelectionDuringEditing = true
        page.screen.drawIfNeeded()
        page.tap(try cell(0, 0).nodeID)
        #expect(collection.indexPathsForSelectedItems == [IndexPath(item: 0, section: 0)])
    }
}
