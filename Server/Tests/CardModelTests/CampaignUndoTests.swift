import CardModel
import Testing

@Suite("A change of a campaign is undone")
struct CampaignUndoTests {
    private func renamed(_ campaign: Campaign, _ name: String, at time: UnixTime) throws -> Campaign {
        var content = campaign.content
        content.name = name
        return try campaign.updating(content, at: time)
    }

    @Test("An edit goes back to the content before, as a version of its own, and comes back by undoing that")
    func edit() throws {
        let first = try Sample.launched("c", at: 5)
        let second = try renamed(first, "other", at: 10)
        let third = try second.undoing(to: first, at: 20)
        #expect(third.content == first.content && third.status == .active)
        #expect(third.version == second.version + 1 && third.updatedAt == 20)
        #expect(third.launchedAt == 5 && third.createdAt == first.createdAt)
        let fourth = try third.undoing(to: second, at: 30)
        #expect(fourth.content.name == "other" && fourth.version == third.version + 1)
    }

    @Test("An edit of a draft, and of a campaign that is paused, leaves the status alone")
    func statuses() throws {
        let draft = Sample.campaign("c")
        #expect(try renamed(draft, "other", at: 1).undoing(to: draft, at: 2).status == .draft)
        let paused = try Sample.launched("c").applying(.pause, at: 1)
        #expect(try renamed(paused, "other", at: 2).undoing(to: paused, at: 3).status == .paused)
    }

    @Test(
        "A change of status goes back where no card was taken from anybody",
        arguments: [
            ([], .pause, .active), ([], .stop(withdraw: false), .active), ([.pause], .launch, .paused),
            ([.pause], .stop(withdraw: false), .paused), ([.stop(withdraw: false)], .launch, .stopped),
            ([.stop(withdraw: false)], .archive, .stopped), ([.stop(withdraw: false), .archive], .restore, .archived),
        ] as [([Campaign.Transition], Campaign.Transition, Campaign.Status)]
    )
    func transitions(_ before: [Campaign.Transition], _ change: Campaign.Transition, _ status: Campaign.Status) throws {
        var past = try Sample.launched("c", at: 1)
        for transition in before { past = try past.applying(transition, at: 2) }
        let changed = try past.applying(change, at: 3)
        #expect(changed.status != status)
        let undone = try changed.undoing(to: past, at: 4)
        #expect(undone.status == status && undone.isWithdrawn == past.isWithdrawn)
        #expect(undone.version == changed.version + 1)
    }

    @Test("The first launch, and taking cards back, can't be undone")
    func firstLaunch() throws {
        let draft = Sample.campaign("c")
        let launched = try draft.applying(.launch, at: 1)
        let withdrawn = try launched.applying(.stop(withdraw: true), at: 2)
        let relaunched = try withdrawn.applying(.launch, at: 3)
        for (campaign, past) in [(launched, draft), (withdrawn, launched), (relaunched, withdrawn)] {
            let error = #expect(throws: ModelError.self) { try campaign.undoing(to: past, at: 9) }
            #expect(error?.code == .transitionInvalid && error?.path == "version")
        }
    }

    @Test("Only the last change can be undone, and by the campaign's own version")
    func others() throws {
        let first = Sample.campaign("c")
        let second = try renamed(first, "second", at: 1)
        let third = try renamed(second, "third", at: 2)
        for past in [first, third] { #expect(throws: ModelError.self) { try third.undoing(to: past, at: 9) } }
        let stranger = try renamed(Sample.campaign("d"), "second", at: 1)
        #expect(stranger.version == second.version)
        #expect(throws: ModelError.self) { try third.undoing(to: stranger, at: 9) }
        #expect(try third.undoing(to: second, at: 9).content.name == "second")
    }

    @Test("A copy of what was undone is no longer the last version")
    func again() throws {
        let first = Sample.campaign("c")
        let second = try renamed(first, "second", at: 1)
        let undone = try second.undoing(to: first, at: 2)
        #expect(throws: ModelError.self) { try undone.undoing(to: first, at: 3) }
    }
}
