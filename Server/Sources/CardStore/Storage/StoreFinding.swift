/// Something of a store that was looked at, and how it is.
public struct StoreFinding: Sendable, Hashable {
    /// How serious it is.
    public enum Level: String, Sendable {
        /// As it should be.
        case good
        /// Works, but wants looking after.
        case warning
        /// Does not work, or data is at risk.
        case bad
    }

    /// How serious it is.
    public let level: Level
    /// What was looked at, such as `integrity`; the same in every version.
    public let subject: String
    /// How it is and, where it is not good, what to do.
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
