import CardModel
import CardStore
import Testing

/// Checks of the messages that wait for members.
enum MailChecks {
    static let checks: [ConformanceCheck] = [
        claims, leases, retries, expiry, passwordLinks, removal, survives, language, parallelClaims,
    ]

    private static let anna = "anna@example.com"
    /// A lease in seconds that doesn't end, whatever the store's clock says.
    private static let lease = 1e9
    private static let letter = ApprovalLetter(
        campaign: "Überraschung",
        link: "https://cards.example.com/dashboard/campaigns/sale/approval",
        isEdit: true,
        author: "emil@example.com",
        comment: "Bitte\nansehen"
    )

    private static func mail(
        _ id: String,
        to recipient: String = anna,
        _ content: MailContent = .approvalRequested(letter),
        at time: UnixTime = noon
    ) -> Mail {
        Mail(id: id, to: recipient, in: "ja", content, at: time, until: time + 1_000)
    }

    private static func withTeam(
        _ stores: any StoreFactory,
        _ body: @escaping @Sendable (any CardStore) async throws -> Void
    ) async throws {
        try await stores.withStore { store in
            try await addTeam(to: store)
            try await body(store)
        }
    }

    private static func addTeam(to store: any CardStore) async throws {
        for name in ["anna", "emil"] {
            let email = "\(name)@example.com"
            try await store.insertMember(
                TeamMember(email: email, role: .admin, passwordHash: "-", createdAt: noon),
                by: command
            )
        }
    }

