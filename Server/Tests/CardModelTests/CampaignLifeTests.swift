import CardModel
import Testing

@Suite("A campaign goes through its life")
struct CampaignLifeTests {
    private static let transitions: [Campaign.Transition] = [
        .launch, .pause, .stop(withdraw: false), .stop(withdraw: true), .archive, .restore,
    ]

    private static let allowed: [Campaign.Status: [Campaign.Transition: Campaign.Status]] = [
        .draft: [.launch: .active, .archive: .archived, .restore: .draft],
        .active: [
            .launch: .active, .pause: .paused, .stop(withdraw: false): .stopped, .stop(withdraw: true): .stopped,
        ],
        .paused: [
            .launch: .active, .pause: .paused, .stop(withdraw: false): .stopped, .stop(withdraw: true): .stopped,
        ],
        .stopped: [
            .launch: .active, .stop(withdraw: false): .stopped, .stop(withdraw: true): .stopped, .archive: .archived,
            .restore: .stopped,
        ],
        .archived: [.archive: .archived, .restore: .stopped],
    ]

    @Test("Each transition leads where it should, or is refused", arguments: Campaign.Status.allCases, transitions)
    func leads(from status: Campaign.Status, by transition: Campaign.Transition) throws {
        for isWithdrawn in [false, true] {
            var campaign = Sample.campaign("c")
            campaign.status = status
            campaign.isWithdrawn = isWithdrawn
            campaign.launchedAt = status == .draft ? nil : 3
            guard let expected = Self.allowed[status]?[transition] else {
                let error = #expect(throws: ModelError.self) { try campaign.applying(transition, at: 9) }
                #expect(error?.code == .transitionInvalid && error?.path == "status")
                continue
            }
            let next = try campaign.applying(transition, at: 9)
            #expect(next.status == expected)
            #expect(next.launchedAt == (transition == .launch ? campaign.launchedAt ?? 9 : campaign.launchedAt))
            switch transition {
            case .launch: #expect(!next.isWithdrawn)
            case .stop(let withdraw): #expect(next.isWithdrawn == (isWithdrawn || withdraw))
            case .pause, .archive, .restore: #expect(next.isWithdrawn == isWithdrawn)
            }
            let isSame = next.status == status && next.isWithdrawn == isWithdrawn
            #expect(next.version == (isSame ? 1 : 2) && next.updatedAt == (isSame ? 0 : 9))
        }
    }

    @Test(
        "A refusal says what would make it possible, and that does",
        arguments: [
            (.active, .archive, "Stop it first.", [.stop(withdraw: false)]),
            (.paused, .archive, "Stop it first.", [.stop(withdraw: false)]),
            (.archived, .launch, "Restore it first.", [.restore]),
            (.archived, .pause, "Restore it and launch it first.", [.restore, .launch]),
            (.archived, .stop(withdraw: true), "Restore it first.", [.restore]),
            (.stopped, .pause, "Launch it first", [.launch]), (.draft, .pause, "Launch it first", [.launch]),
            (.active, .restore, "stop it and archive it first", [.stop(withdraw: false), .archive]),
            (.paused, .restore, "stop it and archive it first", [.stop(withdraw: false), .archive]),
        ] as [(Campaign.Status, Campaign.Transition, String, [Campaign.Transition])]
    )
    func advises(
        from status: Campaign.Status,
        by transition: Campaign.Transition,
        _ advice: String,
        _ steps: [Campaign.Transition]
    ) throws {
        var campaign = Sample.campaign("c")
        campaign.status = status
        campaign.launchedAt = status == .draft ? nil : 3
        let error = #expect(throws: ModelError.self) { try campaign.applying(transition, at: 9) }
        #expect(error?.message.contains(advice) == true)
        for step in steps { campaign = try campaign.applying(step, at: 9) }
        _ = try campaign.applying(transition, at: 9)
    }

