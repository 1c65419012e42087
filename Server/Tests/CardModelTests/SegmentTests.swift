import CardModel
import Testing
import WireJSON

@Suite("A segment is an audience with a name")
struct SegmentTests {
    @Test("A segment is read as it is written, and counts its versions")
    func roundTrip() throws {
        let json: JSONValue = [
            "name": "VIP", "description": "Those who pay", "tags": ["a"],
            "audience": ["attribute": "plan", "comparison": "equals", "value": "gold"],
        ]
        let content = try Segment.Content(json: json)
        #expect(JSONValue.object(content.json) == json)
        let segment = Segment(id: SegmentID(rawValue: "vip"), content: content, createdAt: 1)
        #expect(segment.updating(content, at: 2) == segment)
        let archived = segment.archiving(true, at: 2)
        #expect((archived.version, archived.updatedAt, archived.isArchived) == (2, 2, true))
        #expect(
            try Segment.Content(
                json: archived.json,
                allowing: ["id", "version", "archived", "summary", "created_at", "updated_at"]
            ) == content
        )
    }

    @Test(
        "What is wrong is named",
        arguments: [
            (#"{"audience":{}}"#, "name"), (#"{"name":""}"#, "name"), (#"{"name":"a","tags":[1]}"#, "tags[0]"),
            (#"{"name":"a","audience":{"all":[{"x":1}]}}"#, "audience.all[0].x"),
            (#"{"name":"a","colour":1}"#, "colour"),
        ]
    )
    func refuses(text: String, path: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: ModelError.self) { try Segment.Content(json: json) }
        #expect(error?.path == path)
    }

    @Test("A segment that is not there, or that leads back, is refused where it is named")
    func checksSegments() throws {
        let (one, two, three) = (SegmentID(rawValue: "1"), SegmentID(rawValue: "2"), SegmentID(rawValue: "3"))
        let segments: [SegmentID: Audience] = [
            one: .everyone, two: .any([.segment(one)]), three: .none([.segment(two)]),
        ]
        try Audience.all([.segment(three)]).checkSegments(in: segments)
        try Audience.segment(one).checkSegments(in: segments, of: three)

        let unknown = #expect(throws: ModelError.self) {
            try Audience.all([.everyone, .segment(SegmentID(rawValue: "4"))]).checkSegments(in: segments)
        }
        #expect(unknown?.code == .segmentUnknown && unknown?.path == "audience.all[1].segment")
        for (audience, path) in [
            (Audience.segment(one), "audience.segment"),
            (.any([.none([.segment(three)])]), "audience.any[0].none[0].segment"),
        ] {
            let cycle = #expect(throws: ModelError.self) { try audience.checkSegments(in: segments, of: one) }
            #expect(cycle?.code == .segmentCycle && cycle?.path == path)
        }
    }

    @Test("Segments that double each other are refused, and cost little before they are")
    func boundsSegments() throws {
        func id(_ number: Int) -> SegmentID { SegmentID(rawValue: "\(number)") }
        var segments: [SegmentID: Audience] = [id(0): .everyone]
        for number in 1...80 {
            segments[id(number)] = .any([.segment(id(number - 1)), .segment(id(number - 1))])
        }
        try Audience.segment(id(11)).checkSegments(in: segments)
        for number in [14, 80] {
            let error = #expect(throws: ModelError.self) {
                try Audience.segment(id(number)).checkSegments(in: segments)
            }
            #expect(error?.code == .fieldInvalid)
        }
        #expect(AudienceMatcher(.segment(id(80)), segments: segments).matches(Sample.facts(Sample.user().profile)))
    }

    @Test("A reach by sample has bounds that hold what was found and leave out what was not")
    func boundsReach() {
        let exact = AudienceReach(found: 7, asked: 10, total: 10, isExact: true)
        #expect((exact.users, exact.bounds, exact.margin) == (7, 7...7, 0))
        let half = AudienceReach(found: 25_000, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(half.users == 500_000)
        // 1.96 √(¼ · 0.95 / 50,000) of a million.
        #expect((4_200...4_300).contains(half.margin))
        let none = AudienceReach(found: 0, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(none.users == 0 && none.bounds.lowerBound == 0 && (60...80).contains(none.bounds.upperBound))
        let all = AudienceReach(found: 50_000, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(all.users == 1_000_000 && all.bounds.upperBound == 1_000_000)
        let nobody = AudienceReach(found: 0, asked: 0, total: 5, isExact: false)
        #expect((nobody.users, nobody.bounds) == (0, 0...5))
        let whole = AudienceReach(found: 3, asked: 5, total: 5, isExact: false)
        #expect(whole.bounds == 3...3)
    }
}
