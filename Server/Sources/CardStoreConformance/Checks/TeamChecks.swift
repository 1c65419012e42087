import CardModel
import CardStore
import Testing

/// Checks of members, sessions, forms and attempts.
enum TeamChecks {
    static let checks: [ConformanceCheck] = [
        members, identities, first, lastAdministrator, sessions, oldSessions, forms, parallelAttempts, returnedAttempts,
        attemptsBeforeOthers, audit,
    ]

    private static func member(_ email: String, _ role: Role = .admin, at time: Double = noon) -> TeamMember {
        TeamMember(email: email, name: "Anna", role: role, passwordHash: "scrypt$1", createdAt: time)
    }

    private static func session(_ byte: UInt8, of email: String, until expiry: Double = noon + 100) -> Session {
        Session(hash: [byte], email: email, formKey: [byte, byte], createdAt: noon, expiresAt: expiry)
    }

    static let members = ConformanceCheck(
        "There is one member of an e-mail address, and the oldest comes first"
    ) { stores in
        try await stores.withStore { store in
            let (first, second) = (member("b@example.com"), member("a@example.com", .viewer, at: noon + 1))
            try await store.insertMember(first, by: command)
            try await store.insertMember(second, by: .member("b@example.com"))

            await expectFailure(.exists) { try await store.insertMember(first, by: command) }
            #expect(try await !store.insertFirstMember(member("c@example.com")))
            #expect(try await store.members() == [first, second])
            #expect(try await store.member("a@example.com") == second)
            #expect(try await store.member("c@example.com") == nil)
            #expect(try await store.latestAuditEntries(limit: 10).map(\.actor) == ["b@example.com", "command"])
        }
    }

    static let identities = ConformanceCheck(
        "An account at a provider is one member's, byte by byte, and stays with other changes"
    ) { stores in
        try await stores.withStore { store in
            let identity = MemberIdentity(issuer: "https://id.example.com", subject: "caf\u{E9}")
            var anna = member("a@example.com")
            anna.identity = identity
            try await store.insertMember(anna, by: command)
            try await store.insertMember(member("b@example.com", .editor), by: command)
            #expect(try await store.member(identity: identity) == anna)
            for other in [
                MemberIdentity(issuer: "https://id.example.com/", subject: "caf\u{E9}"),
                MemberIdentity(issuer: "https://id.example.com", subject: "cafe\u{301}"),
            ] {
                #expect(try await store.member(identity: other) == nil)
            }

            var third = member("c@example.com")
            third.identity = identity
            await expectFailure(.exists) { [third] in try await store.insertMember(third, by: command) }
            var bob = try #require(try await store.member("b@example.com"))
            let stale = bob
            bob.identity = identity
            await expectFailure(.exists) { [bob] in
                try await store.updateMember(bob, action: "member.identity", keeping: nil, at: noon, by: command)
            }
            bob.identity?.subject = "cafe\u{301}"
            try await store.updateMember(bob, action: "member.identity", keeping: nil, at: noon, by: command)
            #expect(try await store.member(identity: try #require(bob.identity))?.email == "b@example.com")
            // What was read before doesn't take the account away.
            await expectFailure(.conflict) {
                try await store.updateMember(stale, action: "member.name", keeping: nil, at: noon, by: command)
            }
            #expect(try await store.removeMember("b@example.com", at: noon, by: command))
            #expect(try await store.member(identity: try #require(bob.identity)) == nil)
        }
    }

    static let first = ConformanceCheck(
        "The first member is made once"
    ) { stores in
        try await stores.withStore { store in
            let isFirst = try await store.insertFirstMember(member("a@example.com"))
            #expect(isFirst)
            #expect(try await !store.insertFirstMember(member("b@example.com")))
            #expect(try await store.members().map(\.email) == ["a@example.com"])
        }
    }

    static let lastAdministrator = ConformanceCheck(
        "The last administrator can neither be removed nor made less"
    ) { stores in
        try await stores.withStore { store in
            var anna = member("a@example.com")
            try await store.insertMember(anna, by: command)
            try await store.insertMember(member("b@example.com", .editor), by: command)
            anna.role = .viewer
            await expectFailure(.conflict) {
                try await store.updateMember(anna, action: "member.role", keeping: nil, at: noon, by: command)
            }
            await expectFailure(.conflict) {
                _ = try await store.removeMember("a@example.com", at: noon, by: command)
            }
            #expect(try await store.removeMember("b@example.com", at: noon, by: command))
            #expect(try await !store.removeMember("b@example.com", at: noon, by: command))
            #expect(try await store.members().map(\.role) == [.admin])
        }
    }

