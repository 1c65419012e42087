/// Looks for entries of the audit log that are missing or were changed.
public struct AuditVerification: Sendable {
    /// Something that is wrong.
    public enum AuditFinding: Sendable, Hashable, CustomStringConvertible {
        /// The entry isn't what was written.
        case changed(position: Int64)
        /// Entries between two others are gone.
        case missing(after: Int64, before: Int64)
        /// Entries at the end are gone.
        case truncated(after: Int64)
        /// There are entries after the one that the log is said to end with: what says so was put back or lost.
        case unrecorded(after: Int64)
        /// The log isn't the one whose end was noted: it was rewritten, or goes back to before that.
        case rewritten(AuditChain.Mark)

        /// The problem in a sentence.
        public var description: String {
            switch self {
            case .changed(let position): "Entry \(position) was changed."
            case .missing(let start, let end): "Entries between \(start) and \(end) are missing."
            case .truncated(0): "All entries are missing."
            case .truncated(let position): "Entries after \(position) are missing."
            case .unrecorded(0): "The log is said to be empty, and has entries."
            case .unrecorded(let position): "The log is said to end with entry \(position), and has later ones."
            case .rewritten(let mark): "The log doesn't contain the point \(mark): it was rewritten."
            }
        }
    }

    private let chain: AuditChain
    private let mark: AuditChain.Mark?
    private var previous: AuditChain.Mark
    private var problems: [AuditFinding] = []
    private var isMarkFound = false

    /// Begins to verify a log.
    ///
    /// - Parameters:
    ///   - chain: How the store says that it begins and ends.
    ///   - mark: How it ended some time ago, or `nil`.
    public init(of chain: AuditChain, expecting mark: AuditChain.Mark? = nil) {
        self.chain = chain
        self.mark = mark
        previous = chain.anchor
        compareWithMark()
    }

    /// Checks the next entries, the oldest first.
    public mutating func check(_ entries: [AuditEntry]) {
        for entry in entries {
            if entry.chained(to: previous.hash) != entry.hash {
                let isGap = entry.position != previous.position &+ 1
                problems.append(
                    isGap
                        ? .missing(after: previous.position, before: entry.position)
                        : .changed(position: entry.position)
                )
            }
            previous = AuditChain.Mark(count: previous.count &+ 1, position: entry.position, hash: entry.hash)
            compareWithMark()
        }
    }

    /// Returns what is wrong, once all entries were checked.
    public func finish() -> [AuditFinding] {
        var problems = problems
        if previous.hash != chain.last.hash || previous.position != chain.last.position {
            problems.append(.truncated(after: previous.position))
        } else if previous.count != chain.last.count, problems.isEmpty {
            problems.append(.missing(after: chain.anchor.position, before: chain.last.position))
        }
        // What was pruned can't be compared any more.
        if let mark, !isMarkFound, mark.count >= chain.anchor.count { problems.append(.rewritten(mark)) }
        return problems
    }

    private mutating func compareWithMark() {
        if let mark, previous.count == mark.count, previous.hash == mark.hash { isMarkFound = true }
    }
}
