import CardModel
import CardStore
import Testing

/// Checks of requests for approval.
enum ApprovalChecks: ApprovalChecking {
    static let checks: [ConformanceCheck] = [
        launch, edit, outdated, own, demoted, twice, onePending, replaced, withdrawal,
    ]

    static let launch = ConformanceCheck(
        "An administrator approves the launch that an editor asks for, which launches that version"
    ) { stores in
        try await withTeam(stores) { store in
            let asked = request()
            try await store.insertApproval(asked, by: editor)
            #expect(try await store.approval("apr_1") == asked)
            #expect(try await store.pendingApprovals(limit: 10) == [asked])
            #expect(try await store.campaign(sale)?.status == .draft)

            let saved = try await store.approve(
                "apr_1",
                saving: launched(store),
                comment: "Good",
                at: noon + 5,
                by: admin
            )

            #expect(saved.status == .active)
            #expect(saved.version == 2)
            #expect(try await store.campaign(sale) == saved)
            #expect(try await store.pendingApprovals(limit: 10).isEmpty)
            let done = try #require(try await store.approval("apr_1"))
            #expect(done.status == .approved)
            #expect(done.decider == "anna@example.com")
            #expect(done.decidedAt == noon + 5)
            #expect(done.comments.map(\.text) == ["Please", "Good"])
            #expect(done.comments.map(\.author) == ["emil@example.com", "anna@example.com"])
            #expect(
                try await store.campaignVersions(of: sale, before: nil, limit: 1).map(\.action) == ["campaign.launch"]
            )
            #expect(try await store.campaignVersions(of: sale, before: nil, limit: 1).map(\.actor) == [admin.name])
        }
    }

    static let edit = ConformanceCheck(
        "The content that is asked for is kept as it is, and becomes the campaign's with the approval"
    ) { stores in
        try await withTeam(stores) { store in
            let content = Campaign.sample(title: "冬のセール").content
            try await store.insertApproval(request(change: .edit(content)), by: editor)
            let kept = try #require(try await store.approval("apr_1"))
            #expect(kept.change == .edit(content))
            #expect(try await store.campaign(sale)?.content.name == "Sale")

            let next = try kept.applied(to: #require(try await store.campaign(sale)), at: noon + 9)
            let saved = try await store.approve("apr_1", saving: next, comment: nil, at: noon + 9, by: admin)

            #expect(saved.content == content)
            #expect(try await store.campaign(sale)?.content == content)
        }
    }

    static let outdated = ConformanceCheck(
        "A request whose campaign was changed waits no longer, and approves nothing"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            let next = try await launched(store)
            let draft = try #require(try await store.campaign(sale))
            _ = try await store.updateCampaign(
                draft.updating(Campaign.sample(title: "Other").content, at: noon + 1),
                from: 1,
                action: "campaign.update",
                by: editor
            )

            #expect(try await store.pendingApprovals(limit: 10).isEmpty)
            await expectFailure(.conflict) {
                try await store.approve("apr_1", saving: next, comment: nil, at: noon + 5, by: admin)
            }
            #expect(try await store.campaign(sale)?.status == .draft)
            #expect(try await store.approval("apr_1")?.status == .pending)
            await expectFailure(.conflict) { try await store.insertApproval(request("apr_2"), by: editor) }
            // One that asks for the present version takes its place, whoever asks.
            try await store.insertApproval(request("apr_3", version: 2, by: admin), by: admin)
            #expect(try await store.approval("apr_1")?.status == .replaced)
        }
    }

    static let own = ConformanceCheck(
        "Nobody approves or rejects what they have asked for, and only administrators do"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(by: admin), by: admin)
            let next = try await launched(store)
            for actor in [admin, editor, .key("anna@example.com"), .key("key_1"), command, .member("none@example.com")]
            {
                await expectFailure(.conflict) {
                    try await store.approve("apr_1", saving: next, comment: nil, at: noon + 5, by: actor)
                }
                await expectFailure(.conflict) {
                    try await store.closeApproval("apr_1", as: .reject, comment: nil, at: noon + 5, by: actor)
                }
            }
            #expect(try await store.approval("apr_1")?.status == .pending)
            #expect(try await store.campaign(sale)?.status == .draft)
            _ = try await store.approve(
                "apr_1",
                saving: next,
                comment: nil,
                at: noon + 6,
                by: .member("alma@example.com")
            )
            #expect(try await store.campaign(sale)?.status == .active)
        }
    }

    static let demoted = ConformanceCheck(
        "An administrator who was demoted or removed approves nothing"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            let next = try await launched(store)
            var anna = try #require(try await store.member("anna@example.com"))
            anna.role = .editor
            try await store.updateMember(anna, action: "member.role-editor", keeping: nil, at: noon, by: command)
            await expectFailure(.conflict) {
                try await store.approve("apr_1", saving: next, comment: nil, at: noon + 5, by: admin)
            }
            #expect(try await store.removeMember("anna@example.com", at: noon, by: command))
            await expectFailure(.conflict) {
                try await store.closeApproval("apr_1", as: .reject, comment: nil, at: noon + 5, by: admin)
            }
            #expect(try await store.campaign(sale)?.status == .draft)
        }
    }

    static let twice = ConformanceCheck(
        "Of many who decide at the same time, one does"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            let next = try await launched(store)
            let done = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    let actor = Actor.member(number % 2 == 0 ? "anna@example.com" : "alma@example.com")
                    group.addTask {
                        do {
                            if number < 4 {
                                _ = try await store.approve("apr_1", saving: next, comment: nil, at: noon, by: actor)
                            } else {
                                _ = try await store.closeApproval(
                                    "apr_1",
                                    as: .reject,
                                    comment: nil,
                                    at: noon,
                                    by: actor
                                )
                            }
                            return true
                        } catch {
                            #expect((error as? StoreError)?.code == .conflict)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(done == 1)
            let status = try await store.approval("apr_1")?.status
            #expect(try await store.campaign(sale)?.status == (status == .approved ? .active : .draft))
            #expect(try await store.campaign(sale)?.version == (status == .approved ? 2 : 1))
        }
    }

    static let onePending = ConformanceCheck(
        "While another member's request waits, there is no other"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            await expectFailure(.exists) {
                try await store.insertApproval(request("apr_2", by: .key("emil@example.com")), by: .key("k"))
            }
            await expectFailure(.exists) { try await store.insertApproval(request("apr_2", by: admin), by: admin) }
            #expect(try await store.approvals(of: sale, limit: 10).map(\.id) == ["apr_1"])
            let lost = Approval(
                id: "apr_2",
                campaign: CampaignID(rawValue: "none"),
                version: 1,
                change: .launch,
                by: editor,
                at: noon
            )
            await expectFailure(.notFound) { try await store.insertApproval(lost, by: editor) }
        }
    }

    static let replaced = ConformanceCheck(
        "Another request of the same member takes the place of the first, which nobody can approve then"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            let content = Campaign.sample(title: "Better").content
            try await store.insertApproval(request("apr_2", change: .edit(content), at: noon + 1), by: editor)
            #expect(try await store.approval("apr_1")?.status == .replaced)
            #expect(try await store.pendingApprovals(limit: 10).map(\.id) == ["apr_2"])
            #expect(try await store.pendingApprovals(limit: 10, offset: 1).isEmpty)
            let other = CampaignID(rawValue: "other")
            #expect(try await store.campaignsAwaitingApproval(among: [other, sale]) == [sale])
            #expect(try await store.campaignsAwaitingApproval(among: [other]).isEmpty)
            let next = try await launched(store)
            await expectFailure(.conflict) {
                try await store.approve("apr_1", saving: next, comment: nil, at: noon + 5, by: admin)
            }
        }
    }

    static let withdrawal = ConformanceCheck(
        "A request is taken back by the one who asked alone, and once"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            for actor in [admin, .key("emil@example.com"), .member("Emil@example.com")] {
                await expectFailure(.conflict) {
                    try await store.closeApproval("apr_1", as: .withdraw, comment: nil, at: noon, by: actor)
                }
            }
            let taken = try await store.closeApproval("apr_1", as: .withdraw, comment: "Oh", at: noon + 1, by: editor)
            #expect(taken.status == .withdrawn)
            #expect(try await store.approval("apr_1") == taken)
            await expectFailure(.conflict) {
                try await store.closeApproval("apr_1", as: .withdraw, comment: nil, at: noon, by: editor)
            }
            await expectFailure(.conflict) {
                try await store.addApprovalComment("Late", to: "apr_1", at: noon, by: editor)
            }
            await expectFailure(.notFound) {
                try await store.closeApproval("apr_9", as: .withdraw, comment: nil, at: noon, by: editor)
            }
        }
    }
}
