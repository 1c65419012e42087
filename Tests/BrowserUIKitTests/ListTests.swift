import Foundation
import Testing

@testable import BrowserUIKit

/// Has an initialiser that is not `required`, as cells of apps have.
private final class OwnCell: UITableViewCell {
    let badge = UILabel()

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        badge.text = "Own"
        contentView.addSubview(badge)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

private final class OwnItem: UICollectionViewCell {
    private(set) var isSetUp = false

    override init(frame: CGRect) {
        super.init(frame: frame)
        isSetUp = true
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

/// Shows a text of its own kind.
private struct Banner: UIContentConfiguration {
    var text: String

    func makeContentView() -> any UIView & UIContentView { BannerView(self) }
    func updated(for state: any UIConfigurationState) -> Banner { self }
}

private final class BannerView: UIView, UIContentView {
    var configuration: any UIContentConfiguration { didSet { apply() } }
    private let label = UILabel()

    init(_ configuration: Banner) {
        self.configuration = configuration
        super.init(frame: .zero)
        addSubview(label)
        apply()
    }

    required init?(coder: NSCoder) { nil }

    private func apply() {
        label.text = (configuration as? Banner)?.text
    }
}

@MainActor
@Suite("Cells and lists")
struct ListTests {
    private func page(_ view: UIView) -> Page {
        Page {
            let controller = UIViewController()
            view.translatesAutoresizingMaskIntoConstraints = false
            controller.view.addSubview(view)
            return controller
        }
    }

    @Test("Registered classes make cells without a required initialiser")
    func registered() throws {
        let table = UITableView(frame: .zero)
        table.register(OwnCell.self, forCellReuseIdentifier: "own")
        let cell = try #require(table.dequeueReusableCell(withIdentifier: "own") as? OwnCell)
        #expect(cell.badge.text == "Own" && cell.reuseIdentifier == "own")
        let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        collection.register(OwnItem.self, forCellWithReuseIdentifier: "item")
        let path = IndexPath(item: 0, section: 0)
        let item = collection.dequeueReusableCell(withReuseIdentifier: "item", for: path)
        #expect((item as? OwnItem)?.isSetUp == true && item.reuseIdentifier == "item")
    }

    @Test("A configuration exchanges the content of a cell, and keeps the view of its kind")
    func configurations() throws {
        let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
        var content = cell.defaultContentConfiguration()
        content.text = "Title"
        content.secondaryText = "Below"
        content.image = UIImage(systemName: "star")
        cell.contentConfiguration = content
        let page = page(cell)
        #expect(page.texts.sorted() == ["Below", "Title"])
        let view = try #require(cell.contentView.subviews.first)
        content.text = "Other"
        content.secondaryText = nil
        cell.contentConfiguration = content
        page.screen.drawIfNeeded()
        #expect(cell.contentView.subviews.first === view && page.texts.contains("Other"))
        cell.contentConfiguration = Banner(text: "Banner")
        page.screen.drawIfNeeded()
        #expect(cell.contentView.subviews.count == 1 && page.texts == ["Banner"])
        cell.contentConfiguration = nil
        #expect(cell.contentView.subviews.isEmpty)
    }

    @Test("A list has the looks of its kind, signs at the end of rows, and swipes")
    func list() throws {
        var deleted: [IndexPath] = []
        var configuration = UICollectionLayoutListConfiguration(appearance: .insetGrouped)
        configuration.trailingSwipeActionsConfigurationProvider = { path in
            guard path.item > 0 else { return nil }
            let delete = UIContextualAction(style: .destructive, title: "Delete") { _, _, done in
                deleted.append(path)
                done(true)
            }
            return UISwipeActionsConfiguration(actions: [delete])
        }
        let layout = UICollectionViewCompositionalLayout.list(using: configuration)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let registration = UICollectionView.CellRegistration<UICollectionViewListCell, String> { cell, _, text in
            var content = UIListContentConfiguration.valueCell()
            content.text = text
            content.secondaryText = "Value of \(text)"
            cell.contentConfiguration = content
            cell.accessories = [.disclosureIndicator(), .label(text: "Label of \(text)")]
        }
        let source = UICollectionViewDiffableDataSource<Int, String>(collectionView: collection) {
            $0.dequeueConfiguredReusableCell(using: registration, for: $1, item: $2)
        }
        var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
        snapshot.appendSections([0])
        snapshot.appendItems(["One", "Two"])
        source.apply(snapshot)
        let page = page(collection)
        #expect(page.texts.contains("Value of Two") && page.texts.contains("Label of One"))
        let cells = try [0, 1].map { item in
            try #require(collection.cellForItem(at: IndexPath(item: item, section: 0)))
        }
        let classes = cells.map { page.elements[$0.nodeID]?.attributes["class"] }
        #expect(classes[0]?.contains("list-row inset first separated") == true)
        #expect(classes[1]?.contains("list-row inset last") == true && classes[1]?.contains("separated") == false)
        #expect(page.elements["\(cells[0].nodeID).swipe0"] == nil)
        #expect(page.elements[cells[1].nodeID]?.attributes["data-swipe"] == "full")
        page.tap("\(cells[1].nodeID).swipe0")
        page.tap("\(cells[1].nodeID).swipe9")
        #expect(deleted == [IndexPath(item: 1, section: 0)])
    }

    @Test("Headers of a list are views of their own where it says so")
    func headers() {
        var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
        configuration.headerMode = .supplementary
        let layout = UICollectionViewCompositionalLayout.list(using: configuration)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Int> { _, _, _ in }
        let headers = UICollectionView.SupplementaryRegistration<UICollectionViewListCell>(
            elementKind: UICollectionView.elementKindSectionHeader
        ) { view, _, path in
            var content = UIListContentConfiguration.plainHeader()
            content.text = "Section \(path.section)"
            view.contentConfiguration = content
        }
        let source = UICollectionViewDiffableDataSource<Int, Int>(collectionView: collection) {
            $0.dequeueConfiguredReusableCell(using: cells, for: $1, item: $2)
        }
        source.supplementaryViewProvider = { $0.dequeueConfiguredReusableSupplementary(using: headers, for: $2) }
        var snapshot = NSDiffableDataSourceSnapshot<Int, Int>()
        snapshot.appendSections([0, 1])
        snapshot.appendItems([1], toSection: 0)
        source.apply(snapshot)
        let page = page(collection)
        #expect(page.texts.filter { $0.hasPrefix("Section") }.sorted() == ["Section 0", "Section 1"])
    }

    @Test("A cell has an image before its labels where the app gives one, and the colour of a chosen one")
    func image() {
        let (plain, cell) = (UITableViewCell(), UITableViewCell())
        plain.textLabel?.text = "Plain"
        cell.textLabel?.text = "Pictured"
        cell.imageView?.image = UIImage(systemName: "envelope")
        cell.selectedBackgroundView = UIView()
        cell.selectedBackgroundView?.backgroundColor = .red
        let stack = UIStackView(arrangedSubviews: [plain, cell])
        let page = page(stack)
        let id = cell.imageView?.nodeID ?? ""
        #expect(page.elements[id] != nil)
        #expect(page.id(text: "Plain") != nil && page.id(text: "Pictured") != nil)
        #expect(page.elements[cell.nodeID]?.style["background-color"] == UIColor.systemBackground.css)
        cell.setSelected(true, animated: false)
        cell.imageView?.image = nil
        page.screen.drawIfNeeded()
        #expect(page.elements[cell.nodeID]?.style["background-color"] == UIColor.red.css)
        #expect(cell.imageView?.isHidden == true)
    }

    private final class Swiping: UITableViewController {
        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 1 }
        override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

        override func tableView(
            _ tableView: UITableView,
            trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
        ) -> UISwipeActionsConfiguration? {
            let delete = UIContextualAction(style: .destructive, title: "Delete") { _, _, done in done(true) }
            delete.image = UIImage(systemName: "trash")
            return UISwipeActionsConfiguration(actions: [delete])
        }
    }

    @Test("A button that a swipe uncovers shows its image over its title, and the line below has the table's room")
    func swipeImage() throws {
        let controller = Swiping(style: .plain)
        controller.tableView.separatorInset = UIEdgeInsets(top: 0, left: 60, bottom: 0, right: 5)
        let page = Page { controller }
        let cell = try #require(controller.tableView.cellForRow(at: IndexPath(row: 0, section: 0)))
        let button = try #require(page.elements["\(cell.nodeID).swipe0"])
        #expect(button.text.isEmpty && button.children.count == 2)
        #expect(button.attributes["aria-label"] == "Delete")
        #expect(page.elements[button.children[1]]?.text == "Delete")
        #expect(page.elements[cell.nodeID]?.style["--separator"] == "60px 5px")
    }

    @Test("Lines under and through text are drawn where the text has them")
    func lines() throws {
        let text = NSMutableAttributedString(
            string: "new",
            attributes: [.underlineStyle: NSUnderlineStyle.single.rawValue, .strikethroughStyle: 1]
        )
        text.append(NSAttributedString(string: "old", attributes: [.underlineStyle: 0]))
        let label = UILabel()
        label.attributedText = text
        let page = page(label)
        #expect(page.elements[try #require(page.id(text: "new"))]?.style["text-decoration"] == "underline line-through")
        #expect(page.elements[try #require(page.id(text: "old"))]?.style["text-decoration"] == nil)
    }

    private final class Items: NSObject, UICollectionViewDataSource, UICollectionViewDataSourcePrefetching {
        var (asked, cancelled) = ([Int](), [Int]())

        func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 100 }

        func collectionView(
            _ collectionView: UICollectionView,
            cellForItemAt indexPath: IndexPath
        ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }

        func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
            asked += indexPaths.map(\.item)
        }

