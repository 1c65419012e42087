import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
private final class Rows: NSObject, UICollectionViewDataSource {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 30 }

    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    {
        collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
    }
}

@MainActor
@Suite("Sections that follow what is seen, and the insets of what is around them")
struct SectionLayoutTests {
    private let rows = Rows()
    private let section: NSCollectionLayoutSection
    private let layout: UICollectionViewCompositionalLayout
    private let collection: UICollectionView

    init() {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        section = NSCollectionLayoutSection(
            group: .vertical(layoutSize: size, subitems: [NSCollectionLayoutItem(layoutSize: size)])
        )
        layout = UICollectionViewCompositionalLayout(section: section)
        collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
        collection.dataSource = rows
    }

    private func page(width: CGFloat = 390) -> Page {
        var environment = BrowserEnvironment()
        environment.width = width
        return Page(environment) {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
    }

    @Test("The app is told of the items that are seen, and changes their looks")
    func visible() throws {
        var seen: [[Int]] = []
        var offsets: [CGFloat] = []
        section.visibleItemsInvalidationHandler = { items, offset, environment in
            seen.append(items.map(\.indexPath.item))
            offsets.append(offset.y)
            for item in items {
                item.alpha = 0.5
                item.transform = CGAffineTransform(scaleX: 0.9, y: 0.9)
                item.zIndex = 2
            }
            #expect(environment.container.contentSize.width == 390 && items.first?.bounds.height == 100)
        }
        let page = page()
        let first = try #require(collection.live[IndexPath(item: 0, section: 0)])
        #expect(seen.last?.first == 0 && first.alpha == 0.5 && first.layer.zPosition == 2)
        #expect(page.elements[first.nodeID]?.style["opacity"] == "0.5")
        page.report(
            #"{"i":"\#(collection.nodeID).scroll","k":"scroll","y":450,"w":390,"h":300,"c":3000,"r":{}}"#
        )
        #expect(seen.last == [4, 5, 6, 7] && offsets.last == 450)
        section.visibleItemsInvalidationHandler = { items, _, _ in
            for item in items { item.center.y += 20 }
        }
        layout.invalidateLayout()
        page.screen.drawIfNeeded()
        let moved = try #require(collection.live[IndexPath(item: 5, section: 0)])
        #expect(page.elements[moved.nodeID]?.style["top"] == "520px")
    }

    @Test("The middle of an item is among the content, also in a section that scrolls across")
    func visibleAcross() throws {
        section.orthogonalScrollingBehavior = .continuous
        section.contentInsets = NSDirectionalEdgeInsets(top: 40, leading: 0, bottom: 0, trailing: 0)
        var middles: [CGFloat] = []
        section.visibleItemsInvalidationHandler = { items, _, _ in
            guard let first = items.first else { return }
            first.center = CGPoint(x: first.center.x + 5, y: first.center.y + 20)
            middles.append(first.center.y)
        }
        let page = page()
        let first = try #require(collection.live[IndexPath(item: 0, section: 0)])
        #expect(layout.layoutAttributesForItem(at: IndexPath(item: 0, section: 0))?.frame.minY == 40)
        #expect(page.elements[first.nodeID]?.style["top"] == "20px" && middles.last == 110)
        #expect(page.elements[first.nodeID]?.style["inset-inline-start"] == "5px")
    }

    @Test("Insets are counted from the edges, the margins or the readable width, as section or layout say")
    func references() {
        collection.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 24)
        section.contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 4, bottom: 0, trailing: 6)
        let page = page(width: 1_000)
        let frame = {
            layout.invalidateLayout()
            page.screen.drawIfNeeded()
            return collection.layoutAttributesForItem(at: IndexPath(item: 0, section: 0))?.frame
        }
        #expect(frame()?.minX == 4 && frame()?.width == 990)
        section.contentInsetsReference = .layoutMargins
        #expect(frame()?.minX == 20 && frame()?.width == 950)
        section.contentInsetsReference = .readableContent
        #expect(frame()?.minX == 164 && frame()?.width == 662)
        section.contentInsetsReference = .automatic
        let configuration = UICollectionViewCompositionalLayoutConfiguration()
        #expect(configuration.contentInsetsReference == .safeArea)
        configuration.contentInsetsReference = .layoutMargins
        layout.configuration = configuration
        #expect(frame()?.minX == 20)
        section.contentInsetsReference = .none
        #expect(frame()?.minX == 4)
    }

    @Test("Views at the edges of a section may keep other insets than its items")
    func supplementaries() {
        collection.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 24)
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30))
        section.boundarySupplementaryItems = [
            NSCollectionLayoutBoundarySupplementaryItem(layoutSize: size, elementKind: "top", alignment: .top)
        ]
        let page = page()
        let frame = {
            layout.invalidateLayout()
            page.screen.drawIfNeeded()
            return layout.supplementaries.first?.place.frame
        }
        #expect(frame()?.minX == 0 && frame()?.width == 390)
        section.supplementaryContentInsetsReference = .layoutMargins
        #expect(frame()?.minX == 16 && frame()?.width == 350)
        let item = collection.layoutAttributesForItem(at: IndexPath(item: 0, section: 0))
        #expect(item?.frame.minX == 0)
    }
}
