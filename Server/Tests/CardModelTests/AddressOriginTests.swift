import CardModel
import Testing
import WireJSON

@Suite("Where addresses come from")
struct AddressOriginTests {
    private static let ann = UserMatch(id: UserID(rawValue: "ann"), updatedAt: 1)
    private static let claiming = UserMatch(id: UserID(rawValue: "bob"), updatedAt: 2, isClaimed: true)
    private static let guest = UserMatch(id: UserID(rawValue: "unidentified-1"), updatedAt: 3)

    @Test("Users whose device claims an address are chosen where no other has it, whatever the preference")
    func choice() {
        for preference in [MatchPreference.usual, MatchPreference([]), MatchPreference([.mostRecentlyUpdated])] {
            let email = UserReference.email("a@b.c", preference)
            #expect(email.choose(from: [Self.claiming, Self.ann]) == Self.ann.id)
            #expect(email.choose(from: [Self.claiming]) == Self.claiming.id)
        }
        // A user without an id, but one whose number a backend set.
        #expect(UserReference.phone("1", .usual).choose(from: [Self.claiming, Self.guest]) == Self.guest.id)
        let unidentified = UserReference.email("a@b.c", MatchPreference([.unidentified]))
        #expect(unidentified.choose(from: [Self.claiming, Self.ann]) == nil)
        #expect(UserReference.id(Self.claiming.id).choose(from: [Self.claiming]) == Self.claiming.id)
    }

    @Test(
        "A claim finds nobody where user tokens are required",
        arguments: [(Settings.UserTokenMode.disabled, 2), (.optional, 2), (.required, 1)]
    )
    func modes(_ mode: Settings.UserTokenMode, _ count: Int) {
        #expect([Self.claiming, Self.ann].found(where: mode).count == count)
    }

    @Test("Of those who claim an address few are considered, in the order of their ids, after those who were given it")
    func limit() {
        let claiming = (0..<2 * UserMatch.limit).map { number in
            UserMatch(id: UserID(rawValue: "a\(1_000 + number)"), updatedAt: Double(number), isClaimed: true)
        }
        #expect(claiming.considered == claiming.prefix(UserMatch.limit).reversed())
        let considered = (claiming + [Self.guest]).considered
        #expect(considered.count == UserMatch.limit && considered.contains(Self.guest))
        #expect(!considered.contains(claiming[UserMatch.limit - 1]))
        #expect([Self.ann, Self.guest, Self.claiming].considered == [Self.guest, Self.claiming, Self.ann])
    }

    @Test("The last word on an address counts: a device's is a claim, a backend's is none, and repeating isn't a word")
    func origin() throws {
        var profile = UserProfile(id: Self.ann.id, createdAt: 0)
        var usage = AttributeUsage(of: profile)
        func say(_ attribute: StandardAttribute, _ value: JSONValue, _ source: AttributeSource) throws -> Bool {
            let changes = AttributeChanges(standard: [attribute: value])
            return try profile.apply(changes, within: UserLimits(), &usage, from: source)
        }
        #expect(try say(.firstName, "Ann", .device) && profile.claimed == [])
        #expect(try say(.email, "a@b.c", .device) && profile.claimed == .email)
        #expect(try !say(.email, "a@b.c", .device) && profile.claimed == .email)
        #expect(try say(.email, "a@b.c", .backend) && profile.claimed == [])
        #expect(try !say(.email, "a@b.c", .backend) && profile.claimed == [])
        #expect(try say(.email, "A@B.c", .device) && profile.claimed == [])
        #expect(try say(.phone, "1", .device) && profile.claimed == .phone)
        #expect(try say(.phone, .null, .device) && profile.claimed == [])
    }
}
