import WireJSON

/// Numbers as members type them: keyboards for Japanese write digits and signs in full width, such as `１００`.
enum TypedNumber {
    /// The signs of numbers in full width, and those of ASCII that they stand for.
    private static let forms: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
        zip("０１２３４５６７８９＋－．，％、".unicodeScalars, "0123456789+-.,%,".unicodeScalars),
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns a text with the digits and signs of ASCII in place of those in full width.
    static func ascii(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(forms[scalar] ?? scalar) }
        return String(scalars)
    }

    /// Returns the number that a field says, as ``JSONValue/guessing(_:)`` finds it, or else what was typed.
    static func json(_ text: String) -> JSONValue {
        let value = JSONValue.guessing(ascii(text))
        if case .string = value { return .string(text) }
        return value
    }

    /// Returns the weight that a variant's field holds, or `nil` for anything that is no whole number.
    static func weight(of variant: JSONValue) -> Int64? { Int64(ascii(variant.trimmed(.weight))) }
}
