import Foundation

/// An amount of a currency, exact to its hundredth.
struct Money: Hashable, Sendable {
    /// The amount, with two decimal places at most.
    let amount: Decimal
    /// The currency (ISO 4217).
    let currency: String

    /// Takes an amount and rounds it to the hundredth, halves up.
    init(_ amount: Decimal, currency: String = "EUR") {
        var exact = amount
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, 2, .plain)
        self.amount = rounded
        self.currency = currency
    }

    /// The amount as people of a region write it; the shop is Irish.
    func formatted(_ locale: Locale = Locale(identifier: "en_IE")) -> String {
        amount.formatted(.currency(code: currency).locale(locale))
    }

    /// Returns the part of the amount that a percentage is.
    func percent(_ percentage: Decimal) -> Money { Money(amount * percentage / 100, currency: currency) }

    static let zero = Money(0)

    static func + (left: Money, right: Money) -> Money {
        Money(left.amount + right.amount, currency: left.currency)
    }

    static func - (left: Money, right: Money) -> Money {
        Money(left.amount - right.amount, currency: left.currency)
    }

    static func * (left: Money, right: Int) -> Money {
        Money(left.amount * Decimal(right), currency: left.currency)
    }
}
