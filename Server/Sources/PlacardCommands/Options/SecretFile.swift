import CommandSettings
import Foundation

/// A file that a setting names and whose first line is a secret, such as a password.
enum SecretFile {
    /// The longest secret, in bytes.
    private static let longest = 4_096
    /// The bytes that some programs write before UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the first line that isn't empty, without the end of the line.
    ///
    /// - Parameter file: The setting that names the file.
    /// - Returns: The secret.
    /// - Throws: `ConfigurationError` where it can't be read as a whole; it never says what is in the file.
    static func firstLine(_ file: SettingValues.Value) throws(ConfigurationError) -> String {
        // The mark, and one byte that tells a line that is too long, of which a part would be another secret.
        guard let handle = FileHandle(forReadingAtPath: file.text),
            let data = try? handle.read(upToCount: longest + 4),
            let line = lines(of: data).first
        else { throw ConfigurationError("\(file.origin): \(file.text) can't be read, or is empty.") }
        guard line.count <= longest, let secret = String(validating: line, as: UTF8.self) else {
            throw ConfigurationError(
                "\(file.origin): the first line of \(file.text) has to be at most \(longest) bytes of UTF-8."
            )
        }
        return secret
    }

    private static func lines(of data: Data) -> [ArraySlice<UInt8>] {
        let bytes = [UInt8](data)
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        return text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
}
