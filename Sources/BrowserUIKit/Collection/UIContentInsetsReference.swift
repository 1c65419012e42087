/// Says from where the insets of a section are counted.
public enum UIContentInsetsReference: Int, Sendable {
    /// As the layout says.
    case automatic = 0
    /// From the edges of the collection.
    case none = 1
    /// From the safe area.
    case safeArea = 2
    /// From the margins.
    case layoutMargins = 3
    /// From the width that long text reads well in.
    case readableContent = 4

    /// The widest that long text reads well, in points.
    private static let readableWidth: CGFloat = 672

    /// Returns the room at the sides of a collection; `automatic` is what another reference says.
    @MainActor
    func insets(of view: UIView, width: CGFloat, automatic: Self) -> NSDirectionalEdgeInsets {
        let isRightToLeft = view.traitCollection.layoutDirection == .rightToLeft
        let safe = view.safeAreaInsets
        let covered = NSDirectionalEdgeInsets(
            top: 0,
            leading: isRightToLeft ? safe.right : safe.left,
            bottom: 0,
            trailing: isRightToLeft ? safe.left : safe.right
        )
        let margins = view.directionalLayoutMargins
        switch self {
        case .automatic:
            return automatic == .automatic ? .zero : automatic.insets(of: view, width: width, automatic: .none)
        case .none: return .zero
        case .safeArea: return covered
        case .layoutMargins, .readableContent:
            let leading = covered.leading + margins.leading
            let trailing = covered.trailing + margins.trailing
            let spare = self == .readableContent ? max(width - leading - trailing - Self.readableWidth, 0) / 2 : 0
            return NSDirectionalEdgeInsets(top: 0, leading: leading + spare, bottom: 0, trailing: trailing + spare)
        }
    }
}
