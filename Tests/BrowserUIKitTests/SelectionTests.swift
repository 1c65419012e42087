import Foundation
import Testing

@testable import BrowserUIKit

/// Shows three items, and writes down what the user does with them.
@MainActor
private final class Shelf: UIViewController, UICollectionViewDataSource, UICollectionViewDelegate {
    let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    var calls: [String] = []
    var refused: Set<Int> = []
    var held: Set<Int> = []
    var menu: UIMenu?

    override func viewDidLoad() {
        super.viewDidLoad()
        collection.dataSource = self
        collection.delegate = self
        collection.register(Book.self, forCellWithReuseIdentifier: "book")
        view.addSubview(collection)
    }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 3 }

    func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        collectionView.dequeueReusableCell(withReuseIdentifier: "book", for: indexPath)
    }

    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        !refused.contains(indexPath.item)
    }

    func collectionView(_ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
        !held.contains(indexPath.item)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        calls.append("+\(indexPath.item)")
    }

    func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {
        calls.append("-\(indexPath.item)")
    }

    func collectionView(
        _ collectionView: UICollectionView,
        contextMenuConfigurationForItemAt indexPath: IndexPath,
        point: CGPoint
    ) -> UIContextMenuConfiguration? {
        menu.map { menu in UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in menu } }
    }
}

private final class Book: UICollectionViewCell {
    var states: [UICellConfigurationState] = []
    var places: [CGRect] = []

    override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
        states.append(state)
    }

    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
        super.apply(layoutAttributes)
        places.append(layoutAttributes.frame)
    }
}

@MainActor
@Suite("Items that are chosen")
struct SelectionTests {
    private let shelf = Shelf()
    private let page: Page

    init() {
        let shelf = shelf
        page = Page { shelf }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }
    private func book(_ item: Int) throws -> Book {
        try #require(shelf.collection.cellForItem(at: path(item)) as? Book)
    }
    private func tap(_ item: Int) throws { page.tap(try book(item).nodeID) }
    private var chosen: [Int] { (shelf.collection.indexPathsForSelectedItems ?? []).map(\.item) }

    @Test("are one at a time: another takes its place, and the delegate is told of both")
    func single() throws {
        shelf.refused = [2]
        try tap(0)
        try tap(1)
        try tap(2)
        try tap(1)
        #expect(shelf.calls == ["+0", "-0", "+1", "+1"] && chosen == [1])
        #expect(try book(1).isSelected && !book(0).isSelected)
        shelf.collection.deselectItem(at: path(1), animated: false)
        #expect(shelf.collection.indexPathsForSelectedItems == nil && shelf.calls.count == 4)
    }

    @Test("are several where the collection lets them be, until they are tapped again")
    func several() throws {
        shelf.collection.allowsMultipleSelection = true
        shelf.held = [1]
        for item in [0, 1, 0, 1] { try tap(item) }
        #expect(shelf.calls == ["+0", "+1", "-0"] && chosen == [1])
    }

    @Test("are chosen by the app without a word to the delegate")
    func programmatic() throws {
        let collection = shelf.collection
        collection.selectItem(at: path(0), animated: false, scrollPosition: .top)
        collection.selectItem(at: path(2), animated: false, scrollPosition: [])
        #expect(chosen == [2] && shelf.calls.isEmpty)
        collection.allowsSelection = false
        collection.selectItem(at: path(1), animated: false, scrollPosition: [])
        #expect(chosen == [2])
        collection.allowsSelection = true
        collection.selectItem(at: nil, animated: false, scrollPosition: [])
        #expect(chosen.isEmpty)
    }

    @Test("stay chosen in another cell, and none is after all were asked for again")
    func reuse() throws {
        shelf.collection.selectItem(at: path(1), animated: false, scrollPosition: [])
        shelf.collection.reloadItems(at: [path(0), path(1)])
        page.screen.drawIfNeeded()
        #expect(try book(1).isSelected && !book(0).isSelected)
        shelf.collection.reloadData()
        page.screen.drawIfNeeded()
        #expect(try chosen.isEmpty && !book(1).isSelected)
    }

