import CardModel
import CardServer
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: shards that don't answer")
struct MissingShardTests {
    @Test("A page names the shards whose numbers it lacks, and says nothing where all answer")
    func sentences() {
        #expect(MissingShards.sentence([]) == nil)
        let one = MissingShards.sentence([2])
        #expect(one == "Shard 2 doesn’t answer. The numbers are without those of its users.")
        let two = MissingShards.sentence([1, 3])
        #expect(two == "Shards 1, 3 don’t answer. The numbers are without those of their users.")
        TextCatalog.$current.withValue(.japanese) {
            #expect(MissingShards.sentence([2])?.hasPrefix("シャード2が応答しません。") == true)
            #expect(MissingShards.sentence([1, 3])?.hasPrefix("シャード1、3が応答しません。") == true)
        }
    }

    /// Runs a body with a server whose clock, asked while a page reads, stands for a store that does without shard 2.
    private static func withMissingShard(_ body: @escaping @Sendable (Workplace) async throws -> Void) async throws {
        try await Workplace.run(
            change: { options in
                let clock = options.clock
                options.clock = {
                    PartialReads.current?.note(2)
                    return clock()
                }
            },
            body
        )
    }

    private static func insertCampaign(to place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("Hello", "You")
        let variants = [Campaign.Variant(id: VariantID(rawValue: "a"), card: card)]
        let content = Campaign.Content(name: "Sale", variants: variants)
        let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
    }

    private static let note =
        #"<p class="warning" role="status">Shard 2 doesn’t answer. The numbers are without those of its users.</p>"#

    @Test("The overview and the list of campaigns permit reads without a shard, and show what it noted")
    func pages() async throws {
        try await Self.withMissingShard { place in
            try await Self.insertCampaign(to: place)
            let visitor = try await place.member(.editor)
            for path in ["", "?part=numbers", "/campaigns"] {
                let page = try await visitor.get("/dashboard\(path)")
                #expect(page.status == 200 && page.text.contains(Self.note), "\(path)")
            }
            // Other pages permit nothing, and have nothing to say.
            for path in ["/campaigns/sale", "/segments"] {
                let page = try await visitor.get("/dashboard\(path)")
                #expect(page.status == 200 && !page.text.contains("doesn’t answer"), "\(path)")
            }
        }
    }

    @Test("Where all shards answer, no page says anything of them")
    func complete() async throws {
        try await Workplace.run { place in
            try await Self.insertCampaign(to: place)
            let visitor = try await place.member(.editor)
            for path in ["", "?part=numbers", "/campaigns"] {
                let page = try await visitor.get("/dashboard\(path)")
                #expect(page.status == 200 && !page.text.contains("doesn’t answer"), "\(path)")
            }
        }
    }

    @Test("The first steps are no part of an overview that can't tell whether they are done")
    func firstSteps() {
        let done = OverviewPage.SetupStep(text: "Create a key", address: "/dashboard/keys", isDone: true)
        let open = OverviewPage.SetupStep(text: "Connect your app", address: "/dashboard/users", isDone: false)
        #expect(OverviewPage.showsSteps([done, open], without: []))
        #expect(!OverviewPage.showsSteps([done, open], without: [1]))
        #expect(!OverviewPage.showsSteps([done, done], without: []))
    }

    @Test("What is read is told apart from what is missing, and the permission ends with it")
    func permission() async {
        let (value, absent) = await PartialReads.permitted {
            PartialReads.current?.note(4)
            PartialReads.current?.note(2)
            return 7
        }
        #expect(value == 7 && absent == [2, 4])
        #expect(PartialReads.current == nil)
    }
}
