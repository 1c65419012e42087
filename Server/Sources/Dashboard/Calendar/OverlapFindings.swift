import CardModel

/// The findings of a comparison of the audiences of a range's campaigns: which share users, and where caps collide.
struct OverlapFindings {
    /// Two campaigns that run at the same time, by their places.
    struct Pair {
        let first: Int
        let second: Int
        let common: AudienceReach
        /// The users in common as a share of the smaller audience.
        let share: Double
    }

    /// A limit on a user's cards.
    enum Limit {
        case frequency(FrequencyCap)
        case feed(Int)
    }

    /// Users who match more campaigns than a limit lets through.
    struct Collision {
        let limit: Limit
        /// The places of the campaigns that come together.
        let places: [Int]
        /// The time at which the first of them begins.
        let moment: UnixTime
        let users: AudienceReach
    }

    let pairs: [Pair]
    let collisions: [Collision]

    /// Finds pairs and collisions.
    ///
    /// - Parameters:
    ///   - runs: The campaigns that were compared, in the order of their audiences.
    ///   - overlap: The users that the audiences have in common.
    ///   - range: The range in which the campaigns run.
    ///   - settings: The workspace's settings, with its caps and the limit of a feed.
    ///   - now: The time now: what is over collides no more.
    init(
        _ runs: [CampaignRun],
        _ overlap: AudienceOverlap,
        in range: CalendarRange,
        _ settings: Settings,
        at now: UnixTime
    ) {
        pairs = Self.pairs(runs, overlap, range)
        let search = CollisionSearch(runs: runs, overlap: overlap, range: range, now: now)
        let caps = settings.frequencyCaps.compactMap { search.worst($0) }
        collisions = caps + [search.worst(settings.cardLimit)].compactMap(\.self)
    }

    private static func pairs(_ runs: [CampaignRun], _ overlap: AudienceOverlap, _ range: CalendarRange) -> [Pair] {
        let sizes = runs.indices.map { overlap.reach(ofAll: [$0]).found }
        let all = runs.indices.flatMap { first in
            runs.indices.dropFirst(first + 1).map { (first, $0) }
        }
        let found = all.compactMap { first, second -> Pair? in
            guard runs[first].meets(runs[second], from: range.start, to: range.end) else { return nil }
            let common = overlap.reach(ofAll: [first, second])
            // safe: places of the runs
            let smaller = min(sizes[first], sizes[second])
            guard common.found > 0, smaller > 0 else { return nil }
            let share = Double(common.found) / Double(smaller)
            return Pair(first: first, second: second, common: common, share: share)
        }
        return found.sorted { ($1.common.found, $0.first, $0.second) < ($0.common.found, $1.first, $1.second) }
    }
}

/// Looks for the moment at which most users match more campaigns than a limit lets through.
private struct CollisionSearch {
    let runs: [CampaignRun]
    let overlap: AudienceOverlap
    let range: CalendarRange
    let now: UnixTime

    /// The moments at which something begins, and the present, as triggered campaigns that began long ago go on.
    private var moments: [UnixTime] {
        let present = max(now, range.start)
        let begins = runs.map(\.start.lowerBound) + (present < range.end ? [present] : [])
        return Set(begins).sorted()
    }

    /// A cap is exceeded by campaigns that give their cards within its days.
    func worst(_ cap: FrequencyCap) -> OverlapFindings.Collision? {
        worst(.frequency(cap), of: cap.cards) { moment in
            let finish = moment + cap.seconds
            guard finish > now else { return [] }
            return runs.indices.filter {
                cap.concerns(runs[$0].campaign) && runs[$0].givesCards(from: moment, to: finish)
            }
        }
    }

    /// A feed is full of campaigns that run at the same moment.
    func worst(_ limit: Int) -> OverlapFindings.Collision? {
        worst(.feed(limit), of: limit) { moment in
            moment >= range.start ? runs.indices.filter { runs[$0].runs(from: moment, to: moment.nextUp) } : []
        }
    }

    private func worst(
        _ limit: OverlapFindings.Limit,
        of count: Int,
        _ group: (UnixTime) -> [Int]
    ) -> OverlapFindings.Collision? {
        var seen: Set<[Int]> = []
        var worst: OverlapFindings.Collision?
        for moment in moments {
            let places = group(moment)
            guard places.count > count, seen.insert(places).inserted else { continue }
            let users = overlap.reach(ofMoreThan: count, among: places)
            let (found, size) = (worst?.users.found ?? 0, worst?.places.count ?? 0)
            guard users.found > found || users.found == found && found > 0 && places.count > size else { continue }
            worst = OverlapFindings.Collision(limit: limit, places: places, moment: moment, users: users)
        }
        return worst
    }
}
