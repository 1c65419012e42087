#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Is what our cells of tables are made of; they override `setUp`.
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

/// Is what our cells of collections are made of; they override `setUp`.
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
