import Foundation
import Testing

@testable import BrowserUIKit

/// Gives sections of so many items empty cells.
@MainActor
private final class Cells: NSObject, UICollectionViewDataSource {
    let counts: [Int]

    init(_ counts: [Int]) {
        self.counts = counts
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        counts[section]
    }

    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    {
        collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
    }
}

@MainActor
@Suite("Views at the edges of sections")
struct SectionEdgeTests {
    private let cells = Cells([2, 1])

    /// Lays out sections of items that are 100 points high, with views at the edges; returns their frames.
    private func frames(
        _ edges: [NSCollectionLayoutBoundarySupplementaryItem],
        spacing: CGFloat = 0,
        change: (NSCollectionLayoutSection) -> Void = { _ in }
    ) -> (edges: [CGRect], items: [CGRect]) {
        let size = NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        let section = NSCollectionLayoutSection(
            group: .vertical(layoutSize: size, subitems: [NSCollectionLayoutItem(layoutSize: size)])
        )
        section.boundarySupplementaryItems = edges
        change(section)
        let configuration = UICollectionViewCompositionalLayoutConfiguration()
        configuration.interSectionSpacing = spacing
        let layout = UICollectionViewCompositionalLayout(section: section, configuration: configuration)
        let collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
        collection.dataSource = cells
        _ = Page {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
        let paths = [(0, 0), (1, 0), (0, 1)].map { IndexPath(item: $0, section: $1) }
        let items = paths.compactMap { layout.layoutAttributesForItem(at: $0)?.frame }
        return (layout.supplementaries.map(\.place.frame), items)
    }

    private func edge(
        _ alignment: NSRectAlignment,
        width: CGFloat = 90,
        extends: Bool = true
    ) -> NSCollectionLayoutBoundarySupplementaryItem {
        let size = NSCollectionLayoutSize(widthDimension: .absolute(width), heightDimension: .absolute(30))
        let item = NSCollectionLayoutBoundarySupplementaryItem(
            layoutSize: size,
            elementKind: "\(alignment)",
            alignment: alignment
        )
        item.extendsBoundary = extends
        return item
    }

    @Test("stand at the start, in the middle or at the end of the edge")
    func alignment() {
        let sides: [(alignments: [NSRectAlignment], x: CGFloat)] = [
            ([.topLeading, .bottomLeading], 0), ([.top, .bottom], 150), ([.topTrailing, .bottomTrailing], 300),
        ]
        for (alignments, x) in sides {
            let found = frames(alignments.map { edge($0) })
            #expect(found.edges.map(\.minX) == [x, x, x, x])
            #expect(found.edges.map(\.minY) == [0, 230, 260, 390])
            #expect(found.items.map(\.minY) == [30, 130, 290])
        }
    }

    @Test("are no wider than the section, and stand one below the other")
    func several() {
        let found = frames([edge(.top, width: 1_000), edge(.topTrailing)])
        #expect(found.edges.map(\.minX) == [0, 300, 0, 300] && found.edges.map(\.width) == [390, 90, 390, 90])
        #expect(found.edges.map(\.minY) == [0, 30, 260, 290] && found.items.map(\.minY) == [60, 160, 320])
    }

    @Test("that don't extend the section lie over its items, at the top and at the bottom")
    func overlay() {
        let found = frames([edge(.top, extends: false), edge(.bottom, extends: false)])
        #expect(found.items.map(\.minY) == [0, 100, 200])
        #expect(found.edges.map(\.minY) == [0, 170, 200, 270])
    }

    @Test("keep the insets of the section, unless it says that they don't")
    func insets() {
        let inset = NSDirectionalEdgeInsets(top: 5, leading: 20, bottom: 7, trailing: 40)
        let kept = frames([edge(.topLeading), edge(.bottomTrailing)]) { $0.contentInsets = inset }
        #expect(kept.edges.map(\.minX) == [20, 260, 20, 260])
        #expect(kept.edges.map(\.minY) == [0, 242, 272, 414])
        #expect(kept.items.map(\.minY) == [35, 135, 307] && kept.items.allSatisfy { $0.minX == 20 && $0.width == 330 })
        let free = frames([edge(.topLeading), edge(.bottomTrailing)]) {
            $0.contentInsets = inset
            $0.supplementariesFollowContentInsets = false
        }
        #expect(free.edges.map(\.minX) == [0, 300, 0, 300] && free.items.map(\.minY) == kept.items.map(\.minY))
    }

    @Test("Sections are as far apart as the configuration says, with nothing before the first or after the last")
    func sectionSpacing() {
        let found = frames([edge(.top)], spacing: 25)
        #expect(found.edges.map(\.minY) == [0, 255] && found.items.map(\.minY) == [30, 130, 285])
        #expect(frames([], spacing: 25).items.map(\.minY) == [0, 100, 225])
    }

    @Test("Groups of a section that scrolls across stand side by side, as far apart as the section says")
    func across() {
        let found = frames([edge(.topLeading)]) {
            $0.orthogonalScrollingBehavior = .groupPaging
            $0.interGroupSpacing = 12
            $0.contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16)
        }
        #expect(found.items.map(\.minX) == [16, 386, 16] && found.items.map(\.width) == [358, 358, 358])
        #expect(found.items.map(\.minY) == [30, 30, 160])
    }
}
