/// Is told of the items of a section that are seen, whenever they change or the collection is scrolled.
///
/// Browsers don't tell how far a section has scrolled across: all of its items count as seen.
public typealias NSCollectionLayoutSectionVisibleItemsInvalidationHandler =
    @MainActor (
        _ visibleItems: [any NSCollectionLayoutVisibleItem],
        _ contentOffset: CGPoint,
        _ layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> Void

/// Shows an item of a section, whose looks may be changed.
@preconcurrency @MainActor
public protocol NSCollectionLayoutVisibleItem: NSObjectProtocol {
    /// The opacity.
    var alpha: CGFloat { get set }
    /// The place before or behind others.
    var zIndex: Int { get set }
    /// Whether the item isn't drawn.
    var isHidden: Bool { get set }
    /// The middle among the content.
    var center: CGPoint { get set }
    /// The transform.
    var transform: CGAffineTransform { get set }
    /// The transform in space.
    var transform3D: CATransform3D { get set }
    /// A name for tests.
    var name: String { get }
    /// The item.
    var indexPath: IndexPath { get }
    /// The rectangle among the content.
    var frame: CGRect { get }
    /// The rectangle in the item's own coordinates.
    var bounds: CGRect { get }
    /// The kind of a view that shows no item; `nil` for items.
    var representedElementKind: String? { get }
}

/// Changes the looks of a cell that is shown.
final class VisibleItem: NSObject, NSCollectionLayoutVisibleItem {
    private let cell: UICollectionViewCell
    let indexPath: IndexPath
    private(set) var frame: CGRect

    init(_ cell: UICollectionViewCell, at indexPath: IndexPath, frame: CGRect) {
        (self.cell, self.indexPath, self.frame) = (cell, indexPath, frame)
        super.init()
    }

    var alpha: CGFloat {
        get { cell.alpha }
        set { cell.alpha = newValue }
    }
    var zIndex: Int {
        get { Int(exactly: cell.layer.zPosition.rounded()) ?? 0 }
        set { cell.layer.zPosition = CGFloat(newValue) }
    }
    var isHidden: Bool {
        get { cell.isHidden }
        set { cell.isHidden = newValue }
    }
    var transform: CGAffineTransform {
        get { cell.transform }
        set { cell.transform = newValue }
    }
    var transform3D: CATransform3D {
        get { cell.transform3D }
        set { cell.transform3D = newValue }
    }
    var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set {
            let origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
            // The cell of a section that scrolls across is placed in that, and not among the content.
            cell.place?.frame.origin.x += origin.x - frame.minX
            cell.place?.frame.origin.y += origin.y - frame.minY
            frame.origin = origin
            cell.setNeedsDisplay()
        }
    }
    var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    var name: String { cell.reuseIdentifier ?? "" }
    var representedElementKind: String? { nil }
}
