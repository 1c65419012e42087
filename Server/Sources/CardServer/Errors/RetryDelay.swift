/// The time after which a refusal is worth trying again.
package enum RetryDelay {
    /// Returns the seconds for a status where nothing else is known, or `nil` for one that stays as it is.
    package static func standard(for status: Int) -> Int? { status == 429 || status == 503 ? 5 : nil }
}
