/// The number of users that several audiences have in common, exactly or by a sample.
public struct AudienceOverlap: Sendable, Hashable {
    /// The maximum number of audiences that are compared at once.
    public static let limit = 32

    /// The number of all users.
    public let total: Int64
    /// The number of users that were asked.
    public let asked: Int64
    /// Whether every user was asked.
    public let isExact: Bool
    /// The number of users that were asked, by the audiences that they are in, one bit each.
    ///
    /// Users that no audience means are left out.
    public let users: [UInt32: Int64]

    /// Creates an overlap of what was found.
    public init(users: [UInt32: Int64], asked: Int64, total: Int64, isExact: Bool) {
        self.users = users
        self.asked = asked
        self.total = total
        self.isExact = isExact
    }

    /// Returns how many users all of some audiences mean, by their places.
    public func reach(ofAll places: [Int]) -> AudienceReach {
        let wanted = Self.bits(places)
        return reach { $0 & wanted == wanted }
    }

    /// Returns how many users more than a number of some audiences mean, by their places.
    public func reach(ofMoreThan count: Int, among places: [Int]) -> AudienceReach {
        let wanted = Self.bits(places)
        return reach { ($0 & wanted).nonzeroBitCount > count }
    }

    private func reach(where isMeant: (UInt32) -> Bool) -> AudienceReach {
        let found = users.reduce(Int64(0)) { sum, entry in
            // safe: counts of users
            isMeant(entry.key) ? sum + entry.value : sum
        }
        return AudienceReach(found: found, asked: asked, total: total, isExact: isExact)
    }

    private static func bits(_ places: [Int]) -> UInt32 {
        // safe: places below 32
        places.reduce(0) { (0..<limit).contains($1) ? $0 | (1 << UInt32($1)) : $0 }
    }
}
