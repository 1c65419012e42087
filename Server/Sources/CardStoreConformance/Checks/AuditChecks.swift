import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of audit log.
enum AuditChecks {
    static let checks: [ConformanceCheck] = [
        chain, pruning, contents,
    ]

    private static func note(_ number: Int) -> AuditNote {
        AuditNote(
            "test.\(number)",
            of: "subject-\(number)",
            details: ["n": .integer(Int64(number))],
            at: noon,
            by: command
        )
    }

    static let chain = ConformanceCheck(
        "Entries are chained, read in both directions, and verify"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.verifyAudit().problems.isEmpty)
            try await store.appendAuditNotes((0..<5).map(note))
            try await store.appendAuditNote("one.more", of: "x", at: noon, by: .member("command"))
            let entries = try await store.auditEntries(after: 0, limit: 1_000)
            #expect(entries.map(\.action) == ["test.0", "test.1", "test.2", "test.3", "test.4", "one.more"])
            #expect(entries.last?.actorKind == "member" && entries.first?.actorKind == "command")
            #expect(try await store.latestAuditEntries(before: nil, limit: 1_000) == entries.reversed())
            #expect(
                try await store.latestAuditEntries(before: entries[3].position, limit: 2).map(\.action) == [
                    "test.2", "test.1",
                ]
            )
            #expect(try await store.auditEntries(after: entries[3].position, limit: 1).map(\.action) == ["test.4"])
            var previous: [UInt8] = []
            for entry in entries {
                #expect(entry.hash == entry.chained(to: previous))
                previous = entry.hash
            }
            let chain = try await store.auditChain()
            #expect(chain.last.hash == previous && chain.last.count == 6)
            #expect(try await store.verifyAudit(expecting: chain.last).problems.isEmpty)
            let other = AuditChain.Mark(count: 3, position: 3, hash: Array(repeating: 1, count: 32))
            #expect(try await store.verifyAudit(expecting: other).problems == [.rewritten(other)])
        }
    }

    static let pruning = ConformanceCheck(
        "What is pruned leaves a log that verifies from there on"
    ) { stores in
        try await stores.withStore { store in
            try await store.appendAuditNotes((0..<5).map(note))
            let early = try await store.auditChain().last
            try await store.appendAuditNotes([AuditNote("late", of: "x", at: noon + 100, by: command)])
            #expect(try await store.pruneAudit(before: noon + 50, at: noon + 200, by: command) == 5)
            #expect(try await store.auditEntries(after: 0, limit: 10).map(\.action) == ["late", "audit.prune"])
            let (chain, problems) = try await store.verifyAudit(expecting: early)
            #expect(problems.isEmpty)
            #expect(chain.anchor.count == 5 && chain.last.count == 7)
            #expect(try await store.pruneAudit(before: noon + 50, at: noon + 200, by: command) == 0)
            #expect(try await store.auditEntries(after: 0, limit: 10).count == 2)
        }
    }

    static let contents = ConformanceCheck(
        "Deleted users and changed settings are in the log, without the id and with what changed"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: someone, custom: ["n": 1])], at: noon)
            #expect(try await store.deleteUser(someone, at: noon, by: .key("key_a")))
            #expect(try await !store.deleteUser(someone, at: noon, by: .key("key_a")))
            var settings = Settings()
            settings.cardLimit = 249
            settings.publicKeys = [
                Settings.PublicKey(id: "k", pem: "-----BEGIN-----\nAAAABBBBCCCCDDDDEEEEFFFF\n-----END-----")
            ]
            try await store.saveSettings(settings, at: noon, by: .member("anna@example.com"))
            let entries = try await store.auditEntries(after: 0, limit: 10)
            #expect(entries.map(\.action) == ["user.delete", "settings.update"])
            #expect(entries[0].subject == store.pseudonym(of: someone))
            #expect(!entries[0].subject.contains(someone.rawValue))
            let details = try #require(entries[1].details)
            let changes = try JSONValue(parsing: details)["changes"]?.array ?? []
            #expect(changes.contains(["field": "card_limit", "previous": 250, "current": 249]))
            #expect(!details.contains("AAAABBBB") && details.contains("EEEEFFFF"))
        }
    }
}
