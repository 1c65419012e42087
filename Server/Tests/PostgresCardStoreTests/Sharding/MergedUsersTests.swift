import CardModel
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: users of several databases")
struct MergedUsersTests {
    private let merged = MergedUsers { $0.rawValue.hasSuffix("1") ? 1 : 0 }

    private func user(_ id: String, _ email: String? = nil) -> UserProfile {
        var user = UserProfile(id: UserID(rawValue: id), createdAt: 0)
        user.standard[.email] = email.map { .string($0) }
        return user
    }

    private func ids(_ users: [UserProfile]) -> [String] { users.map(\.id.rawValue) }

    @Test("Users whose id begins with the text come first, by id, then others by address and id")
    func beginning() {
        let lists = [
            [user("ab-2", "z@x"), user("u-2", "AB.b@x"), user("u-4", "ab.c@x")],
            [user("ab-1"), user("ab-3"), user("u-3", "ab.a@x"), user("u-1", "ab.b@x")],
        ]
        let all = ["ab-1", "ab-2", "ab-3", "u-3", "u-1", "u-2", "u-4"]
        #expect(ids(merged.users(beginningWith: "ab", lists, limit: 10)) == all)
        #expect(ids(merged.users(beginningWith: "ab", lists, limit: 4)) == Array(all.prefix(4)))
        #expect(merged.users(beginningWith: "ab", [[], []], limit: 4).isEmpty)
    }

    @Test("A user who is in two databases is found once, as the placement says or wherever there is one")
    func duplicates() {
        let lists = [[user("a1", "old"), user("b")], [user("a1", "new"), user("c")]]
        let found = merged.users(beginningWith: "", lists, limit: 10)
        #expect(ids(found) == ["a1", "b", "c"])
        #expect(found.first?.standard[.email] == "new")
    }

    @Test("A search inside goes as far as every database has looked")
    func inside() {
        func search(_ parts: [(users: [String], end: String?)], limit: Int) -> (users: [String], end: String?) {
            let parts = parts.map { InsideSearch(users: $0.users.map { user($0) }, searchedTo: $0.end) }
            let found = merged.users(withInside: parts, limit: limit)
            return (ids(found.users), found.searchedTo)
        }
        #expect(search([(["a", "c"], nil), (["b"], nil)], limit: 9) == (["a", "b", "c"], nil))
        #expect(search([(["a", "c"], nil), (["b"], nil)], limit: 2) == (["a", "b"], "b"))
        #expect(search([(["a", "x"], nil), (["b"], "k")], limit: 9) == (["a", "b"], "k"))
        #expect(search([(["a", "c"], "c"), (["b", "d"], "d")], limit: 2) == (["a", "b"], "b"))
        #expect(search([([], "m"), ([], "k")], limit: 2) == ([], "k"))
        #expect(search([([], nil), ([], nil)], limit: 2) == ([], nil))
    }

    @Test("Users that a reference may mean are in the order of their last change, with where they are")
    func matches() {
        func match(_ id: String, _ time: Double) -> UserMatch { UserMatch(id: UserID(rawValue: id), updatedAt: time) }
        let found = merged.matches([[match("b", 5), match("a1", 3)], [match("c", 5), match("a1", 4)]])
        #expect(found.map(\.match) == [match("c", 5), match("b", 5), match("a1", 4)])
        #expect(found.map(\.shard) == [1, 0, 1])
        let many = (0..<UserMatch.limit).map { UserMatch(id: UserID(rawValue: "c\(1_000 + $0)"), updatedAt: 1) }
        let claimed = UserMatch(id: UserID(rawValue: "b"), updatedAt: 2, isClaimed: true)
        #expect(merged.matches([[claimed], many]).map(\.match) == many.reversed())
    }
}
