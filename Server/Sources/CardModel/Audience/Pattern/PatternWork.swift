import Liquid
import Synchronization

/// A limit on the work of regular expressions, of looking through long texts, and of going through long lists.
enum PatternWork: Sendable {
    /// Each as much as one may, see ``TextPattern/workLimit``; those that would take more are counted.
    case single(RefusedQuestions)
    /// All that one user's feed asks of one user no more than this together.
    case shared(SharedPatternWork)

    /// Each as much as one may, where nobody waits for all of them.
    static var each: PatternWork { .single(RefusedQuestions()) }

    /// The work that the conditions on all events of a request can take, since others wait for it to be recorded.
    static var ofBatch: PatternWork {
        .shared(SharedPatternWork(patternSteps: SharedPatternWork.batchPatternSteps))
    }

    /// The number of questions for which there was too little work.
    var refusals: Int {
        switch self {
        case .single(let refused): refused.count
        case .shared(let work): work.refusals
        }
    }

    /// Whether a text matches, or `nil` where finding out takes more work than there is.
    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        switch self {
        case .single(let refused):
            var work = TextPattern.workLimit
            let answer = pattern.matches(text, within: &work)
            if answer == nil { refused.add() }
            return answer
        case .shared(let work): return work.matches(pattern, text)
        }
    }

    /// Whether a text has a part, or `nil` where finding out takes more work than there is.
    func finds(_ part: ByteSearch, in text: String) -> Bool? {
        takesBytes(text.utf8.count) ? part.isFound(in: text) : nil
    }

    /// Takes the work of looking through a text, and returns whether there was as much.
    func takesBytes(_ count: Int) -> Bool {
        // Nearly every attribute: it costs no more than to count it.
        guard count > SharedPatternWork.freeBytes, case .shared(let work) = self else { return true }
        return work.takeBytes(count)
    }

    /// Takes the work of looking at so many values of an array, purchases, times or cards, and returns whether there
    /// was as much.
    func takesSteps(_ count: Int) -> Bool {
        guard count > SharedPatternWork.freeSteps, case .shared(let work) = self else { return true }
        return work.takeSteps(count)
    }
}

/// A number of questions for which there was too little work, which many conditions count.
final class RefusedQuestions: Sendable {
    private let refused = Atomic(0)

    /// The number of questions.
    var count: Int { refused.load(ordering: .relaxed) }

    /// Counts one more.
    func add() { refused.wrappingAdd(1, ordering: .relaxed) }
}

/// Work that many expressions share: a catalog may have any number of them, and a sync asks all.
final class SharedPatternWork: Sendable {
    /// The number of bytes of a text that can be looked through however often.
    static let freeBytes = 1_024
    /// The number of bytes of longer texts that are looked through: a few milliseconds, for which other users wait.
    static let searchLimit = 8 << 20

    /// The number of values, purchases, times or cards that can be looked at however often.
    static let freeSteps = 64
    /// The number of them that are looked at in longer lists.
    static let stepLimit = 1 << 20

    /// The number of steps that expressions on all events of a request lead to.
    static let batchPatternSteps = 4 * TextPattern.workLimit

    private let left: Mutex<Int>
    private let bytes = WorkBudget(SharedPatternWork.searchLimit)
    private let steps = WorkBudget(SharedPatternWork.stepLimit)
    private let refused = RefusedQuestions()

    init(patternSteps: Int = 2 * TextPattern.workLimit) { left = Mutex(patternSteps) }

    /// The number of questions for which there was too little work left.
    var refusals: Int { refused.count }

    func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
        let answer = left.withLock { pattern.matches(text, within: &$0) }
        if answer == nil { refused.add() }
        return answer
    }

    /// Takes the work of looking through a text, and returns whether there was as much.
    func takeBytes(_ count: Int) -> Bool { note(bytes.take(count)) }

    /// Takes the work of going through a list, and returns whether there was as much.
    func takeSteps(_ count: Int) -> Bool { note(steps.take(count)) }

    private func note(_ isTaken: Bool) -> Bool {
        if !isTaken { refused.add() }
        return isTaken
    }
}

/// An amount of work of one kind, of which it is taken until nothing is left.
struct WorkBudget: ~Copyable, Sendable {
    private let left: Atomic<Int>

    init(_ limit: Int) { left = Atomic(limit) }

    /// Takes some work, and returns whether there was as much.
    func take(_ count: Int) -> Bool {
        var known = left.load(ordering: .relaxed)
        while known >= count {
            // safe: not more than what is left
            let next = known - count
            let (isDone, present) = left.weakCompareExchange(expected: known, desired: next, ordering: .relaxed)
            if isDone { return true }
            known = present
        }
        return false
    }
}
