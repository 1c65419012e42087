import CardModel
import Testing

@Suite("Changes of test users")
struct TestUserChangeTests {
    private static func id(_ name: String) -> UserID { UserID(rawValue: name) }
    private static let ann = TestUser(id("ann"), name: "Phone")
    private static let ben = TestUser(id("ben"), groups: ["QA"])
    private static let eve = TestUser(id("eve"), name: "Tablet", groups: ["QA", "Web"])
    private static let all = [ann, ben, eve, TestUser(id("zoe"))]

    @Test("A replacement has its users alone, each once, who keep names and groups only where that is said")
    func replacement() {
        let users = [TestUser(Self.eve.id, name: "New"), TestUser(Self.id("new"), name: "N"), TestUser(Self.eve.id)]
        func saved(keepsNames: Bool, keepsGroups: Bool) -> TestUserOutcome {
            TestUserChange.replacement(users, keepsNames: keepsNames, keepsGroups: keepsGroups).outcome(for: Self.all)
        }
        #expect(saved(keepsNames: false, keepsGroups: false) == .saved(Array(users.prefix(2))))
        let nameless = TestUser(Self.id("new"))
        #expect(saved(keepsNames: true, keepsGroups: true) == .saved([Self.eve, nameless]))
        #expect(
            saved(keepsNames: false, keepsGroups: true)
                == .saved([TestUser(Self.eve.id, name: "New", groups: ["QA", "Web"]), users[1]])
        )
    }

    @Test("Who loses their name stays for their groups alone, and who isn't there changes nothing")
    func removal() {
        #expect(TestUserChange.removal(Self.ann.id).outcome(for: Self.all) == .saved(Array(Self.all.dropFirst())))
        let grouped = TestUser(Self.eve.id, groups: ["QA", "Web"])
        #expect(TestUserChange.removal(Self.eve.id).outcome(for: [Self.eve]) == .saved([grouped]))
        #expect(TestUserChange.removal(Self.eve.id).outcome(for: [Self.ann]) == .unchanged([Self.ann]))
    }

    @Test("A group that is saved has its users alone, and one that is removed leaves those who are more than that")
    func groups() {
        let joined = TestUserChange.group("QA", [Self.id("new"), Self.ann.id]).outcome(for: Self.all)
        let others = [
            TestUser(Self.ann.id, name: "Phone", groups: ["QA"]),
            TestUser(Self.eve.id, name: "Tablet", groups: ["Web"]),
            TestUser(Self.id("zoe")), TestUser(Self.id("new"), groups: ["QA"]),
        ]
        #expect(joined == .saved(others))
        let left = [Self.ann, TestUser(Self.eve.id, name: "Tablet", groups: ["Web"]), TestUser(Self.id("zoe"))]
        #expect(TestUserChange.groupRemoval("QA").outcome(for: Self.all) == .saved(left))
        #expect(TestUserChange.groupRemoval(nil).outcome(for: Self.all) == .saved([Self.ann, Self.ben, Self.eve]))
        #expect(TestUserChange.groupRemoval("App").outcome(for: Self.all) == .unchanged(Self.all))
    }

    @Test("There are no more users and groups than there may be, and those who are there can be changed")
    func limits() {
        let many = (0..<TestUser.limit).map { TestUser(Self.id("u\($0)")) }
        #expect(TestUserChange.addition(Self.ann).outcome(for: many) == .tooManyUsers)
        #expect(TestUserChange.group("QA", [Self.ann.id]).outcome(for: many) == .tooManyUsers)
        #expect(TestUserChange.addition(TestUser(many[3].id, name: "Three")).outcome(for: many).isMade)
        #expect(TestUserChange.group("QA", many.map(\.id)).outcome(for: many).isMade)
        let groups = TestUser(Self.ann.id, groups: (0..<TestGroup.limit).map { "Group \($0)" })
        #expect(TestUserChange.group("QA", [Self.ben.id]).outcome(for: [groups]) == .tooManyGroups)
        #expect(!TestUserOutcome.tooManyGroups.isMade)
        #expect(TestUserChange.group("Group 0", [Self.ben.id]).outcome(for: [groups]).isMade)
    }
}
