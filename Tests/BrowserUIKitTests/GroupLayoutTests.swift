import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("Groups of a compositional layout")
struct GroupLayoutTests {
    private func size(
        _ width: NSCollectionLayoutDimension,
        _ height: NSCollectionLayoutDimension
    )
        -> NSCollectionLayoutSize
    {
        NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
    }

    private func item(_ width: CGFloat, _ height: CGFloat) -> NSCollectionLayoutItem {
        NSCollectionLayoutItem(layoutSize: size(.absolute(width), .absolute(height)))
    }

    private var whole: NSCollectionLayoutItem {
        NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    }

    /// Returns where items are in groups that follow one another, in a room of 300 by 600 points.
    private func places(
        _ count: Int,
        in group: NSCollectionLayoutGroup,
        along axis: NSLayoutConstraint.Axis = .vertical,
        spacing: CGFloat = 0,
        measured: [Int: CGFloat] = [:]
    ) -> [GroupSolver.Place] {
        var solver = GroupSolver(count: count) { measured[$0] }
        _ = solver.repeatGroup(
            group,
            along: axis,
            from: .zero,
            in: GroupSolver.Room(width: 300, height: 600),
            spacing: spacing
        )
        return solver.places
    }

    private func frames(
        _ count: Int,
        in group: NSCollectionLayoutGroup,
        along axis: NSLayoutConstraint.Axis = .vertical,
        spacing: CGFloat = 0
    ) -> [CGRect] {
        places(count, in: group, along: axis, spacing: spacing).map(\.frame)
    }

    private func points(_ places: (x: CGFloat, y: CGFloat)...) -> [CGPoint] {
        places.map { CGPoint(x: $0.x, y: $0.y) }
    }

    @Test("Dimensions are of one kind each, and never negative")
    func dimensions() {
        let kinds: [NSCollectionLayoutDimension] = [
            .fractionalWidth(0.5), .fractionalHeight(0.25), .absolute(40), .estimated(60),
        ]
        #expect(kinds.map(\.isFractionalWidth) == [true, false, false, false])
        #expect(kinds.map(\.isFractionalHeight) == [false, true, false, false])
        #expect(kinds.map(\.isAbsolute) == [false, false, true, false])
        #expect(kinds.map(\.isEstimated) == [false, false, false, true])
        #expect(kinds.map(\.dimension) == [0.5, 0.25, 40, 60])
        #expect(NSCollectionLayoutDimension.absolute(-4).dimension == 0)
        #expect(NSCollectionLayoutDimension.estimated(.infinity).dimension == 0)
    }

    @Test("Spacing is fixed or flexible, and never negative")
    func spacings() {
        let (fixed, flexible) = (NSCollectionLayoutSpacing.fixed(8), NSCollectionLayoutSpacing.flexible(12))
        #expect(fixed.isFixedSpacing && !fixed.isFlexibleSpacing && fixed.spacing == 8)
        #expect(flexible.isFlexibleSpacing && !flexible.isFixedSpacing && flexible.spacing == 12)
        #expect(NSCollectionLayoutSpacing.fixed(-1).spacing == 0)
        let edges = NSCollectionLayoutEdgeSpacing(leading: fixed, top: nil, trailing: flexible, bottom: nil)
        #expect(edges.insets == NSDirectionalEdgeInsets(top: 0, leading: 8, bottom: 0, trailing: 12))
    }

