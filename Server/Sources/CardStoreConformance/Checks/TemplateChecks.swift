import CardModel
import CardStore
import Testing

/// Checks of content blocks and suppressed cards.
enum TemplateChecks {
    static let checks: [ConformanceCheck] = [
        counts, blocks, blockRoom, checkedBlocks,
    ]

    private static func withholding(_ kind: TemplateFailure.FailureKind, _ reason: String) -> Withholding {
        Withholding(
            campaign: CampaignID(rawValue: "sale"),
            variant: VariantID(rawValue: "a"),
            failure: TemplateFailure(kind, reason: reason, message: "")
        )
    }

    static let counts = ConformanceCheck(
        "A user counts once for a kind of failure, by day and reason"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            let other = UserID(rawValue: "other")
            try await store.updateUsers([UserUpdate(id: someone), UserUpdate(id: other)], at: noon)
            let version = try await store.userRevision(of: someone)?.version
            for _ in 0..<2 {
                let cards = [withholding(.aborted, "no plan"), withholding(.failed, "loop_limit")]
                try await store.recordSuppressions(cards, from: someone, at: noon)
            }
            try await store.recordSuppressions([withholding(.aborted, "no plan")], from: other, at: noon + 86_400)
            try await store.recordSuppressions(
                [withholding(.aborted, "x")],
                from: UserID(rawValue: "stranger"),
                at: noon
            )
            let counts = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale"))).withheld
            #expect(counts.map(\.reason) == ["no plan", "loop_limit", "no plan"])
            #expect(counts.map(\.users) == [1, 1, 1])
            #expect(Set(counts.map(\.day.utc)).count == 2)
            #expect(try await store.userRevision(of: someone)?.version == version)
        }
    }

    static let blockRoom = ConformanceCheck(
        "There are a thousand content blocks at most, each of which can be changed, and one that goes leaves room"
    ) { stores in
        func block(_ number: Int, _ content: String = "") -> ContentBlock {
            ContentBlock(name: "b\(number)", content: content, updatedAt: noon)
        }
        try await stores.withStore { store in
            for number in 0..<1_000 { try await store.saveContentBlock(block(number), by: command) }
            let generation = try await store.loadCatalog().generation
            await expectFailure(.limitReached) { try await store.saveContentBlock(block(1_000), by: command) }
            #expect(try await store.loadCatalog().generation == generation)
            try await store.saveContentBlock(block(7, "changed"), by: command)
            #expect(try await store.deleteContentBlock("b3", at: noon, by: command))
            try await store.saveContentBlock(block(1_000), by: command)
            #expect(try await store.contentBlocks().count == 1_000)
        }
    }

    static let blocks = ConformanceCheck(
        "A content block is kept, replaced and removed, each with a new generation"
    ) { stores in
        try await stores.withStore { store in
            let before = try await store.loadCatalog().generation
            let one = ContentBlock(name: "b", content: "one", updatedAt: noon)
            let two = ContentBlock(name: "b", content: "two", description: "d", updatedAt: noon + 1)
            try await store.saveContentBlock(one, by: command)
            try await store.saveContentBlock(ContentBlock(name: "a", content: "", updatedAt: noon), by: command)
            try await store.saveContentBlock(two, by: command)
            #expect(try await store.contentBlocks().map(\.name) == ["a", "b"])
            #expect(try await store.contentBlocks().last == two)
            #expect(try await store.loadCatalog().contentBlocks == store.contentBlocks())
            #expect(try await store.deleteContentBlock("b", at: noon, by: command))
            #expect(try await !store.deleteContentBlock("b", at: noon, by: command))
            #expect(try await store.loadCatalog().generation == before + 4)
            #expect(try await store.latestAuditEntries(limit: 1).map(\.action) == ["content_block.delete"])
        }
    }

    static let checkedBlocks = ConformanceCheck(
        "A content block is saved and removed in the catalog with which it was checked, and in no other"
    ) { stores in
        try await stores.withStore { store in
            let first = try await store.loadCatalog().generation
            let block = ContentBlock(name: "a", content: "one", updatedAt: noon)
            try await store.saveContentBlock(block, checkedAt: first, by: command)
            let second = try await store.loadCatalog().generation
            await #expect(throws: StoreError.catalogChanged) {
                let other = ContentBlock(name: "b", content: "two", updatedAt: noon)
                try await store.saveContentBlock(other, checkedAt: first, by: command)
            }
            await #expect(throws: StoreError.catalogChanged) {
                _ = try await store.deleteContentBlock("a", checkedAt: first, at: noon, by: command)
            }
            #expect(try await store.contentBlocks() == [block])
            #expect(try await store.deleteContentBlock("a", checkedAt: second, at: noon, by: command))
            #expect(try await store.contentBlocks().isEmpty)
        }
    }
}
