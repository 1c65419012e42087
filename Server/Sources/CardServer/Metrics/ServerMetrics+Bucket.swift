/// The result of a request to the bucket of pictures.
enum BucketResult: String, CaseIterable, Sendable {
    /// It did what it was asked.
    case ok
    /// There is no such object.
    case missing
    /// It refused, as where the key has no right.
    case refused
    /// It couldn't, or answered something else.
    case failed
    /// It couldn't be reached, or didn't answer in time.
    case unreachable
    /// It wasn't asked, because it couldn't answer a moment ago.
    case skipped

    init(_ error: BucketError?) {
        switch error {
        case nil: self = .ok
        case .missing: self = .missing
        case .refused: self = .refused
        case .failed, .unexpected: self = .failed
        case .unreachable: self = .unreachable
        case .paused: self = .skipped
        }
    }
}

/// The counts of requests to the bucket.
struct BucketCounts: Sendable {
    private var counts: [BucketClient.Operation: [BucketResult: Int]] = [:]

    subscript(operation: BucketClient.Operation, result: BucketResult) -> Int {
        counts[operation]?[result] ?? 0
    }

    mutating func count(_ operation: BucketClient.Operation, _ result: BucketResult) {
        // safe: counted one by one
        counts[operation, default: [:]][result, default: 0] += 1
    }
}

extension ServerMetrics {
    /// Counts a request to the bucket, by what it failed with.
    func countBucketRequest(_ operation: BucketClient.Operation, _ error: BucketError?) {
        bucket.withLock { $0.count(operation, BucketResult(error)) }
    }

    /// The counts; zeros without a bucket, so that rates and alerts find their metric.
    var bucketLines: [String] {
        let (counts, name) = (bucket.withLock { $0 }, "placard_media_bucket_requests_total")
        var lines = describe(name, "counter", "Requests to the bucket of pictures, by operation and result.")
        for operation in BucketClient.Operation.allCases {
            lines += BucketResult.allCases.map { result in
                let labels = "operation=\"\(operation.rawValue)\",result=\"\(result.rawValue)\""
                return "\(name){\(labels)} \(counts[operation, result])"
            }
        }
        return lines
    }
}
