/// Tells developers what the app asks for and can't have, in the words of UIKit.
@MainActor
enum ConsoleLog {
    /// Writes a line, by default to standard error.
    static var write: @MainActor (String) -> Void = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
}
