import Foundation

/// Writes values of style sheets.
enum CSS {
    static func number(_ value: CGFloat) -> String {
        guard value.isFinite else { return "0" }
        // No page is larger, and a number that is too large for an integer would end the app.
        let rounded = (min(max(value, -1e12), 1e12) * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(Double(rounded))
    }

    static func points(_ value: CGFloat) -> String { number(value) + "px" }
}

extension UIEdgeInsets {
    var css: String { [top, right, bottom, left].map(CSS.points).joined(separator: " ") }
}
