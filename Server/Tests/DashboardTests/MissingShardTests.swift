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
        }
    }

    @Test("The overview and the list of campaigns permit reads without a shard, and show what it noted")
    func templates() throws {
        for name in ["overview-numbers", "campaigns"] {
            let text = try #require(AssetFiles(folder: nil).template(name))
            #expect(text.contains("{{absent}}"), "\(name)")
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
