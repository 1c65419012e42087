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
        // A character that isn't gone on with is none, and the byte begins another key.
        if let first = pending.first, first != 0x1B, byte & 0xC0 != 0x80 { pending = [] }
        pending.append(byte)
        if pending[0] == 0x1B { return takeSequence() }
        guard let text = String(validating: pending, as: UTF8.self), let character = text.first else {
            if pending.count >= Self.length(after: pending[0]) { pending = [] }
            return nil
        }
        pending = []
        return Self.key(of: character, byte)
    }

    /// The number of bytes of a character, by the first one; 1 for what begins none.
    private static func length(after first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
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
            // After Escape itself there may come what begins with it, or nothing.
            let isTwice = pending[1] == 0x1B
            pending = isTwice ? [0x1B] : []
            return isTwice ? .escape : nil
        }
        // Some function keys have a second bracket before their letter.
        let isOpen = pending.count == 3 && pending[2] == UInt8(ascii: "[")
        guard pending.count > 2, !isOpen, let last = pending.last, (0x40...0x7E).contains(last) else {
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
