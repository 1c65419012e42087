public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads all that is known of users.
    public func userRecords(of users: [UserReference]) async throws -> [[UserRecord]] {
        try read { state in
            users.map { user in
                state.candidates(for: user).compactMap { match in state.users[match.id].map(state.record) }
            }
        }
    }

    /// Reads users whose id begins with a text, then those whose e-mail address does.
    public func listUsers(startingWith text: String, after place: UserID?, limit: Int) async throws -> [UserProfile] {
        try read { state in
            let all = state.users(startingWith: text)
            let start = place.flatMap { place in all.firstIndex { $0.id == place } }
            return Array(all[(start.map { $0 + 1 } ?? 0)...]).page(limit)
        }
    }

    /// Reads users whose id, name or e-mail address has a text.
    public func searchUsers(
        matching text: String,
        after place: UserSearchPlace?,
        limit: Int
    ) async throws -> UserSearchPage {
        try read { state in
            let first = state.users(startingWith: text)
            let firstIDs = Set(first.map(\.id))
            let inside =
                text.isEmpty
                ? []
                : state.users.values.map(\.profile).sorted { $0.id < $1.id }.filter {
                    !firstIDs.contains($0.id) && $0.has(text)
                }
            let all =
                first.map { UserSearchPlace(user: $0.id, isInside: false) }
                + inside.map { UserSearchPlace(user: $0.id, isInside: true) }
            let start = place.flatMap { place in all.firstIndex(of: place) }
            let rest = Array(all[(start.map { $0 + 1 } ?? 0)...])
            let page = rest.page(limit)
            let users = page.compactMap { state.users[$0.user]?.profile }
            return UserSearchPage(users: users, next: page.count < rest.count ? page.last : nil)
        }
    }

    /// Counts the users in an audience.
    public func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach {
        try read { state in
            let zone = state.settings.timeZone
            let found = state.users.values.filter { user in
                var known = user.state
                known.history = user.history(audience.parts)
                return audience.matches(UserFacts(known, at: now, workspaceZone: zone))
            }
            let total = Int64(state.users.count)
            let asked = audience.candidates.map { Int64($0.count) } ?? total
            return AudienceReach(found: Int64(found.count), asked: asked, total: total, isExact: true)
        }
    }

    /// Counts the users that several audiences have in common.
    public func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        try read { state in
            var found: [UInt32: Int64] = [:]
            for user in state.users.values {
                var bits: UInt32 = 0
                for (place, audience) in audiences.prefix(AudienceOverlap.limit).enumerated() {
                    var known = user.state
                    known.history = user.history(audience.parts)
                    let facts = UserFacts(known, at: now, workspaceZone: state.settings.timeZone)
                    if audience.matches(facts) { bits |= 1 << UInt32(place) }
                }
                if bits != 0 { found[bits, default: 0] += 1 }
            }
            let total = Int64(state.users.count)
            return AudienceOverlap(users: found, asked: total, total: total, isExact: true)
        }
    }
}

extension ReferenceState {
    /// The users whose id begins with a text, by id, then those whose e-mail address does, by address.
    fileprivate func users(startingWith text: String) -> [UserProfile] {
        let all = users.values.map(\.profile)
        let named = all.filter { $0.id.rawValue.hasBytePrefix(text) }.sorted { $0.id < $1.id }
        guard !text.isEmpty else { return named }
        let others = all.compactMap { profile in profile.email.map { (ByteString(lowercased($0)), profile) } }
            .filter { $0.0.text.hasBytePrefix(lowercased(text)) && !$0.1.id.rawValue.hasBytePrefix(text) }
        return named + others.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    fileprivate func record(_ user: ReferenceUser) -> UserRecord {
        var record = UserRecord(profile: user.profile, deliveries: user.state.deliveries)
        record.revenue = user.history(.purchases).revenue
        record.aliases = user.aliases.sorted { ByteString($0.label) < ByteString($1.label) }
        let own = user.log.filter(\.event.kind.isHistory)
        let groups = Dictionary(grouping: own) { entry in
            // A product may have the name of an event.
            [entry.stored.type, entry.event.activityName].map { ByteString($0) }
        }
        for (key, entries) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let times = entries.map(\.event.at)
            let activity = UserRecord.Activity(
                name: key[1].text,
                first: times.min() ?? 0,
                last: times.max() ?? 0,
                count: entries.reduce(0) { $0 + $1.event.times }
            )
            switch entries.first?.event.kind {
            case .purchase: record.purchases.append(activity)
            case .sessionStart: record.sessions = activity
            default: record.events.append(activity)
            }
        }
        return record
    }
}

extension DeviceEvent {
    /// The name by which the event is counted among those of its type.
    fileprivate var activityName: String {
        switch kind {
        case .custom(let name): name.text
        case .purchase(let purchase): purchase.productID
        default: kind.name
        }
    }

    fileprivate var times: Int64 { if case .purchase(let purchase) = kind { purchase.quantity } else { 1 } }
}

extension UserProfile {
    /// Whether id, name or e-mail address has a text, as folding compares them.
    fileprivate func has(_ text: String) -> Bool {
        let name = "\(standard[.firstName]?.string ?? "") \(standard[.lastName]?.string ?? "")"
        let patterns = SearchText.patterns(of: text)
        return [id.rawValue, email ?? "", name].contains {
            FoldedText.contains(FoldedText.folded($0), anyOf: patterns)
        }
    }
}
