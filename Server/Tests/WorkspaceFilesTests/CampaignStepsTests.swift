import CardModel
import SampleCampaigns
import Testing
import WireJSON

@testable import WorkspaceFiles

@Suite("Steps of campaigns")
struct CampaignStepsTests {
    private static let launch = WorkspacePlan.Step.transition(.launch)
    private static let stop = WorkspacePlan.Step.transition(.stop(withdraw: false))

    /// A campaign after some transitions.
    private func campaign(_ transitions: Campaign.Transition...) throws -> Campaign {
        let sample = try #require(SampleCampaign.simulation.first)
        let draft = Campaign(id: sample.id, content: sample.content, createdAt: 1)
        return try transitions.reduce(draft) { try $0.applying($1, at: 2) }
    }

    private func steps(
        _ campaign: Campaign?,
        _ status: Campaign.Status?,
        withdrawn: Bool = false,
        saved: Bool = false
    ) -> [WorkspacePlan.Step]? {
        CampaignSteps.steps(of: campaign, to: status.map { WrittenStatus($0, isWithdrawn: withdrawn) }, isSaved: saved)
    }

    @Test("launch only what is to be active, after its edit")
    func launching() throws {
        #expect(steps(nil, nil) == [.save])
        #expect(steps(nil, .active) == [.save, Self.launch])
        #expect(steps(try campaign(), .active, saved: true) == [.save, Self.launch])
        #expect(steps(try campaign(.launch, .pause), .active) == [Self.launch])
        for status in [Campaign.Status.draft, .paused, .stopped] {
            #expect(steps(nil, status) == [.save])
            // Who was never launched reaches as few users as who is paused.
            #expect(steps(try campaign(), status) == [])
        }
        #expect(steps(try campaign(), nil, saved: true) == [.save])
    }

    @Test("end a campaign before its edit")
    func ending() throws {
        let active = try campaign(.launch)
        #expect(steps(active, .paused, saved: true) == [.transition(.pause), .save])
        #expect(steps(active, .stopped, saved: true) == [Self.stop, .save])
        #expect(steps(active, .archived, saved: true) == [Self.stop, .save, .transition(.archive)])
        #expect(steps(active, .stopped, withdrawn: true) == [.transition(.stop(withdraw: true))])
        #expect(
            steps(try campaign(.launch, .stop(withdraw: false)), .stopped, withdrawn: true) == [
                .transition(.stop(withdraw: true))
            ]
        )
    }

    @Test("restore what is archived, and archive it again after an edit")
    func archived() throws {
        let archived = try campaign(.launch, .stop(withdraw: false), .archive)
        #expect(steps(archived, nil, saved: true) == [.transition(.restore), .save, .transition(.archive)])
        #expect(steps(archived, .active, saved: true) == [.transition(.restore), .save, Self.launch])
        #expect(steps(archived, .stopped) == [.transition(.restore)])
        #expect(steps(archived, nil) == [])
    }

    @Test("lead nowhere where the model has no way")
    func impossible() throws {
        #expect(steps(try campaign(.launch), .draft) == nil)
        #expect(steps(try campaign(.launch, .stop(withdraw: false)), .paused) == nil)
    }

    @Test("lead from every status to what was asked, or nowhere")
    func all() throws {
        let starts = try [
            campaign(), campaign(.launch), campaign(.launch, .pause), campaign(.launch, .stop(withdraw: false)),
            campaign(.archive), campaign(.launch, .stop(withdraw: true), .archive),
        ]
        for start in starts {
            for status in Campaign.Status.allCases {
                guard let steps = steps(start, status) else { continue }
                var campaign = start
                for case .transition(let transition) in steps { campaign = try campaign.applying(transition, at: 3) }
                #expect(CampaignSteps.has(campaign, WrittenStatus(status)))
                #expect(steps.contains(Self.launch) == (status == .active && start.status != .active))
            }
        }
    }
}
