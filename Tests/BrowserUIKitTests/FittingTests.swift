import Foundation
import Testing

@testable import BrowserUIKit

/// Wants to be as wide as its content, and higher.
private class TallCell: UICollectionViewCell {
    override func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
        let size = contentView.systemLayoutSizeFitting(
            layoutAttributes.size,
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .required
        )
        layoutAttributes.size = CGSize(width: size.width, height: size.height + 10)
        return layoutAttributes
    }
}

/// Has the layout begin again whenever it is asked for its size.
private final class RestlessCell: TallCell {
    override func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
        (superview as? UICollectionView)?.collectionViewLayout.invalidateLayout()
        return super.preferredLayoutAttributesFitting(layoutAttributes)
    }
}

/// Has the layout begin again whenever it is drawn.
private final class RestlessController: UIViewController {
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        for case let collection as UICollectionView in view.subviews {
            collection.collectionViewLayout.invalidateLayout()
        }
    }
}

@MainActor
private final class Chips: NSObject, UICollectionViewDataSource {
    var count = 3

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { count }
    func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { true }

    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    {
        collectionView.dequeueReusableCell(withReuseIdentifier: "chip", for: indexPath)
    }
}

@MainActor
@Suite("Items of flow layouts that are as large as their content")
struct FittingTests {
    private let layout = UICollectionViewFlowLayout()
    private let chips = Chips()
    private let collection: UICollectionView

