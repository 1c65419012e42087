import Foundation
import Testing

@testable import BrowserUIKit

@MainActor
@Suite("The delegate of a collection that flows")
struct FlowDelegateTests {
    /// Shows two sections of two items, the second with other room and a header of its own.
    private final class Shelf: NSObject, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
        var log: [String] = []

        func numberOfSections(in collectionView: UICollectionView) -> Int { 2 }

        func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 2 }

        func collectionView(
            _ collectionView: UICollectionView,
            cellForItemAt indexPath: IndexPath
        ) -> UICollectionViewCell { UICollectionViewCell(frame: .zero) }

        func collectionView(
            _ collectionView: UICollectionView,
            layout collectionViewLayout: UICollectionViewLayout,
            sizeForItemAt indexPath: IndexPath
        ) -> CGSize { CGSize(width: 300, height: 40) }

        func collectionView(
            _ collectionView: UICollectionView,
            layout collectionViewLayout: UICollectionViewLayout,
            minimumLineSpacingForSectionAt section: Int
        ) -> CGFloat { section == 0 ? 4 : 30 }

        func collectionView(
            _ collectionView: UICollectionView,
            layout collectionViewLayout: UICollectionViewLayout,
            referenceSizeForHeaderInSection section: Int
        ) -> CGSize { CGSize(width: 0, height: section == 0 ? 0 : 20) }

        func collectionView(
            _ collectionView: UICollectionView,
            willDisplaySupplementaryView view: UICollectionReusableView,
            forElementKind elementKind: String,
            at indexPath: IndexPath
        ) {
            log.append("shows \(elementKind == UICollectionView.elementKindSectionHeader) \(indexPath.section)")
        }

        func collectionView(
            _ collectionView: UICollectionView,
            didEndDisplayingSupplementaryView view: UICollectionReusableView,
            forElementOfKind elementKind: String,
            at indexPath: IndexPath
        ) {
            log.append("hides \(indexPath.section)")
        }

        func collectionView(_ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath) {
            log.append("touched \(indexPath.item)")
        }

        func collectionView(_ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath) {
            log.append("left \(indexPath.item)")
        }

        func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
            log.append("chose \(indexPath.item)")
        }
    }

    private let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    private let shelf = Shelf()

    private func page() -> Page {
        (collection.dataSource, collection.delegate) = (shelf, shelf)
        return Page {
            let controller = UIViewController()
            controller.view.addSubview(collection)
            return controller
        }
    }

    @Test("says of each section how far rows are apart, and how high its header is")
    func spacing() {
        _ = page()
        let tops = [0, 1].flatMap { section in
            [0, 1].map { item in
                collection.layoutAttributesForItem(at: IndexPath(item: item, section: section))?.frame.minY
            }
        }
        #expect(tops == [0, 44, 104, 174])
    }

    @Test("hears of views beside the items, and of touches before an item is chosen")
    func callbacks() throws {
        let page = page()
        #expect(shelf.log == ["shows true 1"])
        shelf.log = []
        page.tap(try #require(collection.cellForItem(at: IndexPath(item: 1, section: 0))).nodeID)
        #expect(shelf.log == ["touched 1", "left 1", "chose 1"])
        shelf.log = []
        collection.reloadData()
        page.screen.drawIfNeeded()
        #expect(shelf.log == ["hides 1", "shows true 1"])
    }
}
