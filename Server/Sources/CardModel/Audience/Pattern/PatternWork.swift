import Liquid
import Synchronization

/// A limit on the work of regular expressions, and of looking through long texts.
enum PatternWork: Sendable {
    /// Each as much as one may; see ``TextPattern/workLimit``.
    case each
    /// All that one user's feed asks of one user no more than this together.
    case shared(SharedPatternWork)

    /// The number of questions for which there was too little work left, where work is shared.
    var refusals: Int { if case .shared(let work) = self { work.refusals } else { 0 } }

    /// Whether a text matches, or `nil` where finding out takes more work than there is.
    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        switch self {
        case .each:
            var work = TextPattern.workLimit
            return pattern.matches(text, within: &work)
        case .shared(let work): return work.matches(pattern, text)
        }
    }

    /// Whether a text has a part, or `nil` where finding out takes more work than there is.
    func finds(_ part: ByteSearch, in text: String) -> Bool? {
        let count = text.utf8.count
        // Nearly every attribute: it costs no more than to count it.
        guard count > SharedPatternWork.freeBytes, case .shared(let work) = self else { return part.isFound(in: text) }
        return work.takeBytes(count) ? part.isFound(in: text) : nil
    }
}

/// Work that many expressions share: a catalog may have any number of them, and a sync asks all.
final class SharedPatternWork: Sendable {
    /// The number of bytes of a text that can be looked through however often.
    static let freeBytes = 1_024
    /// The number of bytes of longer texts that are looked through: a few milliseconds, for which other users wait.
    static let searchLimit = 8 << 20

    private let left = Mutex(2 * TextPattern.workLimit)
    private let bytesLeft = Atomic(SharedPatternWork.searchLimit)
    private let refused = Atomic(0)

    /// The number of questions for which there was too little work left.
    var refusals: Int { refused.load(ordering: .relaxed) }

    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        let answer = left.withLock { pattern.matches(text, within: &$0) }
        if answer == nil { refused.wrappingAdd(1, ordering: .relaxed) }
        return answer
    }

    /// Takes the work of looking through a text, and returns whether there was as much.
    func takeBytes(_ count: Int) -> Bool {
        var known = bytesLeft.load(ordering: .relaxed)
        while known >= count {
            // safe: not more than what is left
            let next = known - count
            let (isDone, present) = bytesLeft.weakCompareExchange(
                expected: known,
                desired: next,
                ordering: .relaxed
            )
            if isDone { return true }
            known = present
        }
        refused.wrappingAdd(1, ordering: .relaxed)
        return false
    }
}
