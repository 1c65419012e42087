import CardModel
import CardServer

/// The part of the calendar that says which campaigns share users, computed when an editor asks for it.
struct OverlapPanel {
    /// The most pairs that are listed.
    static let pairLimit = 20
    /// The most warnings that are shown, and campaigns that one of them lists.
    private static let warningLimits = (shown: 5, campaigns: 10)

    struct OverlapCampaign {
        let name: String
        let address: String
    }

    struct OverlapPair {
        let first: OverlapCampaign
        let second: OverlapCampaign
        let users: String
        let share: String
    }

    struct Warning {
        let sentences: [String]
        let campaigns: [OverlapCampaign]
        /// The number of campaigns that aren't listed, or `nil` for none.
        let more: String?
    }

    /// The address that asks for the numbers, or `nil` for members who aren't allowed to.
    var ask: String?
    var hasNumbers = false
    /// The notes that say what the numbers are of, and what isn't in them.
    var notes: [String] = []
    var warnings: [Warning] = []
    var pairs: [OverlapPair] = []
    var hasPairs = false
    var problem: String?

    /// Makes the panel, with numbers where the query asks for them.
    static func make(
        _ list: CampaignRunList,
        _ range: CalendarRange,
        _ context: PageContext,
        address: String
    ) async throws -> OverlapPanel {
        var panel = OverlapPanel()
        guard context.may(.editor) else {
            panel.notes = [localized("Only editors and administrators can estimate overlap.")]
            return panel
        }
        let planned = list.runs.filter(\.isPlanned)
        guard planned.count > 1 else {
            panel.notes = [
                localized("Nothing to compare: fewer than two of the shown campaigns are planned or active.")
            ]
            return panel
        }
        guard context.query[.overlap] == "1" else {
            panel.ask = address
            return panel
        }
        let compared = Array(planned.prefix(AudienceOverlap.limit))
        do {
            let audiences = compared.map(\.campaign.content.audience)
            let overlap = try await context.ask { server, _ in try await server.segments.overlap(of: audiences) }
            let settings = context.site.server.settings()
            let findings = OverlapFindings(compared, overlap, in: range, settings, at: context.now)
            panel.show(findings, of: compared, overlap, leftOut: planned.count - compared.count, settings, range)
        } catch let refusal as ServiceError {
            panel.problem = localized("Couldn’t estimate: \(localized(sentence: refusal.message))")
            panel.ask = address
        }
        return panel
    }

    private mutating func show(
        _ findings: OverlapFindings,
        of runs: [CampaignRun],
        _ overlap: AudienceOverlap,
        leftOut: Int,
        _ settings: Settings,
        _ range: CalendarRange
    ) {
        hasNumbers = true
        notes = [Self.source(overlap)]
        if leftOut > 0 {
            let (count, others) = (
                PageFormatter.counted(Int64(runs.count), .campaign), PageFormatter.count(Int64(leftOut))
            )
            notes.append(
                localized("Compared: \(count), active and scheduled ones first. Not compared: \(others).")
            )
        }
        if settings.frequencyCaps.isEmpty { notes.append(localized("The workspace has no frequency caps.")) }
        let dates = CalendarDates(zone: settings.timeZone)
        let limits = Self.warningLimits
        // safe: a constant
        warnings = findings.collisions.prefix(limits.shown).map { collision in
            // safe: a number of places and a constant
            let more = collision.places.count - limits.campaigns
            return Warning(
                sentences: Self.sentences(collision, among: runs, dates, range),
                // safe: a constant
                campaigns: collision.places.prefix(limits.campaigns).map { Self.link(runs[$0]) },
                more: more > 0
                    ? localized("and \(PageFormatter.counted(Int64(more), .campaign)) more", in: "counted") : nil
            )
        }
        let hidden = findings.collisions.count - warnings.count
        if hidden > 0 { notes.append(localized("Limits that are exceeded, too, and aren’t listed: \(hidden).")) }
        if warnings.isEmpty {
            notes.append(localized("No user matches more of these campaigns than caps and the card limit let through."))
        }
        pairs = findings.pairs.prefix(Self.pairLimit).map { pair in
            OverlapPair(
                first: Self.link(runs[pair.first]),
                second: Self.link(runs[pair.second]),
                users: Self.users(pair.common),
                share: PageFormatter.percent(pair.share)
            )
        }
        hasPairs = !pairs.isEmpty
        let more = findings.pairs.count - pairs.count
        if more > 0 { notes.append(localized("Pairs that aren’t listed, with no more users in common: \(more).")) }
        if !hasPairs { notes.append(localized("No two campaigns that run at the same time share a user.")) }
    }

    private static func source(_ overlap: AudienceOverlap) -> String {
        let total = PageFormatter.counted(overlap.total, .user)
        if overlap.isExact { return localized("Counted among all \(total), as their audiences are now.") }
        let asked = PageFormatter.count(overlap.asked)
        return localized("Estimated from a sample of \(asked) of \(total), as their audiences are now.")
    }

    private static func link(_ run: CampaignRun) -> OverlapCampaign {
        OverlapCampaign(name: run.campaign.content.name, address: CampaignPages.address(of: run.campaign.id))
    }

    /// `1,240 users`, or `1,240 ± 80 users` of a sample.
    private static func users(_ reach: AudienceReach) -> String {
        guard !reach.isExact else { return PageFormatter.counted(reach.users, .user) }
        let shown = "\(PageFormatter.count(reach.users)) ± \(PageFormatter.count(reach.margin))"
        return localized("\(shown) users")
    }

    private static func sentences(
        _ collision: OverlapFindings.Collision,
        among runs: [CampaignRun],
        _ dates: CalendarDates,
        _ range: CalendarRange
    ) -> [String] {
        let (users, count) = (users(collision.users), PageFormatter.count(Int64(collision.places.count)))
        let day = dates.day(of: collision.moment, in: range)
        var sentences: [String] = []
        switch collision.limit {
        case .frequency(let cap):
            // safe: 1,000 at most
            let (most, days) = (PageFormatter.count(Int64(cap.cards)), PageFormatter.counted(Int64(cap.days), .day))
            sentences = [
                localized("\(count) campaigns deliver cards within \(days) from \(day) on."),
                localized("More than \(most) of them match the same \(users)."),
                localized("The frequency cap (\(name(of: cap))) holds their further cards back until there is room."),
            ]
        case .feed(let limit):
            // safe: 1,000 at most
            let most = PageFormatter.count(Int64(limit))
            sentences = [
                localized("\(count) campaigns run on \(day)."),
                localized("More than \(most) of them match the same \(users)."),
                localized(
                    "A feed has \(most) cards at most: those that come last in it leave, or wait until there is room."
                ),
            ]
        }
        // safe: places of the runs
        if collision.places.contains(where: { runs[$0].campaign.content.delivery.isTriggered }) {
            sentences.append(
                localized("Some of them give a card only when it is triggered, so fewer users may be affected.")
            )
        }
        return sentences
    }

    private static func name(of cap: FrequencyCap) -> String {
        let (cards, days) = (PageFormatter.count(Int64(cap.cards)), PageFormatter.counted(Int64(cap.days), .day))
        let name = cap.cards == 1 ? localized("1 card in \(days)") : localized("\(cards) cards in \(days)")
        return cap.tag.map { localized("\(name), tag “\($0)”") } ?? name
    }
}
