/// Shards that don't answer, so that what a page adds up is without theirs.
enum MissingShards {
    /// Returns the sentence that says so.
    ///
    /// - Parameter shards: The numbers of the shards.
    /// - Returns: The sentence, or `nil` where all answer.
    static func sentence(_ shards: [Int]) -> String? {
        guard let first = shards.first else { return nil }
        let names = PageFormatter.list(shards.map { String($0) })
        return shards.count == 1
            ? localized("Shard \(first) doesn’t answer. The numbers are without those of its users.")
            : localized("Shards \(names) don’t answer. The numbers are without those of their users.")
    }
}
