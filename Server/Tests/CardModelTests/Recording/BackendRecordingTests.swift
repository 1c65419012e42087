import OrderedCollections
import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Recording what backends tell of users")
struct BackendRecordingTests {
    private static let ann = UserID(rawValue: "ann")
    private static let bob = UserID(rawValue: "bob")
    private static let guest = UserID(rawValue: "unidentified-1")
    private static let alias = UserAlias(label: "crm", name: "1")

    private func known(_ custom: JSONObject = [:], version: UserVersion = 4) -> KnownProfile {
        var profile = UserProfile(id: Self.ann, createdAt: 10)
        profile.custom = custom
        return KnownProfile(profile, version: version)
    }

    private func changes(_ name: String, _ change: AttributeChange) -> AttributeChanges {
        AttributeChanges(custom: [name: change])
    }

    // MARK: Attributes

    @Test("A user who isn't known is created, of version 0 where nothing is said of them")
    func creation() {
        let recorder = Recorder()
        var profile = UserProfile(id: Self.ann, createdAt: 50)
        #expect(recorder.record(UserUpdate(id: Self.ann), over: nil, at: 50) == .creation(profile, version: 0))
        profile.custom = ["plan": "gold"]
        let update = UserUpdate(id: Self.ann, custom: ["plan": "gold"])
        #expect(recorder.record(update, over: nil, at: 50) == .creation(profile, version: 1))
        let change = changes("plan", .set("gold"))
        #expect(recorder.record(change, of: Self.ann, over: nil, at: 50) == .creation(profile, version: 1))
    }

    @Test("A change that leaves everything as it is writes nothing, another one the next version")
    func versions() {
        let recorder = Recorder()
        let known = known(["n": 1])
        #expect(recorder.record(UserUpdate(id: Self.ann, custom: ["n": 1]), over: known, at: 50) == .nothing)
        let write = recorder.record(changes("n", .increment(by: 2)), of: Self.ann, over: known, at: 50)
        #expect(write == .attributes(self.known(["n": 3]).profile, version: 5))
    }

    @Test("A change beyond a limit writes nothing, not even a new user")
    func limits() {
        var recorder = Recorder()
        recorder.limits.attributes = 1
        let excess = ProfileWrite.refused(UserLimits.Excess(.attributes, limit: 1))
        let update = UserUpdate(id: Self.ann, custom: ["a": 1, "b": 2])
        #expect(recorder.record(update, over: nil, at: 0) == excess)
        #expect(recorder.record(changes("b", .set(2)), of: Self.ann, over: known(["a": 1]), at: 0) == excess)
    }

    // MARK: The user that a change concerns

    private func change(_ user: UserReference, making newUser: UserID? = nil) -> TrackedChange {
        TrackedChange(user: user, newUser: newUser, content: .attributes(AttributeChanges()))
    }

    @Test("An id is who it names; whoever else is meant is found, created by their only name, or nobody")
    func users() {
        let recorder = Recorder()
        func user(_ change: TrackedChange, _ candidates: [UserID] = []) -> TrackedUser {
            recorder.user(of: change, among: candidates.map { UserMatch(id: $0, updatedAt: 0) }, at: 5)
        }
        #expect(!change(.id(Self.ann), making: Self.ann).needsCandidates && change(.id(Self.ann)).needsCandidates)
        #expect(user(change(.id(Self.ann), making: Self.ann)) == .known(Self.ann))
        #expect(user(change(.id(Self.ann))) == .nobody)
        #expect(user(change(.alias(Self.alias)), [Self.bob]) == .known(Self.bob))
        let profile = UserProfile(id: Self.guest, createdAt: 5)
        #expect(user(change(.alias(Self.alias), making: Self.guest)) == .creation(profile, Self.alias))
        var named = profile
        named.standard[.email] = "a@b.c"
        let email = UserReference.email("a@b.c", MatchPreference([]))
        #expect(user(change(email, making: Self.guest)) == .creation(named, nil))
        // Two of them may be meant, so nobody is, and there is no third one.
        #expect(user(change(email, making: Self.guest), [Self.ann, Self.bob]) == .nobody)
        named = profile
        named.standard[.phone] = "1"
        #expect(user(change(.phone("1", .usual), making: Self.guest)) == .creation(named, nil))
        #expect(user(change(.phone("1", .usual)), [Self.guest, Self.ann]) == .known(Self.ann))
    }

