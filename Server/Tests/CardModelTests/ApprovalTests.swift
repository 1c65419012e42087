import Testing
import WireJSON

@testable import CardModel

@Suite("Requests for approval")
struct ApprovalTests {
    private let ann = Actor.member("ann@example.com")

    private func approval(
        _ change: Approval.Change = .launch,
        of campaign: Campaign,
        by actor: Actor? = nil
    ) -> Approval {
        Approval(
            id: "apr_1",
            campaign: campaign.id,
            version: campaign.version,
            change: change,
            by: actor ?? ann,
            at: 100,
            comment: "please"
        )
    }

    @Test("A request is pending, and its comment is the first of the conversation")
    func creation() {
        let request = approval(of: Sample.campaign("c"))
        #expect(request.status == .pending && request.decider == nil && request.decidedAt == nil)
        #expect(request.requester == "ann@example.com" && request.requesterKind == "member")
        #expect(request.comments == [Approval.Comment(author: "ann@example.com", at: 100, text: "please")])
        let campaign = Sample.campaign("c")
        let silent = Approval(id: "a", campaign: campaign.id, version: 1, change: .launch, by: .command, at: 0)
        #expect(silent.comments.isEmpty && silent.requester == "command" && silent.requesterKind == "command")
    }

    @Test("Whoever asked is known by kind and name, byte by byte")
    func requesters() {
        let request = approval(of: Sample.campaign("c"))
        #expect(request.isRequested(by: ann))
        #expect(
            !request.isRequested(by: .key("ann@example.com")) && !request.isRequested(by: .member("Ann@example.com"))
        )
        let accented = approval(of: Sample.campaign("c"), by: .member("caf\u{E9}"))
        #expect(!accented.isRequested(by: .member("cafe\u{301}")))
        for actor in [Actor.command, .server, .unauthenticated] {
            #expect(approval(of: Sample.campaign("c"), by: actor).isRequested(by: actor))
            #expect(!approval(of: Sample.campaign("c"), by: actor).isRequested(by: .member(actor.name)))
        }
    }

    @Test("A request is for the version that it was made for, as long as it is pending")
    func current() throws {
        let draft = Sample.campaign("c")
        var request = approval(of: draft)
        #expect(request.isCurrent(for: draft) && !request.isCurrent(for: Sample.campaign("d")))
        var content = draft.content
        content.name = "Other"
        #expect(!request.isCurrent(for: try draft.updating(content, at: 5)))
        for status in Approval.ApprovalStatus.allCases {
            request.status = status
            #expect(request.isCurrent(for: draft) == (status == .pending))
        }
    }

    @Test("What is approved is done as if it had been asked for at that moment")
    func applied() throws {
        let draft = Sample.campaign("c")
        let launched = try approval(of: draft).applied(to: draft, at: 200)
        #expect(try launched == draft.applying(.launch, at: 200) && launched.launchedAt == 200)
        var content = draft.content
        content.name = "Other"
        let edited = try approval(.edit(content), of: draft).applied(to: draft, at: 200)
        #expect(edited.content == content && edited.version == 2 && edited.updatedAt == 200)
        let archived = try draft.applying(.archive, at: 1)
        for change in [Approval.Change.launch, .edit(content)] {
            let request = approval(change, of: archived)
            #expect(throws: ModelError.self) { try request.applied(to: archived, at: 200) }
        }
    }

    @Test("As JSON a request has what was asked for, and the content only of an edit")
    func json() throws {
        let draft = Sample.campaign("c")
        let launch = approval(of: draft).json(isOutdated: false)
        #expect(launch["id"] == "apr_1" && launch["campaign_id"] == "c" && launch["version"] == 1)
        #expect(launch["change"] == "launch" && launch["status"] == "pending" && launch["outdated"] == false)
        #expect(launch["decided_by"] == .null && launch["decided_at"] == .null && launch["content"] == nil)
        #expect(launch["requested_at"]?.double == 100)
        #expect(launch["comments"]?.array?.compactMap(Approval.Comment.init(json:)) == approval(of: draft).comments)
        var request = approval(.edit(draft.content), of: draft)
        request.status = .rejected
        request.decider = "bob"
        request.decidedAt = 300
        let edit = request.json(isOutdated: true)
        #expect(edit["change"] == "edit" && edit["status"] == "rejected" && edit["outdated"] == true)
        #expect(edit["decided_by"] == "bob" && edit["decided_at"]?.double == 300)
        let content = try #require(edit["content"])
        #expect(try Campaign.Content(json: content) == draft.content)
        #expect(
            request.details
                == ["approval_id": "apr_1", "change": "edit", "version": 1, "requested_by": "ann@example.com"]
        )
    }

    @Test("Who needs an approval is told by the policy, for members by role and for keys by permission")
    func policies() {
        func key(_ permissions: Set<Permission>) -> APIKey {
            APIKey(id: "k", name: "k", kind: .secret, permissions: permissions, hash: [], hint: "", createdAt: 0)
        }
        for role in Role.allCases {
            #expect(!ApprovalPolicy.none.applies(to: role) && ApprovalPolicy.everyone.applies(to: role))
            #expect(ApprovalPolicy.editors.applies(to: role) == (role != .admin))
        }
        for (permissions, isManager) in [([.manage], true), ([.campaigns, .settings], false), ([], false)]
            as [(Set<Permission>, Bool)]
        {
            #expect(!ApprovalPolicy.none.applies(to: key(permissions)))
            #expect(ApprovalPolicy.everyone.applies(to: key(permissions)))
            #expect(ApprovalPolicy.editors.applies(to: key(permissions)) == !isManager)
        }
    }

    @Test("Users have been reached by a campaign that was launched and not withdrawn")
    func reached() throws {
        let draft = Sample.campaign("c")
        let launched = try draft.applying(.launch, at: 1)
        #expect(!draft.hasReachedUsers && launched.hasReachedUsers)
        #expect(try launched.applying(.pause, at: 2).hasReachedUsers)
        #expect(try launched.applying(.stop(withdraw: false), at: 2).hasReachedUsers)
        #expect(try !launched.applying(.stop(withdraw: true), at: 2).hasReachedUsers)
        #expect(try !draft.applying(.archive, at: 2).hasReachedUsers)
    }

    @Test("Each kind of actor has a kind and a name")
    func actors() {
        for (actor, kind, name) in [
            (Actor.key("k1"), "key", "k1"), (.member("a@b"), "member", "a@b"), (.command, "command", "command"),
            (.server, "server", "server"), (.unauthenticated, "unauthenticated", "unauthenticated"),
        ] {
            #expect(actor.kind.rawValue == kind && actor.name == name)
        }
    }
}
