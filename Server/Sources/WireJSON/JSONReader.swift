/// Reads JSON strictly and in one pass, without building what the caller does not ask for.
///
/// The caller walks the text: ``beginObject()`` and ``nextKey()``, ``beginArray()`` and ``nextElement()``, then one
/// `read` or ``skipValue()`` for each value. Everything is checked on the way, skipped values too.
///
/// A reader borrows the bytes that it was made over and must not outlive them, which is why one is only handed out by
/// ``read(_:maximumDepth:_:)``.
public struct JSONReader {
    /// The default maximum depth of arrays and objects.
    public static let defaultMaximumDepth = 64

    /// The kinds of value.
    public enum Kind: Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number, whole or not.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    let text: UnsafeBufferPointer<UInt8>
    /// The byte that is read next, from 0.
    public internal(set) var offset = 0  // bounded: a place in the text
    private let maximumDepth: Int
    private var depth = 0
    /// Whether the innermost array or object has had an element.
    private var isFirst = true

    /// Reads one text to its end.
    ///
    /// - Throws: `JSONError` where the text is not JSON, is not what `body` expects, or goes on after its value.
    public static func read<Result>(
        _ bytes: some Sequence<UInt8>,
        maximumDepth: Int = defaultMaximumDepth,
        _ body: (inout JSONReader) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let outcome = bytes.withContiguousStorageIfAvailable { buffer in
            readToEnd(buffer, maximumDepth, body)
        }
        if let outcome { return try outcome.get() }
        return try Array(bytes).withUnsafeBufferPointer { buffer in
            readToEnd(buffer, maximumDepth, body)
        }.get()
    }

    private static func readToEnd<Result>(
        _ text: UnsafeBufferPointer<UInt8>,
        _ maximumDepth: Int,
        _ body: (inout JSONReader) throws(JSONError) -> Result
    ) -> Swift.Result<Result, JSONError> {
        var reader = JSONReader(text: text, maximumDepth: maximumDepth)
        do throws(JSONError) {
            let result = try body(&reader)
            try reader.finish()
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    init(text: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.text = text
        self.maximumDepth = maximumDepth
    }

    private mutating func finish() throws(JSONError) {
        if depth > 0 { throw error("An array or object was not read to its end") }
        skipSpace()
        if offset < text.count { throw error("Text goes on after the JSON value") }
    }

    /// Makes an error at the present place.
    public func error(_ message: String) -> JSONError {
        JSONError(message, at: offset)
    }

    /// Makes an error for a member whose name stands twice in its object, at the present place.
    public func repeatedName() -> JSONError { .repeatedName(at: offset) }

    // MARK: Walking

    /// The kind of the next value, judged by its first character.
    public mutating func peek() throws(JSONError) -> Kind {
        skipSpace()
        guard offset < text.count else { throw error("The text ends where a value should be") }
        switch text[offset] {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw error("Not a JSON value")
        }
    }

    /// Enters an object.
    public mutating func beginObject() throws(JSONError) {
        try begin(UInt8(ascii: "{"), "An object is expected")
    }

    /// Enters an array.
    public mutating func beginArray() throws(JSONError) {
        try begin(UInt8(ascii: "["), "An array is expected")
    }

    /// Steps to the next member of the object and returns its name, or leaves the object and returns `nil`.
    public mutating func nextKey() throws(JSONError) -> JSONKey? {
        guard try nextItem(closing: UInt8(ascii: "}")) else { return nil }
        guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
            throw error("A member's name is expected")
        }
        let token = try scanString()
        let decoded = token.isPlain ? nil : try decode(token)
        skipSpace()
        guard offset < text.count, text[offset] == UInt8(ascii: ":") else { throw error("A colon is expected") }
        offset += 1
        return JSONKey(raw: UnsafeBufferPointer(rebasing: text[token.range]), decoded: decoded)
    }

    /// Steps to the next element of the array, or leaves the array and returns `false`.
    public mutating func nextElement() throws(JSONError) -> Bool {
        try nextItem(closing: UInt8(ascii: "]"))
    }

    private mutating func begin(_ opening: UInt8, _ message: String) throws(JSONError) {
        skipSpace()
        guard offset < text.count, text[offset] == opening else { throw error(message) }
        guard depth < maximumDepth else { throw error("Arrays and objects nest deeper than \(maximumDepth)") }
        offset += 1
        depth += 1
        isFirst = true
    }

    private mutating func nextItem(closing: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard offset < text.count else { throw error("The text ends inside an array or object") }
        if text[offset] == closing {
            offset += 1
            depth -= 1
            isFirst = false
            return false
        }
        if !isFirst {
            guard text[offset] == UInt8(ascii: ",") else { throw error("A comma is expected") }
            offset += 1
            skipSpace()
        }
        isFirst = false
        return true
    }

    @inline(__always)
    mutating func skipSpace() {
        while offset < text.count {
            switch text[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }
}
