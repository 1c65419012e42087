import Foundation
import Testing

@testable import BrowserUIKit

/// Shows numbered items in a layout.
@MainActor
private final class Items: NSObject, UICollectionViewDataSource, UICollectionViewDelegate {
    let collection: UICollectionView
    var counts: [Int]
    var chosen: [IndexPath] = []

    init(_ counts: [Int], _ layout: UICollectionViewLayout) {
        self.counts = counts
        collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        super.init()
        collection.register(UICollectionViewListCell.self, forCellWithReuseIdentifier: "item")
        collection.register(
            UICollectionReusableView.self,
            forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        collection.dataSource = self
        collection.delegate = self
        collection.translatesAutoresizingMaskIntoConstraints = false
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        counts[section]
    }

    func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "item", for: indexPath)
        guard let cell = cell as? UICollectionViewListCell else { return cell }
        var content = cell.defaultContentConfiguration()
        content.text = "Item \(indexPath.section).\(indexPath.item)"
        cell.contentConfiguration = content
        return cell
    }

    func collectionView(
        _ collectionView: UICollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) -> UICollectionReusableView {
        collectionView.dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: "header", for: indexPath)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        chosen.append(indexPath)
    }

    func frames(_ section: Int = 0) -> [CGRect] {
        (0..<counts[section]).compactMap {
            collection.layoutAttributesForItem(at: IndexPath(item: $0, section: section))?.frame
        }
    }

    func page() -> Page {
        Page {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
    }
}

@MainActor
@Suite("Layouts made of groups")
struct CompositionalTests {
    private func size(
        _ width: NSCollectionLayoutDimension,
        _ height: NSCollectionLayoutDimension
    )
        -> NSCollectionLayoutSize
    {
        NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
    }

