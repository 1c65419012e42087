// Text stands on its baseline a known way below the top of its first line, by the metrics of its font: a baseline is an
// edge and a distance.
extension NSLayoutConstraint.Attribute {
    /// Returns the edge of a view that the attribute is measured from, and the distance from there, downwards.
    @MainActor
    func edge(of view: UIView) -> (attribute: Self, distance: CGFloat) {
        switch self {
        case .firstBaseline: view.baselineFont.map { (.top, $0.ascender) } ?? (.bottom, 0)
        case .lastBaseline: view.baselineFont.map { (.bottom, $0.descender) } ?? (.bottom, 0)
        default: (directional, 0)
        }
    }
}

extension UIView {
    /// The font of the text that the view shows; `nil` where it shows none.
    fileprivate var baselineFont: UIFont? {
        switch self {
        case let label as UILabel: label.shownFont
        case let button as UIButton: button.titleLabel?.font
        case let field as UITextField: field.font
        default: nil
        }
    }
}
