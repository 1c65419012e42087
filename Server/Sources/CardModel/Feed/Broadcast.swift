/// A trigger for everybody in an audience, kept once for all of them.
public struct Broadcast: Sendable, Hashable {
    /// What each of its users gets.
    public var trigger: Trigger
    /// Who of the campaign's audience is meant.
    public var audience: Audience

    /// Makes a broadcast.
    public init(_ trigger: Trigger, to audience: Audience = .everyone) {
        self.trigger = trigger
        self.audience = audience
    }
}