        func collectionView(
            _ collectionView: UICollectionView,
            cancelPrefetchingForItemsAt indexPaths: [IndexPath]
        ) { cancelled += indexPaths.map(\.item) }
    }

    @Test("A collection has items prepared before they have cells, once, and finds the item at a point")
    func prefetch() {
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 390, height: 100)
        (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (0, 0)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let items = Items()
        (collection.dataSource, collection.prefetchDataSource) = (items, items)
        let page = page(collection)
        func scroll(to offset: Int) {
            page.report(
                #"{"i":"\#(collection.nodeID)","k":"scroll","y":\#(offset),"w":390,"h":800,"c":10000,"r":{}}"#
            )
        }
        scroll(to: 0)
        let first = items.asked
        #expect(first.allSatisfy { collection.cellForItem(at: IndexPath(item: $0, section: 0)) == nil })
        #expect(Set(first).count == first.count && first.contains(15) && !first.contains(40))
        #expect(collection.indexPathForItem(at: CGPoint(x: 10, y: 350))?.item == 3)
        #expect(collection.indexPathForItem(at: CGPoint(x: 10, y: -350)) == nil)
        scroll(to: 0)
        #expect(items.asked == first)
        scroll(to: 7_000)
        #expect(!items.cancelled.isEmpty && items.asked.contains(70 + 13))
    }
}
