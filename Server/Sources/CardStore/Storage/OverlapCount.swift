package import CardModel

/// Counts the users that several audiences have in common, at one moment of a database.
package struct OverlapCount<Scan: ReachScan> {
    private let question: AudienceQuestion
    private let scan: Scan
    private let total: Int64

    /// Prepares to count.
    ///
    /// - Parameters:
    ///   - question: What is asked of each user; it can't be used again.
    ///   - total: The number of users.
    ///   - scan: What looks at users and asks them the question.
    package init(_ question: AudienceQuestion, among total: Int64, by scan: Scan) {
        self.question = question
        self.total = total
        self.scan = scan
    }

    /// Counts exactly where there are few users, or by a sample.
    package func run(limits: ReachLimits = .overlap) throws -> AudienceOverlap {
        let isExact = total <= limits.exact
        let asked = isExact ? try scan.countAll().asked : try scan.countSample(below: limits.ranks(of: total)).asked
        return AudienceOverlap(users: question.users, asked: asked, total: total, isExact: isExact)
    }
}
