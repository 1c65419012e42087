public import CardModel
public import WireJSON

/// Keeps the filters that members have saved of lists.
///
/// A member sees their own and those that are shared with the team. What is shared stays when its owner is removed;
/// what isn't goes with them. Whoever calls decides who may change a filter: see ``SavedFilter/mayBeChanged(by:)``.
public protocol SavedFilterStore: Sendable {
    /// Reads the filters of a member and those that are shared, by name and then by id, as their bytes compare.
    func savedFilters(of email: String) async throws -> [SavedFilter]

    /// Reads one filter, or returns `nil`.
    func savedFilter(_ id: String) async throws -> SavedFilter?

    /// Adds a filter; one that is shared is in the audit log.
    ///
    /// - Throws: `StoreError.notFound` where the owner is no member, `exists` where there is a filter of that id,
    ///   `limitReached` beyond ``SavedFilter/ownLimit`` of one member or ``SavedFilter/sharedLimit`` of all, and where
    ///   the name or the query is longer than it may be.
    func insertSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws

    /// Saves the name of a filter and whether it is shared; one that is or was shared is in the audit log.
    ///
    /// - Throws: `StoreError.notFound`, or `limitReached` where the name is too long, or where it is shared from now
    ///   on, and as many are as may be.
    func updateSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws

    /// Deletes a filter; one that was shared is in the audit log.
    ///
    /// - Returns: Whether there was such a filter.
    func deleteSavedFilter(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool
}

/// A search of a list with its order, under a name.
public struct SavedFilter: Sendable, Hashable {
    /// The lists that have filters.
    public enum List: String, Sendable, CaseIterable {
        case campaigns
        case users
    }

    /// The maximum number of filters that one member has, shared ones included.
    public static let ownLimit = 50
    /// The maximum number of filters that are shared in a workspace.
    public static let sharedLimit = 200
    /// The maximum number of UTF-8 bytes of a name.
    public static let longestName = 200
    /// The maximum number of UTF-8 bytes of a query.
    public static let longestQuery = 3_000

    /// The id, which never changes.
    @Bytewise public var id: String
    /// The list that it is of.
    public var list: List
    /// The e-mail address of the member who saved it.
    @Bytewise public var owner: String
    /// Whether every member sees it.
    public var isShared: Bool
    /// The display name of the filter; 1 to ``longestName`` bytes.
    @Bytewise public var name: String
    /// The query of the list's address; at most ``longestQuery`` bytes.
    @Bytewise public var query: String
    /// The time at which it was saved.
    public var createdAt: UnixTime
    /// The time at which it was last renamed, shared or made private.
    public var updatedAt: UnixTime

    /// Creates a filter that only its owner sees.
    public init(id: String, of list: List, owner: String, name: String, query: String, at now: UnixTime) {
        self.id = id
        self.list = list
        self.owner = owner
        self.name = name
        self.query = query
        isShared = false
        createdAt = now
        updatedAt = now
    }

    /// Returns whether a member sees it.
    public func isSeen(by email: String) -> Bool { isShared || owner.hasSameBytes(as: email) }

    /// Returns whether a member may rename, share and delete it.
    ///
    /// One's own may always be, unless it is shared: then its owner has to be an editor still, and administrators may,
    /// too.
    public func mayBeChanged(by member: TeamMember) -> Bool {
        guard isShared else { return owner.hasSameBytes(as: member.email) }
        return member.role == .admin || (member.role >= .editor && owner.hasSameBytes(as: member.email))
    }
}

extension SavedFilter {
    /// The action in the audit log of a change from another state, or `nil` where nobody else sees it.
    package func auditAction(after previous: SavedFilter?) -> String? {
        switch (previous?.isShared ?? false, isShared) {
        case (false, false): nil
        case (false, true): "filter.share"
        case (true, true): "filter.update"
        case (true, false): "filter.unshare"
        }
    }

    /// Throws where it is too large, a member has as many filters as they may have, or as many are shared.
    package func checkRoom(own: Int64, shared: Int64, after previous: SavedFilter? = nil) throws(StoreError) {
        guard !name.isEmpty, name.utf8.count <= Self.longestName else {
            throw StoreError(.limitReached, "Enter a name of at most \(Self.longestName) bytes.")
        }
        guard query.utf8.count <= Self.longestQuery else {
            throw StoreError(.limitReached, "The search is too long to be saved. Shorten it.")
        }
        if previous == nil, own >= Int64(Self.ownLimit) {
            throw StoreError(.limitReached, "You have \(Self.ownLimit) saved filters. Delete one first.")
        }
        if isShared, previous?.isShared != true, shared >= Int64(Self.sharedLimit) {
            throw StoreError(.limitReached, "The team has \(Self.sharedLimit) shared filters. Delete one first.")
        }
    }

    /// Restores a filter from its row.
    package init(_ row: some StoredRow) throws {
        guard let list = List(rawValue: try row.text("list")) else { throw StoreError.unreadable("a saved filter") }
        self.init(
            id: try row.text("id"),
            of: list,
            owner: try row.text("owner"),
            name: try row.text("name"),
            query: try row.text("query"),
            at: try row.double("created_at")
        )
        isShared = try row.flag("shared")
        updatedAt = try row.double("updated_at")
    }
}

extension StoreError {
    package static let noSavedFilter = StoreError(.notFound, "There is no saved filter of that id.")
    package static let savedFilterExists = StoreError(
        .exists,
        "A saved filter with this ID already exists. Choose another ID."
    )
    package static let noFilterOwner = StoreError(.notFound, "There is no such member.")
}
