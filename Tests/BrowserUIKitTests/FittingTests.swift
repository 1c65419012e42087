import Foundation
import Testing

@testable import BrowserUIKit

/// Wants to be as wide as its content, and higher.
private final class TallCell: UICollectionViewCell {
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

@MainActor
private final class Chips: NSObject, UICollectionViewDataSource {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 3 }

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

    private func page() -> Page {
        Page {
            let controller = UIViewController()
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
}
