/// Says whether a view turns around where the language is written from right to left.
public enum UISemanticContentAttribute: Int, Sendable {
    /// As the surroundings do.
    case unspecified = 0
    /// Never, as what plays something.
    case playback = 1
    /// Never, as what moves something in a direction.
    case spatial = 2
    /// From left to right, whatever the language.
    case forceLeftToRight = 3
    /// From right to left, whatever the language.
    case forceRightToLeft = 4

    /// The direction that is forced; `nil` for that of the surroundings.
    var direction: UITraitEnvironmentLayoutDirection? {
        switch self {
        case .unspecified: nil
        case .playback, .spatial, .forceLeftToRight: .leftToRight
        case .forceRightToLeft: .rightToLeft
        }
    }
}

extension UIView {
    /// The direction in which what is in the view runs.
    public var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        let direction = semanticContentAttribute.direction ?? traitCollection.layoutDirection
        return direction == .rightToLeft ? .rightToLeft : .leftToRight
    }
}
