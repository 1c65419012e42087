import WireJSON
import WireYAML

extension FuzzTarget {
    /// The server's reader and writer of JSON.
    static let json = FuzzTarget("json") { input in
        guard let value = try? JSONValue(parsing: input) else {
            try require((try? skip(input)) == nil, "What is passed over is not read")
            return
        }
        try skip(input)
        let text = value.bytes
        try requireSame(try JSONValue(parsing: text), value, "What was written is read back")
        try requireSame(JSONValue(parsing: text).bytes, text, "What was written is written again")
        try require(String(validating: text, as: UTF8.self) != nil, "What was written is UTF-8")
    }

    private static func skip(_ input: [UInt8]) throws {
        let end = try JSONReader.read(input) { reader throws(JSONError) in
            try reader.skipValue()
            return reader.offset
        }
        try require(end <= input.count, "What is passed over lies within its text")
    }

    /// The reader of YAML, which reads the JSON that it makes in the same way.
    static let yaml = FuzzTarget("yaml", maximumLength: 2_048) { input in
        guard let value = try? JSONValue(yaml: String(decoding: input, as: UTF8.self)) else { return }
        let text = value.bytes
        try requireSame(try JSONValue(parsing: text).bytes, text, "What was read can be written")
    }
}