    @Test(
        "Events of a user are one batch in their order, and limits are told by the places of the request",
        arguments: 0..<40
    )
    func requests(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var request = TrackedRequest()
        var (sent, limits): ([UserID: [(Int, EventID)]], [Int: UserLimits.Excess]) = ([:], [:])
        let excess = UserLimits.Excess(.attributes, limit: 1)
        for place in 0..<30 {
            let user = [Self.ann, Self.bob, nil].randomElement(using: &random) ?? nil
            let event = DeviceEvent(id: EventID(high: 0, low: UInt64(place)), kind: .sessionStart, at: 0)
            let isEvent = Bool.random(using: &random)
            let content: TrackedChange.TrackedContent =
                isEvent ? .event(event) : .attributes(changes("n", .set(.integer(Int64(place)))))
            let added = request.add(TrackedChange(user: .id(Self.ann), newUser: nil, content: content), of: user)
            #expect((added == nil) == (isEvent || user == nil))
            if added != nil, Bool.random(using: &random) {
                request.refuse(excess)
                limits[place] = excess
            }
            if isEvent, let user { sent[user, default: []].append((place, event.id)) }
        }
        let batches = request.batches(rules: nil, at: 9)
        #expect(Set(batches.map(\.user)) == Set(sent.keys) && batches.allSatisfy { $0.device == nil })
        for batch in batches {
            #expect(batch.events.map(\.id) == sent[batch.user]?.map(\.1))
            var outcome = EventOutcome(
                receipt: EventReceipt(accepted: 0, duplicate: 1),
                versionBefore: 0,
                versionAfter: 0
            )
            let index = Int.random(in: 0..<batch.events.count, using: &random)
            outcome.excesses[index] = excess
            if let place = sent[batch.user]?[index].0 { limits[place] = excess }
            request.add(outcome, of: batch)
        }
        #expect(request.outcome.excesses == limits && request.outcome.duplicates == batches.count)
        #expect(request.outcome.users.count == 30)
    }

    // MARK: Aliases

    @Test("An alias goes to a user without another of its label, and without a user to a new one")
    func aliases() {
        var recorder = Recorder()
        recorder.limits.aliases = 2
        func give(_ user: UserID?, ownedBy owner: UserID? = nil, beside labels: [String]? = []) -> AliasDecision {
            recorder.give(
                NewAlias(alias: Self.alias, user: user, newUser: Self.guest),
                ownedBy: owner,
                beside: labels?.map { UserAlias(label: $0, name: "x") },
                at: 5
            )
        }
        #expect(give(Self.ann).outcome == .given && give(Self.ann).owner == Self.ann)
        #expect(give(Self.ann).creation == nil)
        #expect(give(Self.ann, beside: nil).outcome == .userUnknown)
        #expect(give(Self.ann, ownedBy: Self.ann).outcome == .given && give(Self.ann, ownedBy: Self.ann).owner == nil)
        #expect(give(Self.ann, ownedBy: Self.bob).outcome == .nameTaken)
        #expect(give(Self.ann, beside: ["crm"]).outcome == .labelTaken)
        let excess = UserLimits.Excess(.aliases, limit: 2)
        #expect(give(Self.ann, beside: ["a", "b"]).outcome == .limitReached(excess))
        let new = give(nil, beside: nil)
        #expect(new.owner == Self.guest && new.creation == UserProfile(id: Self.guest, createdAt: 5))
        #expect(give(nil, ownedBy: Self.bob, beside: nil).owner == nil)
    }

    @Test("However aliases are given, a name has one owner and a user one name of each label", arguments: 0..<60)
    func randomAliases(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var recorder = Recorder()
        recorder.limits.aliases = 3
        var owners: [UserAlias: UserID] = [:]
        var users: Set<UserID> = [Self.ann, Self.bob]
        for step in 0..<60 {
            let label = "l\(Int.random(in: 0..<5, using: &random))"
            let alias = UserAlias(label: label, name: "n\(Int.random(in: 0..<3, using: &random))")
            let user = [Self.ann, Self.bob, UserID(rawValue: "nobody"), nil].randomElement(using: &random) ?? nil
            let before = owners
            let decision = recorder.give(
                NewAlias(alias: alias, user: user, newUser: UserID(rawValue: "new-\(step)")),
                ownedBy: owners[alias],
                beside: user.flatMap { user in
                    users.contains(user) ? owners.filter { $0.value == user }.map(\.key) : nil
                },
                at: 0
            )
            if let profile = decision.creation { #expect(users.insert(profile.id).inserted) }
            if let owner = decision.owner {
                #expect(owners[alias] == nil)
                owners[alias] = owner
            }
            #expect((decision.outcome == .given) == (owners[alias] != nil && (user == nil || owners[alias] == user)))
            if decision.outcome != .given { #expect(owners == before) }
            for user in users {
                let labels = owners.filter { $0.value == user }.map(\.key.label)
                #expect(Set(labels).count == labels.count && labels.count <= 3)
            }
        }
    }
}
