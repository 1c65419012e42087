import CardModel
import CardStore
import CardStoreConformance
import Testing

@Suite("What saving a segment writes")
struct SegmentChangeTests {
    private let vip = SegmentID(rawValue: "vip")

    private func segment(_ audience: Audience = .everyone, version: Int64 = 1) -> Segment {
        Segment(
            id: vip,
            content: Segment.SegmentContent(name: "VIP", audience: audience),
            version: version,
            createdAt: noon
        )
    }

    private func change(_ old: Segment, to segment: Segment) throws -> SegmentChange {
        try #require(try SegmentChange(of: old, to: segment, from: old.version))
    }

    @Test("A new segment is added as it is, and reaches nobody yet")
    func adding() {
        let change = SegmentChange(adding: segment())
        #expect(change.segment == segment() && !change.changesAudience)
        #expect(change.growth == Int64(segment().storedContent.utf8.count))
        #expect(!change.reaches([.segment(vip)], through: [:]))
    }

    @Test("A change that was made from another version than the stored one is refused, even where nothing is different")
    func conflict() throws {
        let error = #expect(throws: StoreError.self) { try SegmentChange(of: segment(), to: segment(), from: 2) }
        #expect(error?.code == .conflict)
        #expect(try SegmentChange(of: segment(), to: segment(), from: 1) == nil)
    }

    @Test("Each change gets the next version, also where whoever made it hasn't counted, and says how much it adds")
    func versions() throws {
        let old = segment(version: 4)
        var next = old
        next.content.name = "VIPs"
        let grown = try change(old, to: next)
        #expect((grown.segment.version, grown.growth, grown.changesAudience) == (5, 1, false))
        next.version = 7
        #expect(try change(old, to: next).segment.version == 7)
        #expect(try change(old, to: old.archiving(true, at: noon)).growth == 0)
    }

    @Test("Devices ask again where another audience is part of one that is in use, by whatever way")
    func reaches() throws {
        let (outer, other) = (SegmentID(rawValue: "outer"), SegmentID(rawValue: "other"))
        let segments: [SegmentID: Audience] = [vip: .any([]), outer: .none([.segment(vip)]), other: .everyone]
        let narrowed = try change(segment(), to: segment(.any([])))
        #expect(narrowed.changesAudience)
        #expect(narrowed.reaches([.everyone, .all([.segment(vip)])], through: segments))
        #expect(narrowed.reaches([.segment(outer)], through: segments))
        #expect(!narrowed.reaches([.everyone, .segment(other)], through: segments))
        #expect(!narrowed.reaches([], through: segments))

        var renamed = segment()
        renamed.content.name = "Others"
        let name = try change(segment(), to: renamed)
        #expect(!name.changesAudience && !name.reaches([.segment(vip)], through: segments))
    }
}