    static let sessions = ConformanceCheck(
        "A new password ends the other sessions, a new name does not"
    ) { stores in
        try await stores.withStore { store in
            var anna = member("a@example.com")
            try await store.insertMember(anna, by: command)
            try await store.insertSession(session(1, of: anna.email))
            try await store.insertSession(session(2, of: anna.email))
            anna.name = "Anna S."
            try await store.updateMember(anna, action: "member.name", keeping: [1], at: noon, by: command)
            #expect(try await store.session([2])?.member.name == "Anna S.")

            anna.passwordHash = "scrypt$2"
            anna.codeSecret = [9, 9]
            anna.lastCodeStep = 7
            anna.recoveryCodes = [Array(repeating: 1, count: 32), Array(repeating: 2, count: 32)]
            try await store.updateMember(anna, action: "member.password", keeping: [1], at: noon, by: command)
            #expect(try await store.session([2]) == nil)
            let kept = try await store.session([1])
            #expect(kept?.session == session(1, of: anna.email))
            #expect(kept?.member.codeSecret == [9, 9])
            #expect(kept?.member.lastCodeStep == 7)
            #expect(kept?.member.recoveryCodes == anna.recoveryCodes)

            try await store.useSession([1], at: noon + 50, from: "192.0.2.1", until: noon + 500)
            let used = try #require(try await store.sessions(of: anna.email, at: noon).first)
            #expect(used.expiresAt == noon + 500 && used.lastUsedAt == noon + 50 && used.address == "192.0.2.1")
            try await store.useSession([1], at: noon + 60, from: "", until: .greatestFiniteMagnitude)
            #expect(try await store.session([1])?.session.expiresAt == noon + Session.longest)
            #expect(try await store.confirmSession([1], as: [4], at: noon + 70))
            #expect(try await store.session([4])?.session.confirmedAt == noon + 70)
            #expect(try await !store.confirmSession([1], as: [5], at: noon + 70))
            try await store.insertSession(session(1, of: anna.email))
            try await store.endSessions(of: anna.email, but: [1], at: noon, by: command)
            #expect(try await store.session([4]) == nil)
            try await store.endSession([1])
            #expect(try await store.session([1]) == nil)
        }
    }

    static let oldSessions = ConformanceCheck(
        "A session goes a week after it has expired, and with its member"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertMember(member("a@example.com"), by: command)
            try await store.insertMember(member("b@example.com"), by: command)
            try await store.insertSession(session(1, of: "a@example.com", until: noon - 604_801))
            try await store.insertSession(session(2, of: "a@example.com", until: noon - 604_799))
            try await store.insertSession(session(3, of: "b@example.com"))
            #expect(try await store.session([1]) == nil)
            #expect(try await store.session([2]) != nil)
            _ = try await store.removeMember("b@example.com", at: noon, by: command)
            #expect(try await store.session([3]) == nil)
        }
    }

    static let forms = ConformanceCheck(
        "A form is sent once, until its token has expired"
    ) { stores in
        try await stores.withStore { store in
            let isFirst = try await store.spendFormToken([1], until: noon + 10, at: noon)
            #expect(isFirst)
            #expect(try await !store.spendFormToken([1], until: noon + 10, at: noon + 9))
            #expect(try await store.spendFormToken([2], until: noon + 10, at: noon + 9))
            #expect(try await store.spendFormToken([1], until: noon + 10, at: noon + 11))
            #expect(try await store.spendFormToken([3], until: .greatestFiniteMagnitude, at: noon))
            #expect(try await store.spendFormToken([3], until: noon + 10, at: noon + 172_801))
        }
    }

    private static func subject(_ byte: UInt8, _ scope: AttemptSubject.Scope, free: Int = 5) -> AttemptSubject {
        AttemptSubject(hash: [byte], limit: AttemptLimit(free: free), scope: scope)
    }

    static let parallelAttempts = ConformanceCheck(
        "Of many attempts at once as many are permitted as one after the other"
    ) { stores in
        try await stores.withStore { store in
            let attempt = GuessAttempt([subject(1, .own), subject(2, .shared, free: 30)])
            let waits = try await withThrowingTaskGroup(of: Double.self) { group in
                for _ in 0..<800 { group.addTask { try await store.takeAttempt(attempt, at: noon) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(waits.filter { $0 == 0 }.count == 5)
            #expect(waits.filter { $0 == 5 }.count == 795)
            #expect(try await store.takeAttempt(attempt, at: noon + 5) == 0)
            #expect(try await store.takeAttempt(attempt, at: noon + 5) == 10)
        }
    }

    static let returnedAttempts = ConformanceCheck(
        "A right attempt clears its own count and takes itself out of the shared"
    ) { stores in
        try await stores.withStore { store in
            let attempt = GuessAttempt([subject(1, .own, free: 3), subject(2, .shared, free: 4)])
            for _ in 0..<2 { #expect(try await store.takeAttempt(attempt, at: noon) == 0) }
            try await store.returnAttempt(attempt, clearing: false)
            for _ in 0..<2 { #expect(try await store.takeAttempt(attempt, at: noon) == 0) }
            #expect(try await store.takeAttempt(attempt, at: noon) == 5)
            try await store.returnAttempt(attempt, clearing: true)
            // Two of the three failures are left for all together.
            for _ in 0..<2 { #expect(try await store.takeAttempt(attempt, at: noon) == 0) }
            #expect(try await store.takeAttempt(attempt, at: noon) == 5)
            #expect(try await store.takeAttempt(attempt, at: noon + AttemptLimit.memory) == 0)
        }
    }

    static let attemptsBeforeOthers = ConformanceCheck(
        "After the clock was set back an attempt is let through, and the waits go by the clock as it is"
    ) { stores in
        try await stores.withStore { store in
            let attempt = GuessAttempt([subject(1, .own, free: 2)])
            let earlier = noon - 3_600
            var waits: [Double] = []
            for time in [noon, noon, noon, earlier, earlier, earlier + 10, earlier + 10] {
                waits.append(try await store.takeAttempt(attempt, at: time))
            }
            #expect(waits == [0, 0, 5, 0, 10, 0, 20])
        }
    }

    static let audit = ConformanceCheck(
        "The audit log goes on before a position"
    ) { stores in
        try await stores.withStore { store in
            for index in 0..<5 {
                try await store.appendAuditNote("a", of: "\(index)", at: noon, by: .member("a@example.com"))
            }
            let first = try await store.latestAuditEntries(before: nil, limit: 2)
            let second = try await store.latestAuditEntries(before: first.last?.position, limit: 2)
            #expect((first + second).map(\.subject) == ["4", "3", "2", "1"])
        }
    }
}