    @Test("A draft that was archived is a draft again when it is restored")
    func restoresDraft() throws {
        let archived = try Sample.campaign("c").applying(.archive, at: 1)
        let restored = try archived.applying(.restore, at: 2)
        #expect(restored.status == .draft && restored.version == 3)
    }

    @Test("An edit counts as a version, and one that changes nothing does not")
    func updates() throws {
        let campaign = Sample.campaign("c")
        var content = campaign.content
        #expect(try campaign.updating(content, at: 9) == campaign)
        content.name = "other"
        let next = try campaign.updating(content, at: 9)
        #expect(next.version == 2 && next.updatedAt == 9 && next.content == content)
    }

    @Test("A draft may lose variants, a launched campaign keeps them and its control")
    func keepsVariants() throws {
        let draft = Sample.campaign(
            "c",
            variants: [Sample.variant("a"), Campaign.Variant(id: VariantID(rawValue: "x"), card: nil)]
        )
        let launched = try draft.applying(.launch, at: 1)
        var fewer = draft.content
        fewer.variants.removeLast()
        var swapped = draft.content
        swapped.variants[1].card = CardTemplate(layout: .banner)
        for content in [fewer, swapped] {
            _ = try draft.updating(content, at: 2)
            let error = #expect(throws: ModelError.self) { try launched.updating(content, at: 2) }
            #expect(error?.code == .fieldInvalid && error?.path == "variants")
        }
        var more = draft.content
        more.variants.append(Sample.variant("b"))
        more.variants[0].weight = 0
        #expect(try launched.updating(more, at: 2).content == more)
    }

    @Test("An archived campaign cannot be changed")
    func keepsArchived() throws {
        let archived = try Sample.campaign("c").applying(.archive, at: 1)
        let error = #expect(throws: ModelError.self) { try archived.updating(archived.content, at: 2) }
        #expect(error?.code == .transitionInvalid && error?.message.contains("Restore it first") == true)
    }

    @Test("Devices see a change of cards and of withdrawal, and of nothing else")
    func comparesOnDevices() throws {
        let old = try Sample.campaign("c", variants: [Sample.variant("a"), Sample.variant("b")]).applying(
            .launch,
            at: 1
        )
        var next = old
        next.content.name = "n"
        next.content.audience = .any([])
        next.content.variants[0].weight = 7
        next.content.variants[0].name = "x"
        next.content.variants.reverse()
        next.status = .paused
        #expect(!next.differsOnDevices(from: old))
        var edited = old
        edited.content.variants[0].card?.title = "other"
        #expect(edited.differsOnDevices(from: old))
        var added = old
        added.content.variants.append(Sample.variant("z"))
        #expect(added.differsOnDevices(from: old))
        #expect(try old.applying(.stop(withdraw: true), at: 2).differsOnDevices(from: old))
    }

    @Test("Totals leave the control out")
    func totals() throws {
        let campaign = Sample.campaign(
            "c",
            variants: [
                Sample.variant("a"), Sample.variant("b"), Campaign.Variant(id: VariantID(rawValue: "x"), card: nil),
            ]
        )
        let day = CountingDay(utc: Day(number: 1), local: Day(number: 1))
        let later = CountingDay(utc: Day(number: 2), local: Day(number: 2))
        var counts = CampaignCounts()
        counts.delivered = 2
        counts.impressions = 5
        let rows = [("a", day), ("a", later), ("b", day), ("x", day)].map {
            CampaignReport.Row(variant: VariantID(rawValue: $0.0), day: $0.1, counts: counts)
        }
        let report = CampaignReport(campaign: campaign, rows: rows, problems: [])
        #expect(report.totals.impressions == 15 && report.totals.delivered == 6)
        #expect(report.counts(of: VariantID(rawValue: "a")).impressions == 10)
        #expect(report.counts(of: VariantID(rawValue: "x")).impressions == 5)
        #expect(CampaignCounts().isZero && !counts.isZero)
    }
}
