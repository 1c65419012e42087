/// The position in JSON of a text that is being put out: within a string or outside of one.
///
/// The text need not be valid, nor complete: a quotation mark opens a string or closes it, unless it is escaped.
struct JSONPosition: Sendable, Equatable {
    /// Whether what comes next is within a string.
    private(set) var isInString = false
    /// Whether what comes next is within a string, after a backslash that takes one more character.
    private(set) var isEscaped = false

    /// Moves past text.
    mutating func advance(past bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if byte == UInt8(ascii: "\\"), isInString {
                isEscaped = true
            }
        }
    }
}