    @Test("Items share a row, with room between and around them, and rows follow one another")
    func shared() {
        let item = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
        item.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(100)),
            subitem: item,
            count: 2
        )
        group.interItemSpacing = .fixed(10)
        let section = NSCollectionLayoutSection(group: group)
        section.contentInsets = NSDirectionalEdgeInsets(top: 5, leading: 20, bottom: 7, trailing: 20)
        section.interGroupSpacing = 8
        let items = Items([3], UICollectionViewCompositionalLayout(section: section))
        _ = items.page()
        // 350 points are left of 390, of which two items have 170 each.
        #expect(
            items.frames() == [
                CGRect(x: 22, y: 6, width: 164, height: 96), CGRect(x: 202, y: 6, width: 164, height: 96),
                CGRect(x: 22, y: 114, width: 164, height: 96),
            ]
        )
        #expect(items.collection.collectionViewLayout.collectionViewContentSize.height == 220)
    }

    @Test("A group takes as many items as there is room for, and what is left over goes between them")
    func filling() {
        let item = NSCollectionLayoutItem(layoutSize: size(.absolute(100), .absolute(50)))
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .estimated(50)),
            subitems: [item]
        )
        group.interItemSpacing = .flexible(10)
        let items = Items([4], UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)))
        _ = items.page()
        #expect(items.frames().map(\.minX) == [0, 145, 290, 0])
        #expect(items.frames().map(\.minY) == [0, 0, 0, 50])
    }

    @Test("Groups hold groups, whose parts are of the group around them")
    func nested() {
        let large = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)))
        let small = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(0.5)))
        let column = NSCollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)),
            subitems: [small]
        )
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .fractionalWidth(0.5)),
            subitems: [large, column]
        )
        let items = Items([3], UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(group: group)))
        _ = items.page()
        #expect(items.frames()[0] == CGRect(x: 0, y: 0, width: 195, height: 195))
        #expect(items.frames()[2] == CGRect(x: 195, y: 97.5, width: 195, height: 97.5))
    }

    @Test("Sizes of zero and absurd ones come to an end")
    func absurd() {
        for dimension in [NSCollectionLayoutDimension.absolute(0), .absolute(-.infinity), .fractionalWidth(.nan)] {
            let item = NSCollectionLayoutItem(layoutSize: size(dimension, dimension))
            let groups = [
                NSCollectionLayoutGroup.horizontal(layoutSize: size(dimension, dimension), subitems: [item]),
                .vertical(layoutSize: size(dimension, dimension), subitems: [item]),
                .vertical(layoutSize: size(dimension, dimension), subitems: []),
                .horizontal(layoutSize: size(dimension, dimension), subitem: item, count: .max),
                .vertical(layoutSize: size(dimension, dimension), repeatingSubitem: item, count: .min),
            ]
            for group in groups {
                let section = NSCollectionLayoutSection(group: group)
                let items = Items([50], UICollectionViewCompositionalLayout(section: section))
                _ = items.page()
                #expect(items.frames().allSatisfy { $0.width.isFinite && $0.height.isFinite })
            }
        }
    }

    @Test("Heights that the browser measured move what is below")
    func measured() throws {
        let items = Items([3], UICollectionViewCompositionalLayout.list(using: .init(appearance: .plain)))
        let page = items.page()
        #expect(items.frames().map(\.minY) == [0, 44, 88])
        let cell = try #require(items.collection.cellForItem(at: IndexPath(item: 0, section: 0)))
        #expect(page.elements[cell.nodeID]?.attributes["class"]?.contains("measured") == true)
        #expect(page.elements[cell.nodeID]?.style["height"] == nil)
        let id = items.collection.nodeID
        for height in ["70.5", "1e300", "-4", "60"] {
            page.report(
                #"{"i":"\#(id)","k":"scroll","y":0,"w":390,"h":800,"c":900,"r":{"\#(cell.nodeID)":\#(height)}}"#
            )
        }
        #expect(items.frames().map(\.minY) == [0, 60, 104])
    }

    @Test("A section that scrolls across has all its cells in a part of its own")
    func across() throws {
        let item = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(0.9), .absolute(100)),
            subitems: [item]
        )
        let section = NSCollectionLayoutSection(group: group)
        section.orthogonalScrollingBehavior = .groupPagingCentered
        section.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 0, bottom: 0, trailing: 6)
        let items = Items([4, 1], UICollectionViewCompositionalLayout(section: section))
        let page = items.page()
        let part = try #require(page.elements["\(items.collection.nodeID).section0"])
        #expect(part.attributes["class"] == "across center" && part.children.count == 5)
        #expect(part.style["top"] == "10px" && part.style["height"] == "100px")
        #expect(page.elements["\(items.collection.nodeID).section0end"]?.style["width"] == "1388.4px")
        let last = try #require(items.collection.cellForItem(at: IndexPath(item: 3, section: 0)))
        #expect(page.elements[last.nodeID]?.style["top"] == "0px")
        #expect(page.elements[last.nodeID]?.style["inset-inline-start"] == "1036.8px")
        #expect(items.frames(1).first?.minY == 120)
    }

    @Test("Headers, footers and backgrounds have their places around the items")
    func edges() throws {
        final class Background: UICollectionReusableView {}
        let layout = UICollectionViewCompositionalLayout { index, _ in
            guard index != 1 else { return nil }
            let size = self.size(.fractionalWidth(1), .absolute(50))
            let item = NSCollectionLayoutItem(layoutSize: size)
            let section = NSCollectionLayoutSection(group: .vertical(layoutSize: size, subitems: [item]))
            section.boundarySupplementaryItems = [
                NSCollectionLayoutBoundarySupplementaryItem(
                    layoutSize: self.size(.fractionalWidth(1), .absolute(30)),
                    elementKind: UICollectionView.elementKindSectionHeader,
                    alignment: .top
                )
            ]
            section.decorationItems = [.background(elementKind: "back")]
            section.contentInsets = NSDirectionalEdgeInsets(top: 4, leading: 10, bottom: 6, trailing: 10)
            return section
        }
        layout.register(Background.self, forDecorationViewOfKind: "back")
        let items = Items([2, 5, 1], layout)
        let page = items.page()
        #expect(items.frames(0).map(\.minY) == [34, 84] && items.frames(1).isEmpty && items.frames(2)[0].minY == 174)
        let kind = UICollectionView.elementKindSectionHeader
        let header = try #require(
            items.collection.supplementaryView(forElementKind: kind, at: IndexPath(item: 0, section: 2))
        )
        #expect(header.reuseIdentifier == "header" && page.elements[header.nodeID]?.style["top"] == "140px")
        #expect(
            page.elements(class: "behind").map { $0.style["height"] }.sorted { $0 ?? "" < $1 ?? "" } == [
                "140px", "90px",
            ]
        )
        items.counts = [1]
        items.collection.reloadData()
        page.screen.drawIfNeeded()
        #expect(items.collection.supplementaryView(forElementKind: kind, at: IndexPath(item: 0, section: 2)) == nil)
        #expect(page.elements[header.nodeID] == nil || items.collection.liveViews.count == 2)
    }

    @Test("A layout that scrolls from side to side fills columns")
    func sideways() throws {
        let layout = UICollectionViewFlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = CGSize(width: 200, height: 700)
        let items = Items([3], layout)
        let page = items.page()
        #expect(items.frames().map(\.minX) == [0, 210, 420] && items.frames().allSatisfy { $0.minY == 0 })
        #expect(page.elements(class: "across").count == 1)
    }
}
