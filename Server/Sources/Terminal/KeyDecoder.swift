/// A key that was pressed.
package enum Key: Equatable, Sendable {
    case character(Character)
    case up
    case down
    case pageUp
    case pageDown
    case home
    case end
    case enter
    case escape
    /// Control and a letter, in lower case.
    case control(Character)
}

/// Turns the bytes that a terminal sends into keys.
///
/// The arrows come as several bytes that begin as the Escape key does; a lone Escape is only known as one when nothing
/// follows, which ``finish()`` says.
package struct KeyDecoder {
    private var pending: [UInt8] = []

    /// Creates a decoder at the beginning of a key.
    package init() {}

    /// Whether bytes are waiting for what follows them.
    package var isWaiting: Bool { !pending.isEmpty }

    /// Takes the next byte and returns the key that it completes.
    package mutating func take(_ byte: UInt8) -> Key? {
        pending.append(byte)
        if pending[0] == 0x1B { return takeSequence() }
        guard let text = String(validating: pending, as: UTF8.self), let character = text.first else {
            if pending.count >= 4 { pending = [] }
            return nil
        }
        pending = []
        return Self.key(of: character, byte)
    }

    /// Says that nothing follows for now.
    package mutating func finish() -> Key? {
        defer { pending = [] }
        return pending == [0x1B] ? .escape : nil
    }

    private static func key(of character: Character, _ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: .enter
        // safe: 26 at most
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0..<0x20, 0x7F: nil
        default: .character(character)
        }
    }

    private mutating func takeSequence() -> Key? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            pending = []
            return nil
        }
        guard pending.count > 2, let last = pending.last, (0x40...0x7E).contains(last) else {
            if pending.count > 16 { pending = [] }
            return nil
        }
        defer { pending = [] }
        return Self.key(ofSequence: String(decoding: pending[2...], as: UTF8.self))
    }

    private static func key(ofSequence text: String) -> Key? {
        switch text {
        case "A": .up
        case "B": .down
        case "H", "1~": .home
        case "F", "4~": .end
        case "5~": .pageUp
        case "6~": .pageDown
        default: nil
        }
    }
}
