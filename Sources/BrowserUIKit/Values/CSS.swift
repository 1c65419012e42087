import Foundation

/// Writes values of style sheets.
enum CSS {
    static func number(_ value: CGFloat) -> String {
        guard value.isFinite else { return "0" }
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(Double(rounded))
    }

    static func points(_ value: CGFloat) -> String { number(value) + "px" }
}

extension UIEdgeInsets {
    var css: String { [top, right, bottom, left].map(CSS.points).joined(separator: " ") }
}
