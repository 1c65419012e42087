extension UIView {
    /// Says how what a view shows fits its bounds.
    public enum ContentMode: Int, Sendable {
        /// Stretched.
        case scaleToFill = 0
        /// As large as fits, undistorted.
        case scaleAspectFit = 1
        /// As small as fills, undistorted.
        case scaleAspectFill = 2
        /// Stretched, and drawn again for each size.
        case redraw = 3
        /// In its own size, in the middle.
        case center = 4
        /// In its own size, at the top.
        case top = 5
        /// In its own size, at the bottom.
        case bottom = 6
        /// In its own size, at the left.
        case left = 7
        /// In its own size, at the right.
        case right = 8
        /// In its own size, at the top left.
        case topLeft = 9
        /// In its own size, at the top right.
        case topRight = 10
        /// In its own size, at the bottom left.
        case bottomLeft = 11
        /// In its own size, at the bottom right.
        case bottomRight = 12
    }
}
