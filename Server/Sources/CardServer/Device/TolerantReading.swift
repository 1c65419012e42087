import WireJSON

/// Reads members that may be of the wrong type, without failing while the text is JSON.
protocol TolerantReading {
    /// The first member of the wrong type.
    var wrong: String? { get set }
}

extension TolerantReading {
    /// Reads a string, or passes over what is none; `null` is the same as absent.
    mutating func string(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> String? {
        if try reader.peek() == .string { return try reader.readString() }
        try passOver(name, &reader)
        return nil
    }

    /// Reads a number, or passes over what is none; `null` is the same as absent.
    mutating func number(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Double? {
        if try reader.peek() == .number { return try reader.readDouble() }
        try passOver(name, &reader)
        return nil
    }

    /// Passes over a value; one that is not `null` is noted as wrong.
    mutating func passOver(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
        if try reader.readNull() { return }
        wrong = wrong ?? name
        try reader.skipValue()
    }
}
