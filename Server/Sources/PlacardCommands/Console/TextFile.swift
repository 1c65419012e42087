import Foundation

/// A file of text that a command reads.
enum TextFile {
    /// Returns the text of a file, or of standard input for `-`.
    ///
    /// - Parameters:
    ///   - file: The path of the file, or `-`.
    ///   - standardInput: What is read for `-`.
    /// - Returns: The text.
    /// - Throws: `CommandError` where it can't be read, or isn't UTF-8: in place of each byte that is none, users
    ///   would see a question mark.
    static func read(
        _ file: String,
        standardInput: FileHandle = .standardInput
    ) throws(CommandError) -> String {
        let isInput = file == "-"
        guard let data = isInput ? rest(of: standardInput) : FileManager.default.contents(atPath: file) else {
            throw CommandError(
                isInput ? "Standard input can't be read." : "There is no file \(file) that can be read."
            )
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandError("\(isInput ? "Standard input" : file) isn't UTF-8. Save it in that encoding.")
        }
        return text
    }

    /// Returns what is left to read, or `nil` where it can't be, such as where standard input is closed:
    /// `readDataToEndOfFile` would end the process.
    private static func rest(of input: FileHandle) -> Data? { try? input.readToEnd() ?? Data() }
}