    static let claims = ConformanceCheck(
        "A message is claimed as it was added, the one that is due the longest first, and removed once it was sent"
    ) { stores in
        try await Self.withTeam(stores) { store in
            let password = PasswordLetter(link: "https://cards.example.com/?token=1", expiresAt: noon + 9)
            let contents: [MailContent] = [
                .approvalRequested(letter), .approvalApproved(letter), .approvalRejected(letter),
                .accountChanged(action: "member.password", link: "https://cards.example.com"),
                .invitation(password, from: "Anna"),
            ]
            for (place, content) in contents.enumerated() {
                #expect(try await store.insertMail(mail("mail_\(place)", content, at: noon + Double(place))))
            }
            let before = try await store.mailQueue()
            #expect(before == MailQueue(waiting: 5, oldestAt: noon, dueAt: noon, lastFailure: nil))

            for (place, content) in contents.enumerated() {
                let claim = try await store.claimMail(for: "a", seconds: lease, at: noon + 10)
                #expect(claim.mail == mail("mail_\(place)", content, at: noon + Double(place)))
                #expect(claim.failures == 0 && claim.expired == 0)
                #expect(try await store.endMail("mail_\(place)", by: "a"))
                #expect(try await !store.endMail("mail_\(place)", by: "a"))
            }
            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon + 10).mail == nil)
            #expect(try await store.mailQueue() == MailQueue(waiting: 0, oldestAt: nil, dueAt: nil, lastFailure: nil))
        }
    }

    static let leases = ConformanceCheck(
        "A message that a worker has is given to no other until its lease has ended"
    ) { stores in
        try await Self.withTeam(stores) { store in
            let isKept = try await store.insertMail(mail("mail_1"))
            #expect(isKept)
            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon - 1).mail == nil)
            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon).mail != nil)
            // Whatever the clock of another node says.
            #expect(try await store.claimMail(for: "b", seconds: lease, at: noon + 999).mail == nil)
            #expect(try await store.endMail("mail_1", by: "a"))

            // A lease for no time has ended.
            #expect(try await store.insertMail(mail("mail_1")))
            #expect(try await store.claimMail(for: "a", seconds: 0, at: noon).mail != nil)
            #expect(try await store.claimMail(for: "b", seconds: lease, at: noon).mail?.id == "mail_1")

            // Who had it before has lost it.
            let failure = MailFailure("It took too long", at: noon + 61)
            #expect(try await !store.endMail("mail_1", by: "a"))
            #expect(try await !store.postponeMail("mail_1", until: noon + 70, for: failure, by: "a"))
            #expect(try await store.mailQueue().lastFailure == nil)
            #expect(try await store.endMail("mail_1", by: "b"))
        }
    }

    static let retries = ConformanceCheck(
        "A message that could not be sent is due later, and its failures are counted"
    ) { stores in
        try await Self.withTeam(stores) { store in
            #expect(try await store.insertMail(mail("mail_1")))
            #expect(try await store.insertMail(mail("mail_2", at: noon + 1)))
            _ = try await store.claimMail(for: "a", seconds: lease, at: noon + 2)
            let failure = MailFailure("451 Später", at: noon + 3)
            #expect(try await store.postponeMail("mail_1", until: noon + 30, for: failure, by: "a"))
            // It is nobody's until then.
            #expect(try await !store.endMail("mail_1", by: "a"))
            #expect(try await store.mailQueue().lastFailure == failure)
            #expect(try await store.mailQueue().dueAt == noon + 1)

            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon + 4).mail?.id == "mail_2")
            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon + 29).mail == nil)
            let again = try await store.claimMail(for: "b", seconds: lease, at: noon + 30)
            #expect(again.mail?.id == "mail_1" && again.failures == 1)
        }
    }

    static let expiry = ConformanceCheck(
        "A message that has expired is removed and counted, and not sent"
    ) { stores in
        try await Self.withTeam(stores) { store in
            #expect(try await store.insertMail(mail("mail_1")))
            #expect(try await store.insertMail(mail("mail_2", at: noon + 1)))
            let claim = try await store.claimMail(for: "a", seconds: lease, at: noon + 1_000)
            #expect(claim.mail?.id == "mail_2" && claim.expired == 1)
            // It may be with a worker by then, and there is something to do.
            #expect(try await store.mailQueue().dueAt == noon + 1_001)
            let last = try await store.claimMail(for: "a", seconds: lease, at: noon + 1_001)
            #expect(last.mail == nil && last.expired == 1)
            #expect(try await store.mailQueue().waiting == 0)
        }
    }

    static let passwordLinks = ConformanceCheck(
        "A message with a link to choose a password replaces those that wait for the member"
    ) { stores in
        try await Self.withTeam(stores) { store in
            let password = PasswordLetter(link: "https://cards.example.com/?token=1", expiresAt: noon + 9)
            #expect(try await store.insertMail(mail("mail_1", .invitation(password, from: "Emil"))))
            #expect(try await store.insertMail(mail("mail_2")))
            #expect(try await store.insertMail(mail("mail_3", to: "emil@example.com", .passwordReset(password))))
            #expect(try await store.insertMail(mail("mail_4", .passwordReset(password))))
            var ids: [String] = []
            while let found = try await store.claimMail(for: "a", seconds: lease, at: noon).mail {
                ids.append(found.id)
            }
            #expect(ids == ["mail_2", "mail_3", "mail_4"])
        }
    }

    static let removal = ConformanceCheck(
        "Messages are for members, and go with them"
    ) { stores in
        try await Self.withTeam(stores) { store in
            await expectFailure(.notFound) { _ = try await store.insertMail(mail("mail_1", to: "nobody@example.com")) }
            #expect(try await store.insertMail(mail("mail_2")))
            #expect(try await store.insertMail(mail("mail_3", to: "emil@example.com")))
            let isRemoved = try await store.removeMember(anna, at: noon, by: command)
            #expect(isRemoved)
            #expect(try await store.mailQueue().waiting == 1)
            #expect(try await store.claimMail(for: "a", seconds: lease, at: noon).mail?.id == "mail_3")
        }
    }

    static let survives = ConformanceCheck(
        "A process that dies with a message leaves it to the next, once its lease has ended"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            try await addTeam(to: first)
            #expect(try await first.insertMail(mail("mail_1")))
            _ = try await first.claimMail(for: "a", seconds: lease, at: noon)
            #expect(try await first.insertMail(mail("mail_2")))
            _ = try await first.claimMail(for: "a", seconds: 0, at: noon)

            // Opened while the first was never closed, as after a kill.
            let second = try await place.open()
            #expect(try await second.claimMail(for: "b", seconds: lease, at: noon).mail == mail("mail_2"))
            #expect(try await second.claimMail(for: "b", seconds: lease, at: noon + 30).mail == nil)
            try await second.close()
            try await first.close()
        }
    }

    static let language = ConformanceCheck(
        "A member's language is saved by itself, and no other change of the account touches it"
    ) { stores in
        try await Self.withTeam(stores) { store in
            var member = try #require(try await store.member(anna))
            #expect(member.language == nil)
            try await store.setLanguage("ja", of: anna)
            member.name = "Anna"
            try await store.updateMember(member, action: "member.name", keeping: nil, at: noon, by: command)
            #expect(try await store.member(anna)?.language == "ja")
            #expect(try await store.member(anna)?.name == "Anna")
            try await store.setLanguage(nil, of: anna)
            #expect(try await store.member(anna)?.language == nil)
            await expectFailure(.notFound) { try await store.setLanguage("ja", of: "nobody@example.com") }

            var invited = TeamMember(email: "i@example.com", role: .viewer, passwordHash: "-", createdAt: noon)
            invited.language = "ja"
            try await store.insertMember(invited, by: command)
            #expect(try await store.member("i@example.com") == invited)
        }
    }

    static let parallelClaims = ConformanceCheck(
        "Of many workers that ask at the same time, each message goes to one"
    ) { stores in
        try await Self.withTeam(stores) { store in
            for number in 0..<8 { #expect(try await store.insertMail(mail("mail_\(number)"))) }
            let ids = try await withThrowingTaskGroup(of: [String].self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var ids: [String] = []
                        while try await store.mailQueue().dueAt == noon {
                            let claim = try await store.claimMail(for: "w\(worker)", seconds: lease, at: noon)
                            if let mail = claim.mail { ids.append(mail.id) }
                        }
                        return ids
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ids.sorted() == (0..<8).map { "mail_\($0)" })
        }
    }
}
