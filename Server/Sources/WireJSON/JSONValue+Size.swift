extension JSONValue {
    /// The number of bytes of ``text``, counted without writing it; of a number with a fraction, about that many.
    public var encodedSize: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .integer(let value): Self.digits(value)
        case .number(let value): value.isFinite ? value.description.utf8.count : 4
        case .decimal(let value): value.description.utf8.count
        case .string(let value): Self.size(value)
        case .array(let elements): elements.reduce(1 + max(1, elements.count)) { $0 + $1.encodedSize }
        case .object(let members):
            // safe: all of it is in memory
            members.reduce(1 + max(1, members.count)) { $0 + Self.size($1.key) + 1 + $1.value.encodedSize }
        }
    }

    private static func digits(_ value: Int64) -> Int {
        var count = value < 0 ? 2 : 1
        var rest = value.magnitude
        while rest > 9 {
            count += 1
            rest /= 10
        }
        return count
    }

    private static func size(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.reduce(2) { size, byte in
                switch byte {
                case 0x22, 0x5C, 0x0A, 0x0D, 0x09: size + 2
                case ..<0x20: size + 6
                default: size + 1
                }
            }
        }
    }
}
