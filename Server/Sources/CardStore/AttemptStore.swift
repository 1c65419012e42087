public import CardModel

/// Keeps the attempts at something that can be guessed, such as passwords and codes.
public protocol AttemptStore: Sendable {
    /// Takes a permit for an attempt: looks and counts in one step, so that of any number of attempts at once only as
    /// many are permitted as one after the other.
    ///
    /// The attempt is counted as a failure until ``returnAttempt(_:clearing:)``. What is kept is bounded: counts are
    /// removed after a day without attempts, and beyond some 50,000 the oldest are.
    ///
    /// - Returns: 0 where the attempt is permitted, or the seconds to wait; then nothing was counted.
    func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double

    /// Gives a permit back.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that was permitted.
    ///   - clearing: Whether the attempt has succeeded, so that earlier failures of the same one are removed.
    /// - Throws: `StoreError` where it cannot be written; then the attempt stays counted.
    func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws
}
