public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads the filters of a member and those that are shared.
    public func savedFilters(of email: String) async throws -> [SavedFilter] {
        try read { state in
            state.filters.filter { $0.isSeen(by: email) }
                .sorted { (ByteString($0.name), ByteString($0.id)) < (ByteString($1.name), ByteString($1.id)) }
        }
    }

    /// Reads one filter, or returns `nil`.
    public func savedFilter(_ id: String) async throws -> SavedFilter? {
        try read { state in state.place(ofFilter: id).map { state.filters[$0] } }
    }

    /// Adds a filter.
    public func insertSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try write { state in
            guard state.place(of: filter.owner) != nil else { throw StoreError.noFilterOwner }
            guard state.place(ofFilter: filter.id) == nil else { throw StoreError.savedFilterExists }
            try state.checkRoom(for: filter, after: nil)
            state.filters.append(filter)
            if let action = filter.auditAction(after: nil) {
                state.appendAudit(action, of: filter.name, at: filter.createdAt, by: actor)
            }
        }
    }

    /// Saves the name of a filter and whether it is shared.
    public func updateSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try write { state in
            guard let place = state.place(ofFilter: filter.id) else { throw StoreError.noSavedFilter }
            let previous = state.filters[place]
            try state.checkRoom(for: filter, after: previous)
            state.filters[place].name = filter.name
            state.filters[place].isShared = filter.isShared
            state.filters[place].updatedAt = filter.updatedAt
            if let action = filter.auditAction(after: previous) {
                state.appendAudit(action, of: filter.name, at: filter.updatedAt, by: actor)
            }
        }
    }

    /// Deletes a filter.
    public func deleteSavedFilter(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.place(ofFilter: id) else { return false }
            let filter = state.filters.remove(at: place)
            if filter.isShared { state.appendAudit("filter.delete", of: filter.name, at: now, by: actor) }
            return true
        }
    }
}

extension ReferenceState {
    fileprivate func place(ofFilter id: String) -> Int? { filters.firstIndex { $0.id.hasSameBytes(as: id) } }

    fileprivate func checkRoom(for filter: SavedFilter, after previous: SavedFilter?) throws {
        try filter.checkRoom(
            own: Int64(filters.count { $0.owner.hasSameBytes(as: filter.owner) }),
            shared: Int64(filters.count(where: \.isShared)),
            after: previous
        )
    }
}