    @Test("The items of a vertical group with a count share its height")
    func sharedHeight() {
        let group = NSCollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(1), .absolute(300)),
            subitem: whole,
            count: 3
        )
        group.interItemSpacing = .fixed(30)
        let found = frames(4, in: group, spacing: 10)
        #expect(found.map(\.minY) == [0, 110, 220, 310])
        #expect(found.allSatisfy { $0.size == CGSize(width: 300, height: 80) })
    }

    @Test("The items of a horizontal group with a count share its width, whatever theirs is")
    func sharedWidth() {
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(50)),
            subitem: NSCollectionLayoutItem(layoutSize: size(.absolute(1_000), .fractionalHeight(1))),
            count: 4
        )
        #expect(frames(5, in: group).map(\.minX) == [0, 75, 150, 225, 0])
        #expect(frames(5, in: group).map(\.width) == [75, 75, 75, 75, 75])
    }

    @Test("An item that is repeated keeps its size, and a group ends after as many as it names")
    func repeated() {
        let row = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(20)),
            repeatingSubitem: item(50, 20),
            count: 3
        )
        #expect(frames(4, in: row).map(\.origin) == points((0, 0), (50, 0), (100, 0), (0, 20)))
        let column = NSCollectionLayoutGroup.vertical(
            layoutSize: size(.absolute(50), .absolute(60)),
            repeatingSubitem: item(50, 20),
            count: 2
        )
        let found = frames(5, in: column, along: .horizontal, spacing: 5)
        #expect(found.map(\.origin) == points((0, 0), (0, 20), (55, 0), (55, 20), (110, 0)))
    }

    @Test("Different items of a group take turns until its width is used up")
    func turns() {
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(40)),
            subitems: [item(100, 40), item(50, 40)]
        )
        let found = frames(5, in: group)
        #expect(found.map(\.minX) == [0, 100, 150, 250, 0])
        #expect(found.map(\.width) == [100, 50, 100, 50, 100])
        #expect(found.map(\.minY) == [0, 0, 0, 0, 40])
    }

    @Test("Fractions are of the container: width of width or height, and height of either")
    func fractions() {
        let square = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .fractionalWidth(0.5)))
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(0.8), .fractionalHeight(0.25)),
            subitems: [square]
        )
        let found = frames(3, in: group)
        #expect(found[0] == CGRect(x: 0, y: 0, width: 120, height: 120))
        #expect(found[1] == CGRect(x: 120, y: 0, width: 120, height: 120))
        #expect(found[2].origin == CGPoint(x: 0, y: 150))
        let tall = NSCollectionLayoutItem(layoutSize: size(.fractionalHeight(1), .fractionalHeight(0.5)))
        let other = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(80)),
            subitems: [tall]
        )
        #expect(frames(1, in: other) == [CGRect(x: 0, y: 0, width: 80, height: 40)])
    }

    @Test("Insets of a group lie around all of its items, and are part of its size")
    func groupInsets() {
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(100)),
            subitems: [whole]
        )
        group.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 20, bottom: 30, trailing: 40)
        #expect(
            frames(2, in: group) == [
                CGRect(x: 20, y: 10, width: 240, height: 60), CGRect(x: 20, y: 110, width: 240, height: 60),
            ]
        )
    }

    @Test("Insets that leave nothing of an item leave it without size, and not with a negative one")
    func largeInsets() {
        let small = item(20, 20)
        small.contentInsets = NSDirectionalEdgeInsets(top: 15, leading: 15, bottom: 15, trailing: 15)
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(20)),
            subitems: [small]
        )
        #expect(frames(2, in: group).map(\.size) == [.zero, .zero])
        #expect(frames(2, in: group).map(\.minX) == [15, 35])
    }

    @Test("Room at the edges of an item counts for what fits into a line")
    func edgeSpacing() {
        let spaced = item(100, 50)
        spaced.edgeSpacing = NSCollectionLayoutEdgeSpacing(
            leading: .fixed(5),
            top: .fixed(7),
            trailing: .fixed(9),
            bottom: .fixed(11)
        )
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.absolute(220), .estimated(50)),
            subitems: [spaced]
        )
        // Two take 228 points.
        #expect(frames(2, in: group).map(\.origin) == points((5, 7), (5, 75)))
        let wide = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.absolute(228), .estimated(50)),
            subitems: [spaced]
        )
        #expect(frames(3, in: wide).map(\.origin) == points((5, 7), (119, 7), (5, 75)))
        #expect(frames(3, in: wide).allSatisfy { $0.size == CGSize(width: 100, height: 50) })
    }

    @Test("Items that share a line leave the room at their edges free")
    func sharedEdgeSpacing() {
        let spaced = whole
        spaced.edgeSpacing = NSCollectionLayoutEdgeSpacing(
            leading: .fixed(10),
            top: nil,
            trailing: .fixed(20),
            bottom: nil
        )
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(40)),
            subitem: spaced,
            count: 2
        )
        #expect(frames(2, in: group).map(\.minX) == [10, 160])
        #expect(frames(2, in: group).map(\.width) == [120, 120])
    }

    @Test("A flexible spacing spreads the items of a column over its height")
    func flexibleColumn() {
        let group = NSCollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(1), .absolute(300)),
            subitems: [item(40, 50)]
        )
        group.interItemSpacing = .flexible(10)
        #expect(frames(5, in: group).map(\.minY) == [0, 62.5, 125, 187.5, 250])
        group.interItemSpacing = .fixed(10)
        #expect(frames(6, in: group).map(\.minY) == [0, 60, 120, 180, 240, 300])
    }

    @Test("Estimates hold until heights are measured, and then the content's count")
    func estimates() {
        let own = size(.fractionalWidth(1), .estimated(44))
        let group = NSCollectionLayoutGroup.vertical(
            layoutSize: own,
            subitems: [NSCollectionLayoutItem(layoutSize: own)]
        )
        let found = places(3, in: group, spacing: 2, measured: [0: 30, 1: 80])
        #expect(found.map(\.frame.minY) == [0, 32, 114] && found.map(\.frame.height) == [30, 80, 44])
        #expect(found.map(\.isMeasured) == [true, true, true])
        let fixed = places(1, in: .vertical(layoutSize: own, subitems: [item(10, 10)]))
        #expect(fixed.map(\.isMeasured) == [false])
    }

    @Test("A row of estimated height is as high as its highest item, with the insets of that")
    func estimatedRow() {
        let cell = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(40)))
        cell.contentInsets = NSDirectionalEdgeInsets(top: 4, leading: 0, bottom: 6, trailing: 0)
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .estimated(40)),
            subitems: [cell]
        )
        let found = places(4, in: group, measured: [0: 30, 1: 80])
        #expect(found.map(\.frame.minX) == [0, 150, 0, 150])
        #expect(found.map(\.frame.minY) == [4, 4, 94, 94])
    }

    @Test("A group in a group has the size that it names, of the one around it")
    func nested() {
        let column = NSCollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(0.25), .fractionalHeight(1)),
            subitem: whole,
            count: 2
        )
        let large = NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)))
        let group = NSCollectionLayoutGroup.horizontal(
            layoutSize: size(.absolute(200), .absolute(100)),
            subitems: [column, large, column]
        )
        #expect(
            frames(6, in: group) == [
                CGRect(x: 0, y: 0, width: 50, height: 50), CGRect(x: 0, y: 50, width: 50, height: 50),
                CGRect(x: 50, y: 0, width: 100, height: 100), CGRect(x: 150, y: 0, width: 50, height: 50),
                CGRect(x: 150, y: 50, width: 50, height: 50), CGRect(x: 0, y: 100, width: 50, height: 50),
            ]
        )
    }
}