    @Test("tell their cells, once a state, and cells are told of their places")
    func states() throws {
        let book = try book(0)
        #expect(book.states.count == 1 && !book.states[0].isSelected && book.places.count == 1)
        var handled: [Bool] = []
        book.configurationUpdateHandler = { _, state in handled.append(state.isSelected) }
        try tap(0)
        #expect(book.states.map(\.isSelected) == [false, false, true] && handled == [false, true])
        book.contentView.backgroundColor = .red
        page.screen.drawIfNeeded()
        #expect(book.states.count == 3)
        var environment = BrowserEnvironment()
        environment.isDark = true
        page.screen.change(to: environment)
        page.screen.drawIfNeeded()
        #expect(book.states.count == 4 && book.states[3].traitCollection.userInterfaceStyle == .dark)
        var background = UIBackgroundConfiguration.clear()
        background.backgroundColor = .green
        book.backgroundConfiguration = background
        page.screen.drawIfNeeded()
        #expect(page.elements["\(book.nodeID).background"]?.style["background-color"] == UIColor.green.css)
        #expect(page.elements[book.nodeID]?.children.first == "\(book.nodeID).background")
    }

    @Test("A long press on an item opens its menu, where the delegate gives menus")
    func menus() throws {
        shelf.menu = UIMenu(children: [UIAction(title: "Copy") { _ in }])
        let cell = try book(1)
        #expect(page.elements[cell.nodeID]?.attributes["data-hold"] == "500")
        page.report(#"{"i":"\#(cell.nodeID)","k":"hold","p":"moved","b":true,"x":1,"y":5,"sx":1,"sy":5}"#)
        page.screen.drawIfNeeded()
        #expect(page.texts.contains("Copy"))
    }

    @Test("follow their items where a snapshot moves them")
    func snapshots() {
        let collection = shelf.collection
        let source = UICollectionViewDiffableDataSource<Int, String>(collectionView: collection) { view, path, _ in
            view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
        }
        func show(_ items: [String]) {
            var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
            snapshot.appendSections([0])
            snapshot.appendItems(items)
            source.apply(snapshot)
            page.screen.drawIfNeeded()
        }
        show(["a", "b", "c"])
        collection.allowsMultipleSelection = true
        for item in [1, 2] { collection.selectItem(at: path(item), animated: false, scrollPosition: []) }
        show(["b", "d", "a"])
        #expect(chosen == [0])
        source.applySnapshotUsingReloadData(source.snapshot())
        #expect(chosen.isEmpty)
    }

    @Test("Cells of tables tell of their states, too")
    func rows() {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        let controller = UIViewController()
        controller.view.addSubview(cell)
        let page = Page { controller }
        var states: [String] = []
        cell.configurationUpdateHandler = { cell, state in
            states.append("\(state.isSelected) \(state.isEditing) \(cell.isSelected)")
        }
        page.screen.drawIfNeeded()
        cell.isSelected = true
        cell.isSelected = true
        page.screen.drawIfNeeded()
        cell.setEditing(true, animated: false)
        page.screen.drawIfNeeded()
        #expect(states == ["false false false", "true false true", "true true true"])
    }

    @Test("Places are told from one view to another, by frames, rows and items")
    func places() throws {
        let (box, inner) = (UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 100)), UIView())
        inner.frame = CGRect(x: 1, y: 2, width: 5, height: 5)
        box.addSubview(inner)
        shelf.view.addSubview(box)
        #expect(inner.convert(CGPoint(x: 3, y: 4), to: box) == CGPoint(x: 4, y: 6))
        #expect(inner.convert(CGPoint(x: 3, y: 4), to: nil) == CGPoint(x: 14, y: 26))
        #expect(inner.convert(CGPoint.zero, from: nil) == CGPoint(x: -11, y: -22))
        let rect = CGRect(x: 0, y: 0, width: 5, height: 5)
        #expect(box.convert(rect, from: inner) == CGRect(x: 1, y: 2, width: 5, height: 5))
        #expect(inner.convert(rect, to: shelf.view) == CGRect(x: 11, y: 22, width: 5, height: 5))
        let (third, collection) = (try book(2), shelf.collection)
        let frame = try #require(collection.layoutAttributesForItem(at: path(2))?.frame)
        let button = UIButton(type: .system)
        third.contentView.addSubview(button)
        #expect(frame.minX > 0 && button.convert(CGPoint.zero, to: collection) == frame.origin)
        let insets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(frame.inset(by: insets).size == CGSize(width: 44, height: 46))
    }
}
