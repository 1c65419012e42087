import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of webhook notices.
enum WebhookNoticeChecks {
    static let checks: [ConformanceCheck] = [
        deletion, survives, merge, unwanted, removed, acknowledged,
    ]

    private static let loyalty = UserAlias(label: "loyalty", name: "4711")

    private static func hook(_ types: Set<String> = [], at time: UnixTime = noon) -> Webhook {
        Webhook(url: "https://example.com", secret: "whsec_1234567890", types: types, createdAt: time)
    }

    private static func addUser(_ id: UserID, _ alias: UserAlias? = nil, to store: any CardStore) async throws {
        try await store.updateUsers([UserUpdate(id: id, standard: [.email: "kate@example.com"])], at: noon)
        guard let alias else { return }
        #expect(try await store.addAliases([NewAlias(alias: alias, user: id, newUser: id)], at: noon) == [.given])
    }

    static let deletion = ConformanceCheck(
        "A deletion leaves the id and aliases for the webhook, and nothing else"
    ) { stores in
        try await stores.withStore { store in
            try await store.saveWebhook(hook(), after: nil, at: noon, by: command)
            try await addUser(someone, Self.loyalty, to: store)
            #expect(try await store.deleteUser(someone, at: noon + 5, by: command))
            #expect(try await !store.deleteUser(someone, at: noon + 6, by: command))

            let notice = try #require(try await store.webhookNotices(limit: 10).only)
            #expect(notice.kind == .userDeleted)
            #expect(notice.subject == .user(someone))
            #expect(notice.at == noon + 5)
            #expect(notice.details == ["aliases": [["alias_name": "4711", "alias_label": "loyalty"]]])
            #expect(try await store.webhookState()?.pendingNotices == 1)
        }
    }

    static let survives = ConformanceCheck(
        "A process that dies after a deletion leaves the notice to the next"
    ) { stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            try await first.saveWebhook(hook(), after: nil, at: noon, by: command)
            try await addUser(someone, to: first)
            #expect(try await first.deleteUsers([.id(someone)], at: noon, by: command) == [someone])
            let before = try await first.webhookNotices(limit: 10)

            // Opened while the first was never closed, as after a kill.
            let second = try await place.open()
            #expect(try await second.webhookNotices(limit: 10) == before)
            #expect(before.map(\.subject) == [.user(someone)])
            try await second.close()
            try await first.close()
        }
    }

    static let merge = ConformanceCheck(
        "A merge is a notice about the user who is gone and names the other"
    ) { stores in
        try await stores.withStore { store in
            try await store.saveWebhook(hook(), after: nil, at: noon, by: command)
            let guest = UserID(rawValue: UserID.unidentifiedPrefix + "1")
            let alias = NewAlias(alias: Self.loyalty, user: nil, newUser: guest)
            #expect(try await store.addAliases([alias], at: noon) == [.given])
            let identification = Identification(user: .alias(Self.loyalty), identity: someone)
            #expect(try await store.identifyUsers([identification], at: noon + 1) == [.done])
            // A second time there is nobody left to merge.
            #expect(try await store.identifyUsers([identification], at: noon + 2) == [.done])
            #expect(try await store.deleteUser(someone, at: noon + 3, by: command))

            let notices = try await store.webhookNotices(limit: 10)
            #expect(notices.map(\.kind) == [.userMerged, .userDeleted])
            #expect(notices.map(\.subject) == [.user(guest), .user(someone)])
            #expect(notices.first?.details == ["merged_into": .string(someone.rawValue)])
            #expect(Set(notices.map(\.id)).count == 2)
        }
    }

    static let unwanted = ConformanceCheck(
        "Without a webhook that asks for it, no id is kept"
    ) { stores in
        try await stores.withStore { store in
            let (second, third) = (UserID(rawValue: "user-2"), UserID(rawValue: "user-3"))
            for user in [someone, second, third] { try await addUser(user, to: store) }
            #expect(try await store.deleteUser(someone, at: noon, by: command))
            #expect(try await store.webhookNotices(limit: 10).isEmpty)

            try await store.saveWebhook(hook(["click", "user.merged"]), after: nil, at: noon, by: command)
            #expect(try await store.deleteUser(second, at: noon, by: command))
            #expect(try await store.webhookNotices(limit: 10).isEmpty)

            try await store.saveWebhook(hook(["user.deleted"]), after: nil, at: noon, by: command)
            #expect(try await store.deleteUser(third, at: noon, by: command))
            #expect(try await store.webhookNotices(limit: 10).map(\.subject) == [.user(third)])
            // Another address for the same types goes on with what waits; one that doesn't ask for it, or none, ends
            // it.
            try await store.saveWebhook(hook(at: noon + 1), after: nil, at: noon, by: command)
            #expect(try await store.webhookNotices(limit: 10).map(\.subject) == [.user(third)])
            try await store.saveWebhook(hook(["click"]), after: nil, at: noon, by: command)
            #expect(try await store.webhookNotices(limit: 10).isEmpty)
        }
    }

    static let removed = ConformanceCheck(
        "A removed webhook takes what waits for it along"
    ) { stores in
        try await stores.withStore { store in
            try await store.saveWebhook(hook(), after: nil, at: noon, by: command)
            try await addUser(someone, to: store)
            #expect(try await store.deleteUser(someone, at: noon, by: command))
            try await store.saveWebhook(nil, after: nil, at: noon, by: command)
            #expect(try await store.webhookNotices(limit: 10).isEmpty)
        }
    }

    static let acknowledged = ConformanceCheck(
        "A notice is removed with the progress of the webhook's worker"
    ) { stores in
        try await stores.withStore { store in
            try await store.saveWebhook(hook(), after: nil, at: noon, by: command)
            for user in [someone, UserID(rawValue: "user-2")] {
                try await addUser(user, to: store)
                #expect(try await store.deleteUser(user, at: noon, by: command))
            }
            let first = try #require(try await store.webhookNotices(limit: 1).only)
            let progress = try #require(try await store.webhookState()?.progress)
            _ = try await store.claimWebhook(for: "a", seconds: 600)
            #expect(try await !store.saveWebhookProgress(progress, noticesThrough: first.position, of: hook(), by: "b"))
            #expect(try await store.webhookState()?.pendingNotices == 2)
            #expect(try await store.saveWebhookProgress(progress, noticesThrough: first.position, of: hook(), by: "a"))
            #expect(try await store.webhookNotices(limit: 10).map(\.subject.text) == ["user-2"])
        }
    }
}

extension Array {
    /// The element of an array that has no other.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
