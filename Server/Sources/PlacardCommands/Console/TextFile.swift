import Foundation

/// A file of text that a command reads.
enum TextFile {
    /// Returns the text of a file, or of standard input for `-`.
    ///
    /// - Throws: `CommandFailure` where it can't be read, or isn't UTF-8: in place of each byte that is none, users
    ///   would see a question mark.
    static func read(_ file: String) throws(CommandFailure) -> String {
        let name = file == "-" ? "Standard input" : file
        let data =
            file == "-"
            ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
        guard let data else { throw CommandFailure("There is no file \(file) that can be read.") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure("\(name) isn't UTF-8. Save it in that encoding.")
        }
        return text
    }
}
