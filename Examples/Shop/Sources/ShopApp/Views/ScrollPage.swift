#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Shows a column of views that can be longer than the screen, and is never too wide to read.
final class ScrollPage: UIScrollView {
    init(_ column: UIView, top: CGFloat = 8, bottom: CGFloat = 24) {
        super.init(frame: .zero)
        alwaysBounceVertical = true
        let page = UIView()
        fill(with: page)
        page.widthAnchor.constraint(equalTo: widthAnchor).isActive = true
        page.addSubview(column)
        column.translatesAutoresizingMaskIntoConstraints = false
        let leading = column.leadingAnchor.constraint(equalTo: page.leadingAnchor, constant: 16)
        let trailing = column.trailingAnchor.constraint(equalTo: page.trailingAnchor, constant: -16)
        (leading.priority, trailing.priority) = (.defaultHigh, .defaultHigh)
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(equalTo: page.topAnchor, constant: top),
            column.bottomAnchor.constraint(equalTo: page.bottomAnchor, constant: -bottom),
            column.widthAnchor.constraint(lessThanOrEqualToConstant: 620),
            column.centerXAnchor.constraint(equalTo: page.centerXAnchor),
            leading, trailing,
        ])
    }

    required init?(coder: NSCoder) {
        nil
    }
}
