import CardModel
import CardStore
import Synchronization
import Testing

@testable import Dashboard

@Suite("Dashboard: guessing", .serialized)
struct GuessingTests {
    /// Forms that a browser sends at once, each with a token of its own.
    private func statuses(
        of count: Int,
        _ path: String,
        _ place: Workplace,
        from address: @escaping @Sendable (Int) -> String = { _ in "192.0.2.1" },
        _ fields: [String: String]
    ) async throws -> [Int] {
        let key = SecretBytes.random(32)
        let now = place.time.now
        // The client waits twenty seconds for an answer, and its requests are answered one after the other.
        let mostAtOnce = 16
        return try await withThrowingTaskGroup(of: Int.self) { group in
            var found: [Int] = []
            for number in 0..<count {
                if number >= mostAtOnce, let status = try await group.next() { found.append(status) }
                group.addTask {
                    let visitor = Visitor(client: place.client, address: address(number))
                    visitor.setCookie("placard_visit", SecretBytes.text(key))
                    let form = fields.merging(["csrf": FormToken(at: now).text(key: key)]) { $1 }
                    return try await visitor.post(path, form).status
                }
            }
            for try await status in group { found.append(status) }
            return found
        }
    }

    /// A member with a second factor, and a ticket of one who knows the password.
    private func memberWithFactor(_ place: Workplace) async throws -> (TeamMember, ticket: String) {
        _ = try await place.member(.admin)
        var member = try #require(try await place.store.member("admin@example.com"))
        member.codeSecret = Array(repeating: 7, count: 20)
        member.recoveryCodes = [try #require(RecoveryCodes.digest("1234567890"))]
        try await place.store.updateMember(member, action: "member.factor-on", keeping: nil, at: 0, by: .command)
        return (member, SignInTicket(email: member.email, at: place.time.now).text(of: member))
    }

    private func code(_ member: TeamMember, _ place: Workplace) -> String {
        TimeBasedCode(secret: member.codeSecret ?? []).code(of: TimeBasedCode.step(at: place.time.now))
    }

    @Test("Of many passwords at once, five are looked at")
    func passwords() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let wrong = ["email": "admin@example.com", "password": "wrong"]
            let found = try await statuses(of: 24, "/dashboard/sign-in", place, from: { _ in "192.0.2.9" }, wrong)
            #expect(found.filter { $0 == 401 }.count == 5)
            #expect(found.filter { $0 == 429 }.count == 19)
        }
    }

    @Test("Of many codes at once, five are looked at")
    func codes() async throws {
        try await Workplace.run { place in
            let (member, ticket) = try await memberWithFactor(place)
            let wrong = ["ticket": ticket, "code": code(member, place) == "000000" ? "000001" : "000000"]
            let found = try await statuses(of: 200, "/dashboard/sign-in/code", place, wrong)
            #expect(found.filter { $0 == 401 }.count == 5)
            #expect(found.filter { $0 == 429 }.count == 195)
        }
    }

    @Test("Whoever fails elsewhere locks nobody out who has password and code")
    func elsewhere() async throws {
        try await Workplace.run { place in
            let (member, ticket) = try await memberWithFactor(place)
            let wrongs = ["email": member.email, "password": "wrong"]
            let addresses: @Sendable (Int) -> String = { "198.51.100.\($0 % 60)" }
            _ = try await statuses(of: 240, "/dashboard/sign-in", place, from: addresses, wrongs)
            let codes = ["ticket": ticket, "code": "wrong"]
            _ = try await statuses(of: 30, "/dashboard/sign-in/code", place, from: addresses, codes)

            let visitor = Visitor(client: place.client, address: "203.0.113.5")
            let asked = try await visitor.signIn(member.email)
            let own = try #require(asked.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1
            let fields = ["ticket": String(own), "code": code(member, place)]
            let entered = try await visitor.post("/dashboard/sign-in/code", from: "/dashboard/sign-in", fields)
            #expect(entered.status == 303)
        }
    }

    @Test("Codes are guessed from no number of addresses; a recovery code still signs in")
    func manyAddresses() async throws {
        try await Workplace.run { place in
            let (member, ticket) = try await memberWithFactor(place)
            let wrong = ["ticket": ticket, "code": "wrong"]
            let found = try await statuses(
                of: 300,
                "/dashboard/sign-in/code",
                place,
                from: { "2001:db8:\(String($0, radix: 16))::1" },
                wrong
            )
            #expect(found.filter { $0 == 401 }.count == 200)
            let visitor = Visitor(client: place.client, address: "203.0.113.5")
            func answer(_ code: String) async throws -> Int {
                let fields = ["ticket": ticket, "code": code]
                return try await visitor.post("/dashboard/sign-in/code", from: "/dashboard/sign-in", fields).status
            }
            #expect(try await answer(code(member, place)) == 429)
            #expect(try await answer("12345 67890") == 303)
        }
    }

    @Test("Each failure is a line of the log with the client's address, and nothing that was typed")
    func logged() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let wrong = ["email": "admin@example.com\nnotice Failed sign-in from 198.51.100.1", "password": "wrong"]
            _ = try await statuses(of: 7, "/dashboard/sign-in", place, from: { _ in "2001:DB8::0:9" }, wrong)
            let right = ["email": "admin@example.com", "password": "wrong"]
            _ = try await statuses(of: 7, "/dashboard/sign-in", place, from: { _ in "192.0.2.9" }, right)
            let lines = place.log.lines.filter { $0.hasPrefix("Failed sign-in") }
            for (address, limited) in [("2001:db8::9", 0), ("192.0.2.9", 2)] {
                let own = lines.filter { $0.hasPrefix("Failed sign-in from \(address) ") }
                #expect(own.count == 7 && own.count { $0.contains("result=limited") } == limited, "\(lines)")
            }
            #expect(lines.count == 14 && !lines.contains { $0.contains("@") || $0.contains("198.51") })
        }
    }

    @Test("All addresses of one network of version 6 are one")
    func networks() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let wrong = ["email": "admin@example.com", "password": "wrong"]
            let found = try await statuses(of: 12, "/dashboard/sign-in", place, from: { "2001:db8::\($0)" }, wrong)
            #expect(found.filter { $0 == 401 }.count == 5)
        }
    }

    @Test("A browser that was signed in before has attempts of its own, until the password is another")
    func knownDevice() async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            let device = try #require(anna.cookie("placard_device"))
            let wrong = ["email": "admin@example.com", "password": "wrong"]
            _ = try await statuses(of: 8, "/dashboard/sign-in", place, wrong)
            let stranger = Visitor(client: place.client)
            #expect(try await stranger.signIn("admin@example.com").status == 429)
            stranger.setCookie("placard_device", device)
            #expect(try await stranger.signIn("admin@example.com").status == 303)

            let member = try #require(try await place.store.member("admin@example.com"))
            let cookie = KnownDevice.cookie(adding: member, to: device, at: place.time.now)
            #expect(KnownDevice.find(cookie, of: member, at: place.time.now) != nil)
            #expect(KnownDevice.find(cookie, of: member, at: place.time.now + 15_552_000) == nil)
            var changed = member
            changed.passwordHash += "x"
            #expect(KnownDevice.find(cookie, of: changed, at: place.time.now) == nil)
            changed = member
            changed.email = "other@example.com"
            #expect(KnownDevice.find(cookie, of: changed, at: place.time.now) == nil)
            let both = KnownDevice.cookie(adding: changed, to: cookie, at: place.time.now)
            #expect(KnownDevice.find(both, of: member, at: place.time.now) != nil)
            #expect(KnownDevice.find(both, of: changed, at: place.time.now) != nil)
            // What is no token takes no room that a token needs.
            let long = String(repeating: "A", count: 500)
            let clean = KnownDevice.cookie(adding: member, to: long, at: place.time.now)
            #expect(KnownDevice.find(clean, of: member, at: place.time.now) != nil)
            #expect(clean.utf8.count == 75)
        }
    }

    @Test(
        "A session is not asked for the password without end",
        arguments: ["/dashboard/account/password", "/dashboard/account/factor"]
    )
    func inSession(_ path: String) async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            var found: [Int] = []
            for _ in 0..<7 {
                let fields = ["current": "wrong", "password": "another long password"]
                let answer = try await anna.post(path, from: "/dashboard/account", fields)
                found.append(answer.status)
                if answer.status == 429 { #expect(answer.text.contains("Too many attempts.")) }
            }
            #expect(found == [400, 400, 400, 400, 400, 429, 429])
            let other = Visitor(client: place.client)
            #expect(try await other.signIn("admin@example.com").status == 303)
        }
    }

    @Test("What a stranger types as an address is kept nowhere, and of failures not without end")
    func strangers() async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            let address = String(repeating: "e", count: 12_000) + "@example.com"
            for (email, status) in [("evil@example.com", 401), ("Evil <b>", 401), (address, 413)] {
                #expect(try await visitor.signIn(email).status == status)
            }
            let entries = try await place.store.latestAuditEntries(before: nil, limit: 100)
            let refused = entries.filter { $0.action == "session.refused" }
            #expect(refused.map(\.actor) == ["unauthenticated"])
            #expect(refused.map(\.subject) == ["unknown"])
            let long = ["email": "a@b.c", "password": String(repeating: "x", count: 17_000)]
            #expect(try await visitor.post("/dashboard/sign-in", from: "/dashboard/sign-in", long).status == 413)

            let budget = RefusalBudget()
            let taken = (0..<100_000).filter { budget.take(at: Double($0)) }
            #expect((2_000...4_000).contains(taken.count))
            #expect(taken.prefix { $0 < 60 }.count == 30)
        }
    }

    @Test("A form of a browser without a session is taken once, and few are remembered")
    func nonces() {
        let nonces = SpentNonces(limit: 3)
        #expect([1, 2, 3, 1, 2].map { nonces.spend([$0]) } == [true, true, true, false, false])
        #expect([4, 1, 4, 3].map { nonces.spend([$0]) } == [true, true, false, false])
    }
}

