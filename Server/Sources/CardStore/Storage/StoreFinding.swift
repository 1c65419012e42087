/// Something of a store that was looked at, and how it is.
public struct StoreFinding: Sendable, Hashable {
    /// The severity of a finding.
    public enum Level: String, Sendable {
        /// As it should be.
        case good
        /// Works, but wants looking after.
        case warning
        /// Does not work, or data is at risk.
        case bad
    }

    /// The severity of the finding.
    public let level: Level
    /// The name of what was looked at, such as `integrity`; the same in every version.
    public let subject: String
    /// The message that says how it is and, where it is not good, what to do.
    public let message: String
    /// The command to run, or `nil` where there is none.
    public var command: String?

    /// Creates a finding.
    public init(level: Level, subject: String, message: String, command: String? = nil) {
        self.level = level
        self.subject = subject
        self.message = message
        self.command = command
    }
}
