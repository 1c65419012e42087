#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Is what our cells of tables are made of.
///
/// iOS calls the initialiser by name; elsewhere it has to be required. Cells of ours override `setUp` and need not know.
class TableCell: UITableViewCell {
    #if canImport(UIKit)
    override init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        setUp()
    }
    #else
    required init(style: CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        setUp()
    }
    #endif

    required init?(coder: NSCoder) {
        nil
    }

    /// Lays out the cell.
    func setUp() {}
}

/// Is what our cells of collections are made of, for the same reason.
class CollectionCell: UICollectionViewCell {
    #if canImport(UIKit)
    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    #else
    required init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    #endif

    required init?(coder: NSCoder) {
        nil
    }

    /// Lays out the cell.
    func setUp() {}
}
