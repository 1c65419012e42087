import ContentCards

/// Makes ids that count up: `00000000-0000-7000-8000-000000000001` and so on.
public final class SequentialIDs: IDSource {
    private let last = Locked(0)

    /// Creates a source whose first id ends in 1.
    public init() {}

    /// Returns the next id.
    public func next() -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        let digits = String(number)
        return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