    init() {
        collection = UICollectionView(frame: .zero, collectionViewLayout: layout)
        collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "chip")
        collection.dataSource = chips
    }

    private func page(_ controller: UIViewController = UIViewController()) -> Page {
        Page {
            controller.view.addSubview(collection)
            return controller
        }
    }

    private func frame(_ item: Int) -> CGRect? {
        collection.layoutAttributesForItem(at: IndexPath(item: item, section: 0))?.frame
    }

    /// Reports that the cells have content of a size.
    private func measure(_ width: CGFloat, _ height: CGFloat, on page: Page) {
        let ids = collection.live.values.map(\.nodeID)
        let heights = ids.map { #""\#($0)":\#(height)"# }.joined(separator: ",")
        let widths = ids.map { #""\#($0)":\#(width)"# }.joined(separator: ",")
        page.report(
            #"{"i":"\#(collection.nodeID).scroll","k":"scroll","y":0,"w":390,"h":800,"c":900,"r":{\#(heights)},"#
                + #""b":{\#(widths)}}"#
        )
    }

    @Test("They take the estimate until the page has measured them, and then the size of their content")
    func estimated() throws {
        layout.estimatedItemSize = CGSize(width: 100, height: 30)
        let page = page()
        #expect(frame(1) == CGRect(x: 110, y: 0, width: 100, height: 30))
        let cell = try #require(collection.live[IndexPath(item: 0, section: 0)])
        let style = page.elements[cell.nodeID]?.style
        #expect(style?["width"] == "max-content" && style?["max-width"] == "390px" && style?["height"] == nil)
        measure(80, 24, on: page)
        #expect(frame(0)?.size == CGSize(width: 80, height: 24) && frame(1)?.minX == 90)
        #expect(page.elements[cell.nodeID]?.style["width"] == "max-content")
        measure(200, 24, on: page)
        #expect(frame(1) == CGRect(x: 0, y: 34, width: 200, height: 24))
    }

    @Test("They may have automatic sizes, and nothing that isn't a length counts")
    func automatic() {
        layout.itemSize = UICollectionViewFlowLayout.automaticSize
        let page = page()
        #expect(frame(0)?.size == CGSize(width: 50, height: 50))
        measure(60, 20, on: page)
        #expect(frame(0)?.size == CGSize(width: 60, height: 20))
        measure(-5, 1e300, on: page)
        #expect(frame(0)?.size == CGSize(width: 0, height: 10_000))
        layout.itemSize = CGSize(width: 40, height: 40)
        page.screen.drawIfNeeded()
        #expect(frame(0)?.size == CGSize(width: 40, height: 40))
    }

    @Test("Cells say what size they want, by that of their content, and keep it")
    func preferred() throws {
        collection.register(TallCell.self, forCellWithReuseIdentifier: "chip")
        layout.estimatedItemSize = UICollectionViewFlowLayout.automaticSize
        let page = page()
        measure(60, 20, on: page)
        page.screen.drawIfNeeded()
        let cell = try #require(collection.live[IndexPath(item: 0, section: 0)])
        #expect(frame(0)?.size == CGSize(width: 60, height: 30))
        #expect(page.elements[cell.nodeID]?.style["height"] == "30px")
        #expect(page.elements[cell.nodeID]?.style["width"] == "60px")
    }

    private func style(_ item: Int, on page: Page) -> [String: String]? {
        collection.live[IndexPath(item: item, section: 0)].flatMap { page.elements[$0.nodeID]?.style }
    }

    @Test("Cells are asked for their sizes again where items, the layout or the width have changed")
    func askedAgain() {
        collection.register(TallCell.self, forCellWithReuseIdentifier: "chip")
        layout.estimatedItemSize = UICollectionViewFlowLayout.automaticSize
        let page = page()
        measure(60, 20, on: page)
        page.screen.drawIfNeeded()
        measure(60, 25, on: page)
        page.screen.drawIfNeeded()
        #expect(frame(0)?.size == CGSize(width: 60, height: 30) && style(0, on: page)?["height"] == "30px")
        let first = IndexPath(item: 0, section: 0)
        let changes: [(String, () -> Void)] = [
            ("reloaded", { collection.reloadData() }), ("invalidated", { layout.invalidateLayout() }),
            (
                "inserted",
                {
                    chips.count = 4
                    collection.insertItems(at: [first])
                }
            ),
            (
                "deleted",
                {
                    chips.count = 3
                    collection.deleteItems(at: [first])
                }
            ),
            ("asked again", { collection.reloadItems(at: [first]) }),
            ("brought up to date", { collection.reconfigureItems(at: [first]) }),
            (
                "moved",
                {
                    let (cell, other) = (collection.live[first], collection.live[IndexPath(item: 1, section: 0)])
                    if let cell, let other { _ = collection.move(cell, to: other.nodeID, isAfter: true) }
                }
            ),
        ]
        for (number, (name, change)) in changes.enumerated() {
            let height = CGFloat(40 + 10 * number)
            change()
            page.screen.drawIfNeeded()
            #expect(style(0, on: page)?["height"] == nil && style(0, on: page)?["width"] == "max-content", "\(name)")
            measure(70, height, on: page)
            page.screen.drawIfNeeded()
            #expect(frame(0)?.size == CGSize(width: 70, height: height + 10), "\(name)")
            #expect(style(0, on: page)?["height"] == CSS.points(height + 10), "\(name)")
        }
        page.report(
            #"{"i":"\#(collection.nodeID).scroll","k":"scroll","y":0,"w":300,"h":800,"c":900,"r":{}}"#
        )
        page.screen.drawIfNeeded()
        #expect(style(0, on: page)?["width"] == "max-content" && frame(0)?.width == 70)
    }

    @Test("An app that begins with the layout again whenever it is drawn or asked for a size comes to an end")
    func restless() {
        collection.register(RestlessCell.self, forCellWithReuseIdentifier: "chip")
        layout.estimatedItemSize = UICollectionViewFlowLayout.automaticSize
        let page = page(RestlessController())
        measure(60, 20, on: page)
        page.screen.drawIfNeeded()
        collection.setNeedsDisplay()
        page.screen.drawIfNeeded()
        let heights = (0..<3).map { style($0, on: page)?["height"] }
        #expect(heights == ["30px", "30px", "30px"])
    }
}
