public import CardModel

/// Keeps segments, and counts the users of an audience.
public protocol SegmentStore: Sendable {
    /// Reads segments, those last changed first: `limit` at most, 1 to 1000, after passing over `offset`.
    func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment]

    /// Reads one segment, or returns `nil`.
    func segment(_ id: SegmentID) async throws -> Segment?

    /// Reads segments by their IDs, the archived too, without those that there aren't; of the first 1000 IDs.
    func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment]

    /// Reads the audiences of all segments, the archived too.
    func segmentAudiences() async throws -> [SegmentID: Audience]

    /// Counts the users that an audience means, at one moment, without holding up devices.
    ///
    /// Where there are many users a store may ask a random sample of them instead; the answer says so. With `exactly`,
    /// every user is asked, however many there are.
    ///
    /// - Throws: `StoreError.limitReached` where users cost far more than an audience's conditions usually do.
    func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach

    /// Counts the users that several audiences have in common, at one moment, without holding up devices.
    ///
    /// At most ``CardModel/AudienceOverlap/limit`` audiences; others are left out. Where there are many users a store
    /// may ask a random sample of them instead, and a smaller one than ``audienceReach(of:at:exactly:)`` does; the
    /// answer says so.
    ///
    /// - Throws: `StoreError.limitReached` where users cost far more than audiences' conditions usually do.
    func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap

    /// Adds a segment.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id, `conflict` where it would be part of itself by now,
    ///   or `limitReached` where there are 20,000.
    func insertSegment(_ segment: Segment, by actor: Actor) async throws

    /// Saves a changed segment, and gives the catalog the next generation where its audience is another and that of a
    /// campaign that was launched, or of a broadcast, has it as a part.
    ///
    /// - Parameters:
    ///   - segment: The segment as it is to be.
    ///   - version: The version that the change was made from.
    ///   - action: What was done, for the audit log.
    ///   - actor: Who did it.
    /// - Returns: The segment as saved.
    /// - Throws: `StoreError.notFound`, or `StoreError.conflict` where the version is another by now, or where it would
    ///   be part of itself.
    func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment
}

extension Segment {
    /// Refuses a segment that is part of itself.
    ///
    /// - Parameter segments: The audiences of all segments, as they are when it is saved.
    /// - Throws: `StoreError.conflict`: whoever saves it has looked at segments that are others by now.
    package func checkCycle(among segments: [SegmentID: Audience]) throws(StoreError) {
        guard content.audience.reaches(id, through: segments) else { return }
        throw .segmentCycle
    }
}
