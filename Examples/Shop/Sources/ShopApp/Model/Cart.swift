import Foundation

/// The products that the user is about to buy.
struct Cart: Equatable {
    /// One product, and how many of it.
    struct Line: Equatable {
        let tile: Tile
        var quantity: Int

        var total: Money { (tile.price ?? .zero) * quantity }
    }

    /// The greatest number of pieces of one product.
    static let most = 99

    private(set) var lines: [Line] = []
    /// The coupon that was applied.
    private(set) var coupon: Coupon?

    var isEmpty: Bool { lines.isEmpty }
    /// The number of pieces.
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    // MARK: Changing

    /// Adds one piece, up to ``most``; what has no price cannot be bought.
    mutating func add(_ tile: Tile) {
        guard tile.price != nil else { return }
        if let index = lines.firstIndex(where: { $0.tile.id == tile.id }) {
            lines[index].quantity = min(lines[index].quantity + 1, Self.most)
        } else {
            lines.append(Line(tile: tile, quantity: 1))
        }
    }

    /// Sets how many of a product there are, up to ``most``; 0 takes it out.
    mutating func set(_ quantity: Int, of id: String) {
        guard let index = lines.firstIndex(where: { $0.tile.id == id }) else { return }
        if quantity > 0 { lines[index].quantity = min(quantity, Self.most) } else { lines.remove(at: index) }
        if lines.isEmpty { coupon = nil }
    }

    /// Applies a coupon; a cart takes one.
    ///
    /// Returns whether it was applied.
    mutating func apply(_ coupon: Coupon) -> Bool {
        guard self.coupon == nil, !isEmpty, !coupon.isControl else { return false }
        self.coupon = coupon
        return true
    }

    /// Takes everything out.
    mutating func empty() {
        self = Cart()
    }

    // MARK: Prices

    /// The price of the products.
    var subtotal: Money { lines.reduce(.zero) { $0 + $1.total } }
    /// The amount that the coupon takes off.
    var discount: Money { subtotal.percent(coupon?.percentage ?? 0) }
    /// The amount to pay.
    var total: Money { subtotal - discount }

    /// Returns the price of one piece of a line with the coupon.
    func agreedPrice(of line: Line) -> Money {
        let price = line.tile.price ?? .zero
        return price - price.percent(coupon?.percentage ?? 0)
    }
}
