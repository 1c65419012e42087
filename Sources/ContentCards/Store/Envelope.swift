import Foundation

/// Wraps the contents of a file with its format and a checksum: a first line, and then JSON.
enum Envelope {
    private static let format = "placard 1 "

    static func seal(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let body = try encoder.encode(value)
        return Data((format + CRC32.text(body) + "\n").utf8) + body
    }

    /// Returns the contents, or `nil` when the file is damaged or of another format.
    static func open<Value: Decodable>(_ data: Data, as type: Value.Type) -> Value? {
        guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = data[data.index(after: end)...]
        let header = String(decoding: data[..<end], as: UTF8.self)
        let checksum = body.withUnsafeBytes { CRC32.text($0) }
        guard header == format + checksum else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return try? decoder.decode(type, from: Data(body))
    }
}
