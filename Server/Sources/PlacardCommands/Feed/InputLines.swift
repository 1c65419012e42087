import Foundation

/// Reads standard input on a thread of its own, since reading waits.
enum InputLines {
    /// Hands over each line, and `nil` at the end.
    static func read(_ take: @escaping @Sendable (String?) -> Void) {
        Thread.detachNewThread {
            while let line = readLine(strippingNewline: true) { take(line) }
            take(nil)
        }
    }
}
