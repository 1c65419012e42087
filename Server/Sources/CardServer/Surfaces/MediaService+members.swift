package import CardModel
package import CardStore

/// The changes of the media library that the dashboard makes for members, whose roles it has checked.
extension MediaService {
    /// Adds a picture of a member.
    ///
    /// - Parameters:
    ///   - member: Who uploads it.
    ///   - reading: Reads the upload with that meter; isn't called where the member can't upload now.
    /// - Returns: The picture, and whether it is new.
    /// - Throws: `ServiceError` where it isn't accepted.
    package func add(
        member: TeamMember,
        reading: (UploadMeter) async throws -> Upload
    ) async throws -> (item: MediaItem, isNew: Bool) {
        try await refusing { try await add(by: Caller(member: member.email, role: member.role), reading: reading) }
    }

    /// Deletes a picture for a member, although something names it; ``restore(_:member:)`` undoes it for a moment.
    ///
    /// - Returns: The picture.
    /// - Throws: `ServiceError` where there is none of that id.
    package func delete(_ id: String, member: TeamMember) async throws -> MediaItem {
        try await refusing { try await markDeleted(id, by: Caller(member: member.email, role: member.role)) }
    }

    /// Restores a picture for a member that was deleted a moment ago.
    ///
    /// - Throws: `ServiceError` where its bytes were removed since.
    package func restore(_ id: String, member: TeamMember) async throws {
        try await refusing { try await restore(id, by: Caller(member: member.email, role: member.role)) }
    }

    /// Changes what a picture is said to show, for a member.
    ///
    /// - Throws: `ServiceError` where there is none of that id, or the text is too long.
    package func setAlt(_ alt: String, of id: String, member: TeamMember) async throws {
        try await refusing { try await setAlt(alt, of: id, by: Caller(member: member.email, role: member.role)) }
    }

    private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as RequestError {
            throw ServiceError(error)
        }
    }
}
