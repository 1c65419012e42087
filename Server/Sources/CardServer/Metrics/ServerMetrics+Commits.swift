import CardStore

extension ServerMetrics {
    /// Returns the counts of a store's groups of changes; zeros for a store without them, so that rates and alerts find
    /// their metrics.
    func commitLines(_ counts: GroupCommitLog.Counts) -> [String] {
        let name = "placard_group_commit"
        var lines = describe("\(name)_changes", "histogram", "How many changes were written in one transaction.")
        lines += histogramLines("\(name)_changes", counts.changes)
        lines += describe("\(name)_wait_seconds", "histogram", "How long the first change of a transaction waited.")
        lines += histogramLines("\(name)_wait_seconds", counts.waits)
        lines += describe("\(name)_seconds", "histogram", "How long a transaction took until it was durable.")
        return lines + histogramLines("\(name)_seconds", counts.durations)
    }

    private func histogramLines(_ name: String, _ histogram: GroupCommitLog.Histogram) -> [String] {
        var lines: [String] = []
        var total: UInt64 = 0
        let bounds = histogram.bounds.map { "\($0)" } + ["+Inf"]
        for (bound, count) in zip(bounds, histogram.counts) {
            // safe: counts that went up by one
            total += count
            lines.append("\(name)_bucket{le=\"\(bound)\"} \(total)")
        }
        return lines + ["\(name)_sum \(histogram.sum)", "\(name)_count \(total)"]
    }
}

extension Tracer {
    /// Notes a span of each group of changes that a store writes, as many as are to be traced.
    ///
    /// A group belongs to many requests, so its span belongs to none of them.
    ///
    /// - Parameter log: What tells of the groups, or `nil` where there are none.
    /// - Returns: The tracer itself.
    func noting(groupsOf log: GroupCommitLog?) -> Tracer {
        log?.observe { [self] group in
            note(.internal, took: group.duration) { span in
                span.name = "store.commit"
                span.attributes = [
                    ("placard.changes", .number(group.changes)),
                    (
                        "placard.wait_microseconds",
                        .number(Int(exactly: (group.wait / .microseconds(1)).rounded()) ?? .max)
                    ),
                ]
            }
        }
        return self
    }
}
