extension JSONValue {
    /// Creates a number, in the form in which its text is read.
    public init(_ number: ExactDecimal) {
        if let whole = number.integer {
            self = .integer(whole)
        } else if case let double = number.double, ExactDecimal(exactly: double) == number {
            self = .number(double)
        } else {
            self = .decimal(number)
        }
    }

    /// The number to its last digit, or `nil` for any other kind, more than nine decimals, and one beyond the range of
    /// ``ExactDecimal``.
    public var exact: ExactDecimal? {
        switch self {
        case .integer(let value): ExactDecimal(value)
        case .number(let value): ExactDecimal(exactly: value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The number rounded to nine decimals, half to even, or `nil` for any other kind and one beyond the range of
    /// ``ExactDecimal``.
    public var roundedDecimal: ExactDecimal? {
        if case .number(let value) = self { ExactDecimal(rounding: value) } else { exact }
    }
}
