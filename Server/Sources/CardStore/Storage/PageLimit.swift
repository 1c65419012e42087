/// The maximum number of rows in one call.
package enum PageLimit {
    /// Returns the nearest number from 1 to 1000.
    package static func clamp(_ limit: Int) -> Int { min(max(limit, 1), highest) }

    /// The most that is read at once.
    package static let highest = 1_000
}
