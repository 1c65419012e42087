public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    // MARK: Keys

    /// Reads every key, the oldest first.
    public func apiKeys() async throws -> [APIKey] { try read(\.keys) }

    /// Adds a key.
    public func insertKey(_ key: APIKey, by actor: Actor) async throws {
        try write { state in
            guard !state.keys.contains(where: { $0.isNamed(key.id) || $0.hash == key.hash }) else {
                throw StoreError(.exists, "A key with this ID or secret already exists. Create another key.")
            }
            try state.check(actor, covers: [key], at: key.createdAt)
            try WorkspaceLimit.keys.check(Int64(state.keys.count { $0.revokedAt == nil }))
            state.keys.append(key)
            state.appendAudit("key.create", of: key.id, at: key.createdAt, by: actor)
            state.changes.catalog = true
        }
    }

    /// Edits a key that was not revoked.
    public func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey? {
        try write { state in
            guard let place = state.keys.firstIndex(where: { $0.isNamed(id) && $0.revokedAt == nil }) else {
                return nil
            }
            let old = state.keys[place]
            let key = old.applying(edit)
            try state.check(actor, covers: [old, key], at: now)
            let differences = key.changes(from: old)
            guard !differences.isEmpty else { return old }
            state.keys[place] = key
            state.appendAudit("key.update", of: id, details: ["changes": .array(differences)], at: now, by: actor)
            state.changes.catalog = true
            return key
        }
    }

    /// Revokes a key for good.
    public func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.keys.firstIndex(where: { $0.isNamed(id) && $0.revokedAt == nil }) else {
                return false
            }
            state.keys[place].revokedAt = now
            state.removeRevokedKeys()
            state.appendAudit("key.revoke", of: id, at: now, by: actor)
            state.changes.catalog = true
            return true
        }
    }

    /// Gives a key that works another secret.
    public func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool {
        try write { state in
            let place = state.keys.firstIndex { key in
                key.isNamed(rotation.id) && key.revokedAt == nil && key.expiresAt ?? .infinity > rotation.at
            }
            guard let place else { return false }
            try state.check(actor, covers: [state.keys[place]], at: rotation.at)
            state.keys[place] = state.keys[place].applying(rotation)
            state.appendAudit("key.rotate", of: rotation.id, at: rotation.at, by: actor)
            state.changes.catalog = true
            return true
        }
    }

    /// Saves when keys were last used.
    public func recordKeyUses(_ uses: [String: UnixTime]) async throws {
        try write { state in
            for (id, time) in uses {
                for place in state.keys.indices
                where state.keys[place].isNamed(id) && state.keys[place].lastUsedAt ?? 0 < time {
                    state.keys[place].lastUsedAt = time
                }
            }
        }
    }

    // MARK: Content types

    /// Reads what the app's typed contents expect, by class type.
    public func contentTypes() async throws -> [ContentType] {
        try read { $0.contentTypes.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Saves what the app's typed contents expect.
    public func saveContentTypes(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws {
        try write { state in
            try state.save(types, at: now)
            state.appendAudit("content_types.publish", of: ReferenceState.subject(of: types), at: now, by: actor)
        }
    }

    /// Keeps what an app proposes.
    public func proposeContentTypes(_ proposal: ContentTypeProposal) async throws {
        try write { state in
            let known = state.proposals.first { $0.proposal.comesFromSame(as: proposal) }
            guard known?.proposal.id.hasSameBytes(as: proposal.id) != true else { return }
            state.proposals.removeAll { $0.proposal.comesFromSame(as: proposal) }
            guard state.saysMore(proposal) else { return }
            state.proposals.removeAll { $0.proposal.id.hasSameBytes(as: proposal.id) }
            state.proposals.append((proposal, false))
            while state.proposals.count > ContentTypeProposal.limit {
                let oldest = state.proposals.map(\.proposal.updatedAt).min()
                guard let place = state.proposals.firstIndex(where: { $0.proposal.updatedAt == oldest }) else { break }
                state.proposals.remove(at: place)
            }
        }
    }

    /// Reads the proposals that say something new, the newest first.
    public func contentTypeProposals() async throws -> [ContentTypeProposal] {
        try read { state in
            let open = state.proposals.enumerated().filter { !$0.element.isDismissed }
            return open.sorted { left, right in
                (left.element.proposal.updatedAt, left.offset) > (right.element.proposal.updatedAt, right.offset)
            }
            .map(\.element.proposal).filter(state.saysMore)
        }
    }

    /// Makes the types of a proposal those that the app's typed contents expect.
    public func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.openProposal(id) else { return false }
            let types = state.proposals.remove(at: place).proposal.types
            try state.save(types, at: now)
            state.appendAudit("content_types.accept", of: ReferenceState.subject(of: types), at: now, by: actor)
            return true
        }
    }

    /// Hides a proposal for good.
    public func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.openProposal(id) else { return false }
            state.proposals[place].isDismissed = true
            let types = state.proposals[place].proposal.types
            state.appendAudit("content_types.dismiss", of: ReferenceState.subject(of: types), at: now, by: actor)
            return true
        }
    }

    /// Forgets what a class type expects.
    public func deleteContentType(_ classType: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let type = state.contentTypes.removeValue(forKey: ByteString(classType)) else { return false }
            state.appendAudit("content_types.delete", of: ReferenceState.subject(of: [type]), at: now, by: actor)
            return true
        }
    }
}

extension APIKey {
    fileprivate func isNamed(_ id: String) -> Bool { self.id.hasSameBytes(as: id) }
}

extension ContentTypeProposal {
    fileprivate func comesFromSame(as other: ContentTypeProposal) -> Bool {
        keyID.hasSameBytes(as: other.keyID) && appVersion.hasSameBytes(as: other.appVersion)
    }
}

extension ReferenceState {
    fileprivate mutating func save(_ types: [ContentType], at now: UnixTime) throws(StoreError) {
        let before = contentTypesSize
        for type in types {
            var type = type
            type.updatedAt = now
            contentTypes[ByteString(type.classType)] = type
        }
        try contentTypesSize.check(after: before)
    }

    private var contentTypesSize: ContentTypesSize {
        // safe: a test's types
        let bytes = contentTypes.values.reduce(0) { $0 + Int64($1.schema.text.utf8.count) }
        return ContentTypesSize(count: Int64(contentTypes.count), bytes: bytes)
    }

    fileprivate func openProposal(_ id: String) -> Int? {
        proposals.firstIndex { !$0.isDismissed && $0.proposal.id.hasSameBytes(as: id) }
    }

    /// Whether a proposal says something that the accepted types don't.
    fileprivate func saysMore(_ proposal: ContentTypeProposal) -> Bool {
        proposal.types.contains { contentTypes[ByteString($0.classType)]?.schema.text != $0.schema.text }
    }

    fileprivate static func subject(of types: [ContentType]) -> String {
        let names = types.prefix(3).map { String($0.classType.prefix(60)) }.joined(separator: ", ")
        return types.count > 3 ? "\(names) and \(types.count - 3) more" : names
    }
}

extension ReferenceState {
    fileprivate func check(_ actor: Actor, covers changed: [APIKey], at now: UnixTime) throws {
        try KeyAuthority.check(actor, covers: changed, at: now) { id in keys.first { $0.isNamed(id) } }
    }
}
