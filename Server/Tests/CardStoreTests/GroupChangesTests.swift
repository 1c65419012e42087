import CardModel
import CardStore
import CardStoreConformance
import Testing

@Suite("What one group of writes has changed")
struct GroupChangesTests {
    @Test("A new user is told of where something is known of them, and counts in any case")
    func newUsers() {
        var changes = GroupChanges()
        changes.add(someone, version: 0, by: "phone")
        #expect(changes.newUsers == 1 && changes.users.isEmpty)
        changes.add(UserID(rawValue: "other"), version: 1, by: "phone")
        #expect(changes.newUsers == 2 && changes.users == [UserID(rawValue: "other"): "phone"])
        changes.remove(someone)
        #expect(changes.newUsers == 1 && changes.removed == [someone])
    }
}
