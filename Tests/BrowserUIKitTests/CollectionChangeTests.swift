import Foundation
import Testing

@testable import BrowserUIKit

/// Shows sections of items, and notes which cells it is asked for and which have left.
@MainActor
private final class Tiles: UIViewController, UICollectionViewDataSource, UICollectionViewDelegate {
    let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    var tiles = [["a", "b", "c"], ["d"]]
    var asked: [String] = []
    var ended: [IndexPath] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        collection.dataSource = self
        collection.delegate = self
        collection.allowsMultipleSelection = true
        collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "tile")
        view.addSubview(collection)
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { tiles.count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        tiles[section].count
    }

    func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        asked.append(tiles[indexPath.section][indexPath.item])
        return collectionView.dequeueReusableCell(withReuseIdentifier: "tile", for: indexPath)
    }

    func collectionView(
        _ collectionView: UICollectionView,
        didEndDisplaying cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath
    ) {
        ended.append(indexPath)
    }
}

@MainActor
@Suite("Changes of a collection")
struct CollectionChangeTests {
    private let tiles = Tiles()
    private let page: Page

    init() {
        let tiles = tiles
        page = Page { tiles }
        (tiles.asked, tiles.ended) = ([], [])
    }

    private var collection: UICollectionView { tiles.collection }
    private var chosen: [IndexPath] { collection.indexPathsForSelectedItems ?? [] }

    private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

    private func choose(_ paths: [IndexPath]) {
        for path in paths { collection.selectItem(at: path, animated: false, scrollPosition: []) }
    }

    @Test("Numbers and places are those after a reload as soon as it is asked for")
    func reloaded() {
        #expect(collection.numberOfSections == 2 && collection.numberOfItems(inSection: 0) == 3)
        tiles.tiles = [["a"], ["b"], ["c", "d"]]
        #expect(collection.numberOfSections == 2)
        collection.reloadData()
        #expect(collection.numberOfSections == 3 && collection.numberOfItems(inSection: 2) == 2)
        #expect(collection.numberOfItems(inSection: 3) == 0 && collection.numberOfItems(inSection: -1) == 0)
        tiles.tiles = [["a", "b"]]
        collection.reloadData()
        #expect(collection.numberOfItems(inSection: 0) == 2)
        #expect(collection.layoutAttributesForItem(at: path(1)) != nil)
        #expect(collection.layoutAttributesForItem(at: path(0, 2)) == nil)
    }

    @Test("Items that stay keep their cells and stay chosen while others come and go")
    func staying() throws {
        choose([path(1), path(2)])
        let cell = try #require(collection.cellForItem(at: path(1)))
        tiles.tiles[0] = ["x", "b"]
        collection.performBatchUpdates {
            collection.insertItems(at: [path(0)])
            collection.deleteItems(at: [path(0), path(2)])
        }
        page.screen.drawIfNeeded()
        #expect(collection.cellForItem(at: path(1)) === cell && cell.isSelected && chosen == [path(1)])
        #expect(tiles.asked == ["x"] && tiles.ended == [path(0), path(2)])
    }

    @Test("An item that moves takes its cell and its choice along")
    func moving() throws {
        choose([path(0)])
        let cell = try #require(collection.cellForItem(at: path(0)))
        tiles.tiles = [["b", "c"], ["d", "a"]]
        collection.moveItem(at: path(0), to: path(1, 1))
        page.screen.drawIfNeeded()
        #expect(collection.cellForItem(at: path(1, 1)) === cell && chosen == [path(1, 1)] && tiles.asked.isEmpty)
        #expect(collection.numberOfItems(inSection: 0) == 2 && collection.numberOfItems(inSection: 1) == 2)
    }

    @Test("Sections come, go and move, with what lies in them")
    func sections() throws {
        choose([path(0, 1)])
        let cell = try #require(collection.cellForItem(at: path(0, 1)))
        tiles.tiles.insert(["x"], at: 0)
        collection.insertSections([0])
        #expect(chosen == [path(0, 2)])
        tiles.tiles = [["d"], ["x"], ["a", "b", "c"]]
        collection.moveSection(2, toSection: 0)
        tiles.tiles.removeLast()
        collection.deleteSections([2])
        page.screen.drawIfNeeded()
        #expect(collection.cellForItem(at: path(0)) === cell && chosen == [path(0)] && tiles.asked == ["x"])
        tiles.tiles[0] = ["e", "f"]
        collection.reloadSections([0])
        page.screen.drawIfNeeded()
        #expect(chosen.isEmpty && collection.numberOfItems(inSection: 0) == 2 && tiles.asked == ["x", "e", "f"])
    }

    @Test("An update without changes asks for no cell, and leaves what is chosen")
    func nothing() {
        choose([path(2)])
        collection.performBatchUpdates(nil)
        page.screen.drawIfNeeded()
        #expect(tiles.asked.isEmpty && chosen == [path(2)])
    }

    @Test("An update says that it is over when it has been shown, and at once only without animations")
    func completion() {
        let clock = AnimationTime.wait
        defer { AnimationTime.wait = clock }
        var pending: [@MainActor () -> Void] = []
        AnimationTime.wait = { _, body in pending.append(body) }
        var ends: [Bool] = []
        collection.performBatchUpdates(nil) { ends.append($0) }
        #expect(ends.isEmpty)
        for body in pending { body() }
        #expect(ends == [true])
        UIView.performWithoutAnimation { collection.performBatchUpdates(nil) { ends.append($0) } }
        #expect(ends == [true, true])
    }

    @Test("A tap chooses an item where there is no delegate, too")
    func noDelegate() throws {
        collection.delegate = nil
        collection.allowsMultipleSelection = false
        collection.reloadData()
        page.screen.drawIfNeeded()
        page.tap(try #require(collection.cellForItem(at: path(1))).nodeID)
        #expect(chosen == [path(1)])
        page.tap(try #require(collection.cellForItem(at: path(2))).nodeID)
        #expect(chosen == [path(2)])
    }

    @Test("Items that were not announced end the process, as in UIKit")
    func wrong() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let tiles = Tiles()
                let page = Page { tiles }
                tiles.tiles[0].append("x")
                tiles.collection.insertItems(at: [IndexPath(item: 0, section: 1)])
                page.screen.drawIfNeeded()
            }
        }
    }
}
