public import WireJSON

/// A message by e-mail to a member of the team, which waits to be sent.
public struct Mail: Sendable, Hashable {
    /// The maximum number of messages that wait.
    public static let limit = 10_000
    /// The number of seconds for which a message without a link that expires is tried: three days.
    public static let lifetime = 259_200.0

    /// The id, `mail_` and 22 letters and digits, by which receivers recognize a message that was sent twice.
    @Bytewise public var id: String
    /// The e-mail address of the member.
    @Bytewise public var recipient: String
    /// The language that it is written in, such as `ja`, or `nil` for the first that there is.
    @Bytewise public var language: String?
    /// The content of the message.
    public var content: MailContent
    /// The time at which it was made.
    public var createdAt: UnixTime
    /// The time from which the message is of no use.
    public var expiresAt: UnixTime

    /// Creates a message.
    public init(
        id: String,
        to recipient: String,
        in language: String?,
        _ content: MailContent,
        at time: UnixTime,
        until expiry: UnixTime
    ) {
        self.id = id
        self.recipient = recipient
        self.language = language
        self.content = content
        createdAt = time
        expiresAt = expiry
    }
}

/// The times at which a message that could not be sent is tried again.
public enum MailRetry {
    /// The pause after the first failure, in seconds.
    static let shortestPause = 30.0
    /// The longest pause, in seconds.
    static let longestPause = 3_600.0

    /// Returns the pause after a failure, in seconds: twice as long as the one before, and some more or less.
    ///
    /// - Parameters:
    ///   - failures: How many attempts have failed, this one included.
    ///   - chance: A number from 0 to 1.
    /// - Returns: 22.5 seconds at least, and an hour and a quarter at most.
    public static func pause(after failures: Int, chance: Double) -> Double {
        let doubled = shortestPause * Double(sign: .plus, exponent: min(max(failures, 1) - 1, 16), significand: 1)
        return min(doubled, longestPause) * (0.75 + chance / 2)
    }
}
