import WireJSON

/// Finds the active campaigns that can have something for a user, without asking each of them.
///
/// Most campaigns are for others. What they require of a user is looked up, so that a decision costs as much as there
/// are campaigns that may concern the user, and not as there are campaigns.
struct CampaignIndex: Sendable {
    private var places: [AudienceRequirement: [Int]] = [:]
    /// The campaigns that require nothing that can be looked up.
    private var others: [Int] = []
    /// The attributes that campaigns require, but for custom ones.
    private var attributes: Set<AttributeClause.Name> = []
    private var customAttributes: Set<ByteString> = []
    /// Whether any campaign requires a card of another one.
    private var asksCards = false
    /// Whether any campaign requires a trigger.
    private var asksTriggers = false
    /// The times at which the campaigns that are found by what they require begin, in order.
    private var starts: [(start: UnixTime, place: Int)] = []

    /// Creates an index of campaigns, whose places are those in the list.
    init(_ entries: [Catalog.Entry]) {
        for (place, entry) in entries.enumerated() {
            guard let requirements = entry.requirements else {
                others.append(place)
                continue
            }
            for requirement in requirements {
                places[requirement, default: []].append(place)
                note(requirement)
            }
            if case .at(let start) = entry.schedule.start { starts.append((start, place)) }
        }
        starts.sort { $0.start < $1.start }
    }

    private mutating func note(_ requirement: AudienceRequirement) {
        switch requirement {
        case .value(.custom(let name), _), .attribute(.custom(let name)): customAttributes.insert(name)
        case .value(let name, _), .attribute(let name): attributes.insert(name)
        case .card: asksCards = true
        case .trigger: asksTriggers = true
        case .user: break
        }
    }

    // MARK: Looking up

    /// Returns the places of the campaigns that may concern a user, in their order.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - known: The places of campaigns of which the user has had cards; they are among those returned.
    /// - Returns: The places.
    func places(for user: UserState, adding known: some Sequence<Int>) -> [Int] {
        var found = Array(known)
        add(.user(user.profile.id), to: &found)
        // A user may have thousands of one campaign, on which hundreds of others depend.
        if asksTriggers {
            for campaign in Set(user.triggers.lazy.map(\.campaign)) { add(.trigger(campaign), to: &found) }
        }
        if asksCards {
            for campaign in Set(user.deliveries.lazy.map(\.campaign)) { add(.card(campaign), to: &found) }
        }
        for name in attributes { add(name, user.profile.value(of: name), to: &found) }
        if customAttributes.count <= user.profile.custom.count {
            for name in customAttributes { add(.custom(name), user.profile.custom[name.text], to: &found) }
        } else {
            for (name, value) in user.profile.custom { add(.custom(ByteString(name)), value, to: &found) }
        }
        guard !found.isEmpty else { return others }
        return Set(found).union(others).sorted()
    }

    private func add(_ name: AttributeClause.Name, _ value: JSONValue?, to found: inout [Int]) {
        guard let value else { return }
        add(.attribute(name), to: &found)
        if let requirement = AudienceRequirement.value(of: name, value) { add(requirement, to: &found) }
    }

    private func add(_ requirement: AudienceRequirement, to found: inout [Int]) {
        if let places = places[requirement] { found += places }
    }

    /// The first moment after `now` at which a campaign begins that is found by what it requires, but for those left
    /// out.
    func nextStart(after now: UnixTime, besides isLeftOut: (Int) -> Bool) -> UnixTime? {
        var range = starts.startIndex..<starts.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            // safe: the middle is in the range
            range = starts[middle].start > now ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return starts[range.lowerBound...].first { !isLeftOut($0.place) }?.start
    }
}

extension Catalog.Entry {
    /// The requirements of which a user has to have one to be given anything or to lose a trigger, or `nil` where that
    /// can't be told.
    fileprivate var requirements: Set<AudienceRequirement>? {
        // When it begins for a user depends on their clock, so each has to be asked.
        if case .local = schedule.start { return nil }
        guard isTriggered else { return audience.root.requirements }
        return broadcasts.isEmpty ? [.trigger(campaign.id)] : nil
    }
}
