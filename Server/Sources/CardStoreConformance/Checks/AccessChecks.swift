import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of keys, settings and content types.
enum AccessChecks {
    static let checks: [ConformanceCheck] = [
        keys, keyLimits, keyEdits, keyAuthority, uniqueKeys, keyRoom, settings, sameSettings, changedSettings,
        auditLimit,
        contentTypes,
    ]

    private static func key(_ id: String, _ byte: UInt8 = 1) -> APIKey {
        APIKey(
            id: id,
            name: "Backend",
            kind: .secret,
            permissions: [.manage, .device],
            hash: Array(repeating: byte, count: 32),
            hint: "wxyz",
            createdAt: noon
        )
    }

    static let keys = ConformanceCheck(
        "Keys are read back, the oldest first, and can be revoked once"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertKey(key("key_b", 1), by: command)
            try await store.insertKey(key("key_a", 2), by: .key("key_b"))

            #expect(try await store.apiKeys() == [key("key_b", 1), key("key_a", 2)])
            #expect(try await store.revokeKey("key_b", at: noon + 1, by: command))
            #expect(try await !store.revokeKey("key_b", at: noon + 2, by: command))
            #expect(try await !store.revokeKey("none", at: noon + 2, by: command))
            #expect(try await store.apiKeys().map(\.revokedAt) == [noon + 1, nil])
            #expect(try await store.loadCatalog().keys == store.apiKeys())
            let audit = try await store.latestAuditEntries(limit: 10)
            #expect(audit.map(\.action) == ["key.revoke", "key.create", "key.create"])
            #expect(audit.map(\.actor) == ["command", "key_b", "command"])
            #expect(audit.map(\.subject) == ["key_b", "key_a", "key_b"])
        }
    }

    static let keyRoom = ConformanceCheck(
        "A thousand keys work at most, one that is revoked leaves room, and the last 200 that were revoked are listed"
    ) { stores in
        func numbered(_ number: Int) -> APIKey {
            var numbered = key("key_\(number)")
            numbered.hash = [UInt8(number >> 8), UInt8(number & 0xFF)] + Array(repeating: 0, count: 30)
            return numbered
        }
        try await stores.withStore { store in
            for number in 0..<1_000 { try await store.insertKey(numbered(number), by: command) }
            await expectFailure(.limitReached) { try await store.insertKey(numbered(1_000), by: command) }
            #expect(try await store.apiKeys().count == 1_000)
            #expect(try await store.revokeKey("key_999", at: noon, by: command))
            try await store.insertKey(numbered(1_000), by: command)
            for number in 0..<201 {
                #expect(try await store.revokeKey("key_\(number)", at: noon + 1 + Double(number), by: command))
            }
            let revoked = try await store.apiKeys().filter { $0.revokedAt != nil }.map(\.id)
            #expect(revoked == (1..<201).map { "key_\($0)" })
            #expect(try await store.apiKeys().count == 999)
            #expect(try await store.loadCatalog().keys == store.apiKeys())
        }
    }

    static let keyLimits = ConformanceCheck(
        "A key's limits, rotation and last use are kept"
    ) { stores in
        try await stores.withStore { store in
            var limited = key("key_a", 1)
            limited.expiresAt = noon + 1_000
            limited.allowedAddresses = try AddressRange.list("10.0.0.0/8, 2001:db8::1")
            try await store.insertKey(limited, by: command)
            #expect(try await store.apiKeys() == [limited])

            let second = [UInt8](repeating: 9, count: 32)
            let rotation = KeyRotation(id: "key_a", hash: second, hint: "2222", previousUntil: noon + 60, at: noon)
            #expect(try await store.rotateKey(rotation, by: command))
            limited.previousSecret = APIKey.PreviousSecret(hash: limited.hash, expiresAt: noon + 60)
            (limited.hash, limited.hint) = (second, "2222")
            #expect(try await store.apiKeys() == [limited])

            try await store.recordKeyUses(["key_a": noon + 5, "none": noon])
            try await store.recordKeyUses(["key_a": noon + 4])
            #expect(try await store.apiKeys().map(\.lastUsedAt) == [noon + 5])

            var late = rotation
            late.at = noon + 1_000
            #expect(try await !store.rotateKey(late, by: command))
            _ = try await store.revokeKey("key_a", at: noon, by: command)
            #expect(try await !store.rotateKey(rotation, by: command))
        }
    }

    static let keyEdits = ConformanceCheck(
        "A key is edited as a whole, with what was before in the audit log"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertKey(key("key_a"), by: command)
            let json: JSONValue = [
                "name": "Server", "permissions": ["read"], "expires_at": .number(noon + 60),
                "allowed_addresses": ["10.0.0.0/8"],
            ]
            let edit = try KeyEdit(json: json, of: key("key_a"), at: noon)
            var expected = key("key_a")
            (expected.name, expected.permissions, expected.expiresAt) = ("Server", [.read], noon + 60)
            expected.allowedAddresses = try AddressRange.list("10.0.0.0/8")
            #expect(try await store.editKey("key_a", edit, at: noon, by: .member("a@example.com")) == expected)
            #expect(try await store.apiKeys() == [expected])
            #expect(try await store.loadCatalog().keys == [expected])
            let entry = try #require(try await store.latestAuditEntries(limit: 1).first)
            #expect((entry.action, entry.subject, entry.actor) == ("key.update", "key_a", "a@example.com"))
            let changes = try JSONValue(parsing: try #require(entry.details))["changes"]?.array ?? []
            #expect(
                Set(changes.compactMap { $0["field"]?.string })
                    == ["name", "permissions", "expires_at", "allowed_addresses"]
            )
            #expect(changes.contains(["field": "name", "previous": "Backend", "current": "Server"]))

            #expect(try await store.editKey("none", edit, at: noon, by: command) == nil)
            #expect(try await store.revokeKey("key_a", at: noon, by: command))
            #expect(try await store.editKey("key_a", edit, at: noon, by: command) == nil)
        }
    }

    static let keyAuthority = ConformanceCheck(
        "A key that no longer works, or that another has outgrown, adds, edits and rotates none"
    ) { stores in
        try await stores.withStore { store in
            var maker = key("key_maker", 1)
            maker.permissions = [.keys, .read]
            var other = key("key_other", 2)
            other.permissions = [.read]
            try await store.insertKey(maker, by: command)
            try await store.insertKey(other, by: .key(maker.id))
            let name = try KeyEdit(json: ["name": "Taken"], of: other, at: noon)
            let hash = [UInt8](repeating: 9, count: 32)
            let rotation = KeyRotation(id: other.id, hash: hash, hint: "9999", previousUntil: noon, at: noon)
            // Whoever has read the keys before would rename, or get a secret of, a key that may do more by now.
            let more = try KeyEdit(json: ["permissions": ["read", "users"]], of: other, at: noon)
            _ = try await store.editKey(other.id, more, at: noon, by: command)
            await expectFailure(.conflict) {
                _ = try await store.editKey(other.id, name, at: noon, by: .key(maker.id))
            }
            await expectFailure(.conflict) { _ = try await store.rotateKey(rotation, by: .key(maker.id)) }
            let less = try KeyEdit(json: ["permissions": ["read"]], of: other, at: noon)
            _ = try await store.editKey(other.id, less, at: noon, by: command)
            await expectFailure(.conflict) {
                _ = try await store.editKey(other.id, more, at: noon, by: .key(maker.id))
            }

            _ = try await store.revokeKey(maker.id, at: noon, by: command)
            await expectFailure(.conflict) {
                _ = try await store.editKey(other.id, name, at: noon, by: .key(maker.id))
            }
            await expectFailure(.conflict) { _ = try await store.rotateKey(rotation, by: .key(maker.id)) }
            await expectFailure(.conflict) { try await store.insertKey(key("key_new", 3), by: .key(maker.id)) }
            #expect(try await store.apiKeys().map(\.name) == ["Backend", "Backend"])
            #expect(try await store.apiKeys().last?.hash == other.hash)
        }
    }

    static let uniqueKeys = ConformanceCheck(
        "There is one key of an id and of a secret"
    ) { stores in
        try await stores.withStore { store in
            try await store.insertKey(key("key_a", 1), by: command)
            await expectFailure(.exists) { try await store.insertKey(key("key_a", 2), by: command) }
            await expectFailure(.exists) { try await store.insertKey(key("key_b", 1), by: command) }
            #expect(try await store.apiKeys().count == 1)
        }
    }

    static let settings = ConformanceCheck(
        "Settings have defaults, and are kept whole"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.loadCatalog().settings == Settings())
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            settings.userTokens = .required
            settings.publicKeys = [Settings.PublicKey(id: "a", pem: "-----BEGIN PUBLIC KEY-----\nMIIB\n")]
            settings.cardLimit = 10
            settings.cardSizeLimit = 4096
            settings.refreshBurst = 9
            settings.refreshSeconds = 12.5

            try await store.saveSettings(settings, at: noon, by: command)

            #expect(try await store.loadCatalog().settings == settings)
            #expect(try await store.latestAuditEntries(limit: 10).map(\.action) == ["settings.update"])
        }
    }

    static let sameSettings = ConformanceCheck(
        "Saving the settings that a new store has changes nothing"
    ) { stores in
        try await stores.withStore { store in
            let before = try await store.loadCatalog()
            try await store.saveSettings(Settings(), at: noon, by: command)
            #expect(try await store.loadCatalog().generation == before.generation)
            #expect(try await store.latestAuditEntries(limit: 1).isEmpty)
        }
    }

    static let changedSettings = ConformanceCheck(
        "Settings are saved in place of those that they were made from, and of no others"
    ) { stores in
        try await stores.withStore { store in
            let first = try await store.settings()
            var (mine, theirs) = (first, first)
            (mine.cardLimit, theirs.eventDays) = (10, 30)
            try await store.saveSettings(theirs, inPlaceOf: first, at: noon, by: command)
            await #expect(throws: StoreError.settingsChanged) {
                try await store.saveSettings(mine, inPlaceOf: first, at: noon, by: command)
            }
            // Not even where they are the same as what was saved: their author hasn't seen it.
            await #expect(throws: StoreError.settingsChanged) {
                try await store.saveSettings(theirs, inPlaceOf: first, at: noon, by: command)
            }
            #expect(try await store.settings() == theirs)
            mine.eventDays = 30
            try await store.saveSettings(mine, inPlaceOf: theirs, at: noon, by: command)
            #expect(try await store.settings() == mine)
            #expect(try await store.latestAuditEntries(limit: 9).map(\.action).count { $0 == "settings.update" } == 2)
        }
    }

    static let auditLimit = ConformanceCheck(
        "The audit log is read from its end, as far as is asked"
    ) { stores in
        try await stores.withStore { store in
            for index in 0..<3 { try await store.insertCampaign(.sample("c\(index)"), by: command) }
            let entries = try await store.latestAuditEntries(limit: 2)
            #expect(entries.map(\.subject) == ["c2", "c1"])
            #expect(entries.map(\.at) == [noon, noon])
            #expect(entries[0].position > entries[1].position)
        }
    }

    static let contentTypes = ConformanceCheck(
        "The newest description of a class type replaces the older one"
    ) { stores in
        try await stores.withStore { store in
            func type(_ name: String, _ field: String, at time: Double) -> ContentType {
                ContentType(classType: name, schema: ["fields": [["name": .string(field)]]], updatedAt: time)
            }
            let first = [type("coupon", "old", at: noon), type("banner", "b", at: noon)]
            try await store.saveContentTypes(first, at: noon, by: command)
            try await store.saveContentTypes([type("coupon", "new", at: noon + 1)], at: noon + 1, by: command)

            #expect(
                try await store.contentTypes() == [type("banner", "b", at: noon), type("coupon", "new", at: noon + 1)]
            )
            // There is room for so many, and for so many bytes; what is refused changes nothing.
            let many = (0..<498).map { type("t\($0)", "f", at: noon) }
            try await store.saveContentTypes(many, at: noon, by: command)
            await expectFailure(.limitReached) {
                let more = [type("coupon", "newest", at: noon), type("more", "f", at: noon)]
                try await store.saveContentTypes(more, at: noon, by: command)
            }
            await expectFailure(.limitReached) {
                let large = [type("coupon", String(repeating: "x", count: 1 << 20), at: noon)]
                try await store.saveContentTypes(large, at: noon, by: command)
            }
            #expect(try await store.contentTypes().count == 500)
            #expect(try await store.contentTypes().contains(type("coupon", "new", at: noon + 1)))
            try await store.saveContentTypes([type("coupon", "newest", at: noon)], at: noon, by: command)
        }
    }
}
