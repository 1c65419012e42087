import CardModel
import CardStore
import Testing

/// Checks of accounts that are changed at the same time.
enum AccountRaceChecks {
    static let checks: [ConformanceCheck] = [stale, signIn, inOrder]

    private static func withMembers(
        _ stores: any StoreFactory,
        _ body: (any CardStore) async throws -> Void
    ) async throws {
        try await stores.withStore { store in
            for name in ["ann", "ben"] {
                let email = "\(name)@example.com"
                try await store.insertMember(
                    TeamMember(email: email, role: .admin, passwordHash: "scrypt$1", createdAt: noon),
                    by: command
                )
            }
            try await body(store)
        }
    }

    private static func save(_ member: TeamMember, _ store: any CardStore) async throws {
        try await store.updateMember(member, action: "member.password", keeping: nil, at: noon, by: command)
    }

    static let stale = ConformanceCheck(
        "What was read before doesn't undo a new role, password or second factor, or bring a used code back"
    ) { stores in
        let changes: [@Sendable (inout TeamMember) -> Void] = [
            { $0.role = .viewer }, { $0.passwordHash = "scrypt$2" }, { $0.passwordExpiresAt = noon + 60 },
            { $0.codeSecret = [1, 2, 3] }, { $0.lastCodeStep = 7 },
            { $0.recoveryCodes = [Array(repeating: 1, count: 32)] },
        ]
        try await withMembers(stores) { store in
            for (index, change) in changes.enumerated() {
                var late = try #require(try await store.member("ben@example.com"))
                var changed = late
                change(&changed)
                try await save(changed, store)
                late.passwordHash = "scrypt$late"
                await expectFailure(.conflict) { try await save(late, store) }
                let stored = try #require(try await store.member("ben@example.com"))
                #expect(stored == changed, "\(index)")
            }
        }
    }

    private static func session(of member: TeamMember, _ byte: UInt8) -> Session {
        var session = Session(
            hash: Array(repeating: byte, count: 32),
            email: member.email,
            formKey: [1],
            createdAt: noon,
            expiresAt: noon + 60
        )
        session.account = member.base
        return session
    }

    static let signIn = ConformanceCheck(
        "A password that is reset while it is checked opens no session, and neither does a member who is gone"
    ) { stores in
        let changes: [@Sendable (inout TeamMember) -> Void] = [
            { $0.passwordHash = "scrypt$2" }, { $0.role = .viewer }, { $0.codeSecret = [1, 2, 3] },
            { $0.passwordExpiresAt = noon + 60 },
        ]
        try await withMembers(stores) { store in
            for (index, change) in changes.enumerated() {
                let checked = try #require(try await store.member("ben@example.com"))
                var changed = checked
                change(&changed)
                try await save(changed, store)
                await expectFailure(.conflict) { try await store.insertSession(session(of: checked, 1)) }
                #expect(try await store.sessions(of: checked.email, at: noon).isEmpty, "\(index)")
            }
            var member = try #require(try await store.member("ben@example.com"))
            let checked = member
            member.lastCodeStep = 4
            try await save(member, store)
            // A code that another browser used in between is no reason.
            try await store.insertSession(session(of: checked, 2))
            #expect(try await store.sessions(of: checked.email, at: noon).count == 1)
            #expect(try await store.removeMember(checked.email, at: noon, by: command))
            await expectFailure(.conflict) { try await store.insertSession(session(of: checked, 3)) }
        }
    }

    static let inOrder = ConformanceCheck(
        "Two changes one after the other are both saved"
    ) { stores in
        try await withMembers(stores) { store in
            var member = try #require(try await store.member("ben@example.com"))
            member.lastCodeStep = 9
            try await save(member, store)
            member.noteStored()
            member.role = .editor
            try await save(member, store)
            member = try #require(try await store.member("ben@example.com"))
            #expect(member.role == .editor && member.lastCodeStep == 9)
        }
    }
}
