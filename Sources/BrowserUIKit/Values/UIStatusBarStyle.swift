/// Says how the bar of the device looks.
public enum UIStatusBarStyle: Int, Sendable {
    /// As the surroundings are.
    case `default` = 0
    /// For dark content.
    case lightContent = 1
    /// For light content.
    case darkContent = 3
}
