public import WireJSON

/// An amount of money in a currency's main unit, exact to nine decimals.
///
/// Amounts of different currencies are never added.
public typealias Amount = ExactDecimal

extension Amount {
    /// The largest price of one piece, of either sign: a million millions.
    ///
    /// Times the largest quantity, this leaves room for a hundred thousand millions of such purchases in a sum.
    public static let largestPrice: Amount = 1_000_000_000_000

    /// Whether the amount can be a price; one below zero is a refund.
    public var isPrice: Bool { self >= -Self.largestPrice && self <= Self.largestPrice }
}
