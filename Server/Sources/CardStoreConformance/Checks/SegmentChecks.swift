import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of segments.
enum SegmentChecks {
    static let checks: [ConformanceCheck] = [
        keeps, several, checksVersion, raisesGeneration, refusesLoops, room,
    ]

    private static func segment(
        _ id: String,
        audience: Audience = .attribute(AttributeClause(.custom("plan"), .equals, "gold")),
        at time: UnixTime = noon
    ) -> Segment {
        Segment(
            id: SegmentID(rawValue: id),
            content: Segment.SegmentContent(name: id, description: "Größe", tags: ["a"], audience: audience),
            createdAt: time
        )
    }

    static let room = ConformanceCheck(
        "All segments have 16 MiB at most, beyond which none grows, and one that shrinks leaves room"
    ) { stores in
        func long(_ id: String, mebibytes: Int) -> Segment {
            // As long as a value may be, with quotation marks and comma.
            let value = JSONValue.string(String(repeating: "x", count: 4_093))
            let values = JSONValue.array(Array(repeating: value, count: 256))
            let clause = Audience.attribute(AttributeClause(.custom("plan"), .isAnyOf, values))
            return segment(id, audience: .any(Array(repeating: clause, count: mebibytes)))
        }
        try await stores.withStore { store in
            let (small, large) = (segment("small"), long("large", mebibytes: 12))
            try await store.insertSegment(small, by: command)
            try await store.insertSegment(large, by: command)
            await expectFailure(.limitReached) { try await store.insertSegment(long("b", mebibytes: 4), by: command) }
            let grown = small.updating(long("small", mebibytes: 4).content, at: noon + 1)
            await expectFailure(.limitReached) {
                try await store.updateSegment(grown, from: 1, action: "segment.update", by: command)
            }
            #expect(try await store.segment(small.id) == small)
            #expect(try await store.segments(includingArchived: true, limit: 10, offset: 0).count == 2)
            let shrunk = large.updating(long("large", mebibytes: 11).content, at: noon + 1)
            let saved = try await store.updateSegment(shrunk, from: 1, action: "segment.update", by: command)
            #expect(saved.version == 2)
            let next = try await store.updateSegment(grown, from: 1, action: "segment.update", by: command)
            #expect(next.content == grown.content)
        }
    }

    static let keeps = ConformanceCheck(
        "Segments are kept, found and listed, the archived when asked for"
    ) { stores in
        try await stores.withStore { store in
            let (old, new) = (Self.segment("old"), Self.segment("new", at: noon + 1))
            try await store.insertSegment(old, by: command)
            try await store.insertSegment(new, by: command)
            await expectFailure(.exists) { try await store.insertSegment(old, by: command) }

            let archived = try await store.updateSegment(
                old.archiving(true, at: noon + 2),
                from: 1,
                action: "segment.archive",
                by: command
            )

            #expect(archived.version == 2)
            #expect(try await store.segment(old.id) == archived)
            #expect(try await store.segment(SegmentID(rawValue: "none")) == nil)
            #expect(try await store.segments(includingArchived: false, limit: 10, offset: 0) == [new])
            #expect(try await store.segments(includingArchived: true, limit: 10, offset: 0) == [archived, new])
            #expect(try await store.segments(includingArchived: true, limit: 10, offset: 1) == [new])
            #expect(try await store.segmentAudiences().keys.count == 2)
            #expect(try await store.latestAuditEntries(limit: 1).first?.action == "segment.archive")
        }
    }

    static let several = ConformanceCheck(
        "Several segments are read at once, the archived too, without those that there aren't"
    ) { stores in
        try await stores.withStore { store in
            for id in ["gold", "old", "other"] { try await store.insertSegment(Self.segment(id), by: command) }
            let old = Self.segment("old").archiving(true, at: noon + 1)
            _ = try await store.updateSegment(old, from: 1, action: "segment.archive", by: command)
            let ids = ["old", "none", "gold", "old", "Gold"].map { SegmentID(rawValue: $0) }

            let found = try await store.findSegments(ids)

            #expect(Set(found.keys.map(\.rawValue)) == ["gold", "old"])
            for (id, segment) in found {
                let alone = try await store.segment(id)
                #expect(segment == alone)
            }
            #expect(try await store.findSegments([]).isEmpty)
            let many = (0..<1_000).map { SegmentID(rawValue: "none-\($0)") }
            #expect(try await store.findSegments(many + ids).isEmpty)
        }
    }

    static let checksVersion = ConformanceCheck(
        "A change names the version that it was made from"
    ) { stores in
        try await stores.withStore { store in
            let segment = Self.segment("s")
            await expectFailure(.notFound) {
                try await store.updateSegment(segment, from: 1, action: "segment.update", by: command)
            }
            try await store.insertSegment(segment, by: command)
            let next = segment.updating(Segment.SegmentContent(name: "New", audience: .everyone), at: noon + 1)
            _ = try await store.updateSegment(next, from: 1, action: "segment.update", by: command)
            await expectFailure(.conflict) {
                try await store.updateSegment(next, from: 1, action: "segment.update", by: command)
            }
            #expect(try await store.segment(segment.id) == next)
        }
    }

    static let raisesGeneration = ConformanceCheck(
        "A new audience raises the catalog's generation where a launched campaign uses the segment, by whatever way",
        raiseGeneration
    )

    private static func raiseGeneration(_ stores: any StoreFactory) async throws {
        try await stores.withStore { store in
            var inner = Self.segment("inner")
            try await store.insertSegment(inner, by: command)
            try await store.insertSegment(Self.segment("outer", audience: .none([.segment(inner.id)])), by: command)
            func change(_ audience: Audience) async throws -> Bool {
                let before = try await store.loadCatalog().generation
                var content = inner.content
                content.audience = audience
                content.name += "!"
                inner = try await store.updateSegment(
                    inner.updating(content, at: noon),
                    from: inner.version,
                    action: "segment.update",
                    by: command
                )
                let source = try await store.loadCatalog()
                #expect(source.segments[inner.id] == audience)
                return source.generation > before
            }
            #expect(try await !change(.any([])))
            #expect(try await !change(.everyone))
            var campaign = Campaign.sample()
            campaign.content.audience = .all([.segment(SegmentID(rawValue: "outer"))])
            try await store.launch(campaign)
            #expect(try await change(.any([])))
            #expect(try await !change(.any([])), "Another name is nothing to devices.")
        }
    }

    static let refusesLoops = ConformanceCheck(
        "A segment is never part of itself, whoever has looked at the others before"
    ) { stores in
        try await stores.withStore { store in
            func naming(_ id: String) -> Audience { .all([.segment(SegmentID(rawValue: id))]) }
            let one = segment("one")
            try await store.insertSegment(one, by: command)
            try await store.insertSegment(segment("two", audience: naming("one")), by: command)
            try await store.insertSegment(segment("three", audience: naming("two")), by: command)
            for id in ["one", "two", "three"] {
                var looped = one
                looped.content.audience = naming(id)
                await #expect(throws: StoreError.segmentCycle) {
                    _ = try await store.updateSegment(looped, from: 1, action: "segment.update", by: command)
                }
            }
            await #expect(throws: StoreError.segmentCycle) {
                try await store.insertSegment(segment("four", audience: naming("four")), by: command)
            }
            #expect(try await store.segment(one.id) == one)
            #expect(try await store.segmentAudiences().count == 3)
        }
    }
}
