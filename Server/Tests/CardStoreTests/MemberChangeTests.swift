import CardModel
import CardStore
import CardStoreConformance
import Testing

@Suite("What a change of a member entails")
struct MemberChangeTests {
    private func member(_ role: Role = .admin, password: String = "a", secret: [UInt8]? = nil) -> TeamMember {
        var member = TeamMember(email: "a@b.c", role: role, passwordHash: password, createdAt: noon)
        member.codeSecret = secret
        return member
    }

    /// Members that differ in role, password and second factor.
    private var members: [TeamMember] {
        Role.allCases.flatMap { role in
            ["a", "b"].flatMap { password in
                ([nil, [1]] as [[UInt8]?]).map { member(role, password: password, secret: $0) }
            }
        }
    }

    @Test("Whoever stops being an administrator leaves one behind, and sessions end with role, password or factor")
    func pairs() throws {
        for old in members {
            for new in members {
                let change = try MemberChange(of: old, to: new)
                #expect(change.needsOtherAdministrator == (old.role == .admin && new.role < .admin))
                #expect(change.voidsLinks == (old.passwordHash != new.passwordHash))
                #expect(change.endsSessions == (old != new))
            }
        }
    }

    @Test("A name, a language or a code that was used end no session")
    func harmless() throws {
        var next = member()
        (next.name, next.language, next.lastCodeStep, next.lastSignedInAt) = ("Ann", "ja", 9, noon)
        let change = try MemberChange(of: member(), to: next)
        #expect(!change.endsSessions && !change.voidsLinks && !change.needsOtherAdministrator)
    }

    @Test("What was read before another change of the account is refused")
    func conflict() throws {
        var read = member(.editor)
        read.noteStored()
        read.name = "Ann"
        _ = try MemberChange(of: member(.editor), to: read)
        let error = #expect(throws: StoreError.self) { try MemberChange(of: member(.viewer), to: read) }
        #expect(error?.code == .conflict)
    }

    @Test("The removal of an administrator needs another one, that of others doesn't")
    func removal() {
        for role in Role.allCases {
            let change = MemberChange(removing: member(role))
            #expect(change.needsOtherAdministrator == (role == .admin) && change.endsSessions && change.voidsLinks)
        }
    }

    @Test("A session is begun for the account whose password was checked, and for no other state of it")
    func sessions() throws {
        var session = Session(
            hash: [1],
            email: "a@b.c",
            formKey: [2],
            createdAt: noon,
            expiresAt: noon + 60,
            address: "",
            browser: ""
        )
        try session.checkAccount(member())
        #expect(throws: StoreError.self) { try session.checkAccount(nil) }
        var checked = member()
        checked.noteStored()
        session.account = checked.base
        try session.checkAccount(member())
        let error = #expect(throws: StoreError.self) { try session.checkAccount(member(password: "b")) }
        #expect(error?.code == .conflict)
    }

    @Test("A form that was sent is remembered for two days at most")
    func forms() {
        #expect(Session.formEnd(noon + 60, at: noon) == noon + 60)
        #expect(Session.formEnd(.infinity, at: noon) == noon + 172_800)
    }
}
