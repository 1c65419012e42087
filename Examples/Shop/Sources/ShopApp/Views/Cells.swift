#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The base of our cells of tables, which override `setUp`.
class TableCell: UITableViewCell {
    override init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        setUp()
    }

    required init?(coder: NSCoder) {
        nil
    }

    /// Lays out the cell.
    func setUp() {}
}

/// The base of our cells of collections, which override `setUp`.
class CollectionCell: UICollectionViewCell {
    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    required init?(coder: NSCoder) {
        nil
    }

    /// Lays out the cell.
    func setUp() {}
}
