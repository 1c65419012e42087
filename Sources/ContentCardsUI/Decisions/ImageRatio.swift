import Foundation

/// Holds width divided by height of an image, and is always usable for a layout.
struct ImageRatio: Equatable {
    let value: CGFloat

    /// Takes a ratio as it was sent: what cannot be one becomes that of a square.
    init(_ value: Double?) {
        guard let value, value.isFinite, value > 0.01, value < 100 else {
            self.value = 1
            return
        }
        self.value = CGFloat(value)
    }

    init(_ size: CGSize) {
        // safe: points have a fraction
        self.init(size.height > 0 ? Double(size.width / size.height) : nil)
    }

    /// Returns whether both differ so much that a layout should follow; less would only make rows jump.
    func differs(from other: ImageRatio) -> Bool {
        abs(value - other.value) > max(value, other.value) * 0.005
    }
}
