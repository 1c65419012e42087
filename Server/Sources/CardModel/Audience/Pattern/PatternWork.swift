import Synchronization

/// A limit on the work of regular expressions.
enum PatternWork: Sendable {
    /// Each as much as one may; see ``TextPattern/workLimit``.
    case each
    /// All that one user's feed asks of one user no more than this together.
    case shared(SharedPatternWork)

    /// Whether a text matches, or `nil` where finding out takes more work than there is.
    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        switch self {
        case .each:
            var work = TextPattern.workLimit
            return pattern.matches(text, within: &work)
        case .shared(let work): return work.matches(pattern, text)
        }
    }
}

/// Work that many expressions share: a catalog may have any number of them, and a sync asks all.
final class SharedPatternWork: Sendable {
    private let left = Mutex(2 * TextPattern.workLimit)

    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        left.withLock { pattern.matches(text, within: &$0) }
    }
}
