import Foundation

/// Wraps the contents of a file with its format and a checksum, on a line before them.
enum Envelope {
    private static let format = "placard 1 "

    static func seal(_ body: some Collection<UInt8>) -> Data {
        Data((format + CRC32.text(body) + "\n").utf8) + Data(body)
    }

    /// Reads the contents; `nil` when they are damaged, of another format, or not what `read` expects.
    static func open<Value>(_ data: Data, _ read: (UnsafeRawBufferPointer) throws -> Value) -> Value? {
        guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let header = String(decoding: data[..<end], as: UTF8.self)
        return data[data.index(after: end)...].withUnsafeBytes { body in
            header == format + CRC32.text(body) ? try? read(body) : nil
        }
    }
}
