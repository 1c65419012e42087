extension JSONReader {
    /// Reads a value of any kind.
    ///
    /// - Parameter isUnambiguous: Whether an object with a name that stands in it twice is refused: two readers may
    ///   take different ones of its values. By default the last one counts.
    /// - Returns: The value.
    /// - Throws: `JSONError` with the place of the first problem.
    public mutating func readValue(isUnambiguous: Bool = false) throws(JSONError) -> JSONValue {
        switch try peek() {
        case .null:
            try expect("null")
            return .null
        case .bool: return .bool(try readBool())
        case .string: return .string(try readString())
        case .number: return try value(of: scanNumber())
        case .array:
            var elements: [JSONValue] = []
            try beginArray()
            while try nextElement() { elements.append(try readValue(isUnambiguous: isUnambiguous)) }
            return .array(elements)
        case .object:
            var members = JSONObject()
            try beginObject()
            while let key = try nextKey() {
                let (name, place, count) = (key.string, offset, members.count)
                members[name] = try readValue(isUnambiguous: isUnambiguous)
                if isUnambiguous, members.count == count { throw JSONError.repeatedName(at: place) }
            }
            return .object(members)
        }
    }

    /// Reads an object in which no name stands twice, each value by a function that is told its name.
    ///
    /// - Throws: `JSONError` with the place of the first problem.
    public mutating func readMembers(
        _ read: (JSONKey, inout JSONReader) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONObject {
        var members = JSONObject()
        try beginObject()
        while let key = try nextKey() {
            let (name, place, count) = (key.string, offset, members.count)
            members[name] = try read(key, &self)
            if members.count == count { throw JSONError.repeatedName(at: place) }
        }
        return members
    }

    /// Passes over a value of any kind, checking it.
    public mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case .null: try expect("null")
        case .bool: _ = try readBool()
        case .string:
            let token = try scanString()
            if !token.isPlain { _ = try decode(token) }
        case .number: _ = try double(of: scanNumber())
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .object:
            try beginObject()
            while try nextKey() != nil { try skipValue() }
        }
    }

    /// Passes over `null` and returns `true`, or does nothing and returns `false`.
    public mutating func readNull() throws(JSONError) -> Bool {
        guard try peek() == .null else { return false }
        try expect("null")
        return true
    }

    /// Reads `true` or `false`.
    public mutating func readBool() throws(JSONError) -> Bool {
        guard try peek() == .bool else { throw error("true or false is expected") }
        // safe: peeking has found something there
        if text[offset] == UInt8(ascii: "t") {
            try expect("true")
            return true
        }
        try expect("false")
        return false
    }

    /// Reads a string.
    public mutating func readString() throws(JSONError) -> String {
        guard try peek() == .string else { throw error("A string is expected") }
        return try decode(scanString())
    }

    /// Reads a string and hands over its bytes where it has no escapes, or `nil` where it has.
    ///
    /// For identifiers and the names of enumerations, which never need a string of their own.
    public mutating func readBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>?) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        guard try peek() == .string else { throw error("A string is expected") }
        let token = try scanString()
        if !token.isPlain { _ = try decode(token) }
        // safe: the string was read there
        return try body(token.isEscaped ? nil : UnsafeBufferPointer(rebasing: text[token.range]))
    }

    /// Reads a number, as the nearest `Double`.
    ///
    /// - Throws: `JSONError` where it is none, or is larger than any `Double`.
    public mutating func readDouble() throws(JSONError) -> Double {
        guard try peek() == .number else { throw error("A number is expected") }
        return try double(of: scanNumber())
    }

    /// Reads a number rounded to nine decimals, half to even, or returns `nil` for one beyond the range.
    ///
    /// - Throws: `JSONError` where it is none.
    public mutating func readDecimal() throws(JSONError) -> ExactDecimal? {
        guard try peek() == .number else { throw error("A number is expected") }
        return decimal(of: try scanNumber())
    }

    /// Reads a whole number, however it is spelled: `5`, `5.0` and `0.5e1` are one.
    ///
    /// - Throws: `JSONError` where it is none, or does not fit 64 bits.
    public mutating func readInteger() throws(JSONError) -> Int64 {
        guard try peek() == .number else { throw error("A number is expected") }
        let number = try scanNumber()
        guard let value = try integer(of: number) else {
            throw JSONError("A whole number is expected", at: number.range.lowerBound)
        }
        return value
    }

    // safe: what is left was asked for
    mutating func expect(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard text.count - offset >= count,
            text[offset..<offset + count].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw error("Not a JSON value") }
        offset += count
    }
}