@Suite("Dashboard: whose password is checked next")
struct PasswordLaneTests {
    private func stranger(_ address: Int, _ account: String = "a") -> PasswordLanes.Caller {
        .stranger(address: "\(address)", account: account)
    }

    @Test("A new address comes next, however many others wait")
    func newAddress() {
        var lanes = PasswordLanes()
        for address in 0..<100 { _ = lanes.add(stranger(address), at: 0) }
        for _ in 0..<5 { #expect(lanes.next(at: 1).id != nil) }
        let right = lanes.add(stranger(500), at: 1)
        #expect(lanes.next(at: 1).id == right.id)
    }

    @Test("An account that was not tried comes before one that was, at the same address")
    func sameAddress() {
        var lanes = PasswordLanes()
        for _ in 0..<10 { _ = lanes.add(stranger(1), at: 0) }
        _ = lanes.next(at: 0)
        let right = lanes.add(stranger(1, "b"), at: 0)
        _ = lanes.add(stranger(1), at: 0)
        #expect(lanes.next(at: 0).id == right.id)
    }

    @Test("Places are bounded, for one and for all; the oldest of the largest crowd is turned away")
    func places() {
        var lanes = PasswordLanes()
        let first = lanes.add(stranger(7), at: 0)
        var refused: [UInt64] = []
        for _ in 0..<40 { refused += lanes.add(stranger(1), at: 0).refused }
        #expect(refused.count == 40 - PasswordLanes.placesOfGroup)
        for address in 100..<200 { refused += lanes.add(stranger(address), at: 0).refused }
        #expect(refused.count == 141 - PasswordLanes.places)
        #expect(!refused.prefix(24).contains(first.id))
        var left = 0
        while lanes.next(at: 0).id != nil { left += 1 }
        #expect(left == PasswordLanes.places)
    }

    @Test("Who is known comes before strangers, without keeping them out")
    func known() {
        var lanes = PasswordLanes()
        for address in 0..<64 { _ = lanes.add(stranger(address), at: 0) }
        let anna = (0..<6).map { _ in lanes.add(.known(account: "anna"), at: 0).id }
        let kenji = lanes.add(.known(account: "kenji"), at: 0).id
        let order = (0..<8).compactMap { _ in lanes.next(at: 0).id }
        #expect(order[0] == anna[0] && order[1] == kenji && order[2] == anna[1])
        #expect(order[3] < anna[0])
        #expect(order[4...6].elementsEqual(anna[2...4]))
    }

    @Test("Nobody waits longer than a quarter of a minute")
    func patience() {
        var lanes = PasswordLanes()
        let old = lanes.add(stranger(1), at: 0)
        let young = lanes.add(stranger(2), at: 10)
        let next = lanes.next(at: 16)
        #expect(next.id == young.id)
        #expect(next.refused == [old.id])
    }

    @Test("Members' passwords are hashed at the full cost, and so is the hash of nobody")
    func cost() async throws {
        let queue = PasswordQueue { 0 }
        let caller = PasswordLanes.Caller.known(account: "anna@example.com")
        #expect(try await queue.hash("correct horse", for: caller).hasPrefix("scrypt$131072$8$1$"))
        #expect(queue.cost.noHash.hasPrefix("scrypt$131072$8$1$"))
        #expect(queue.cost.recoveryExponent == 14)
    }

    @Test("Work is done few at a time, and turned away when there is too much of it")
    func queue() async throws {
        let load = WorkLoad()
        let queue = PasswordQueue(width: 2) { 0 }
        let done = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let caller = PasswordLanes.Caller.stranger(address: "\(number)", account: "")
                    return
                        (try? await queue.run(for: caller) {
                            load.begin()
                            load.end()
                            return true
                        }) ?? false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done >= PasswordLanes.places)
        #expect(load.most <= 2)
    }
}

/// Counts how much work is under way at once.
private final class WorkLoad: Sendable {
    private let counts = Mutex((running: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.running += 1
            counts.most = max(counts.most, counts.running)
        }
    }

    func end() { counts.withLock { $0.running -= 1 } }
}
