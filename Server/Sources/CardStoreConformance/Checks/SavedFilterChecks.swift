import CardModel
import CardStore
import Testing

/// Checks of the filters that members save.
enum SavedFilterChecks {
    static let checks: [ConformanceCheck] = [keeps, shares, bounds, sharedBound, sizes, leaves, unknown]

    private static let (anna, ben) = ("anna@example.com", "ben@example.com")

    private static func filter(
        _ id: String,
        _ name: String = "Sales",
        of owner: String = anna,
        isShared: Bool = false
    ) -> SavedFilter {
        var filter = SavedFilter(
            id: id,
            of: .campaigns,
            owner: owner,
            name: name,
            query: "status=active&q=%E3%82%BB%E3%83%BC%E3%83%AB",
            at: noon
        )
        filter.isShared = isShared
        return filter
    }

    private static func withTeam(
        _ stores: any StoreFactory,
        _ body: @Sendable (any CardStore) async throws -> Void
    ) async throws {
        try await stores.withStore { store in
            for email in [anna, ben, "carol@example.com"] {
                let role: Role = email == anna ? .editor : .admin
                let member = TeamMember(email: email, role: role, passwordHash: "x", createdAt: noon)
                try await store.insertMember(member, by: command)
            }
            try await body(store)
        }
    }

    private static func filterActions(_ store: any CardStore) async throws -> [String] {
        try await store.auditEntries(after: 0, limit: 1_000).filter { $0.action.hasPrefix("filter.") }
            .map { "\($0.action) \($0.subject)" }
    }

    static let keeps = ConformanceCheck(
        "A saved filter is read back as it was saved, renamed and deleted, and the audit log says nothing of it"
    ) { stores in
        try await withTeam(stores) { store in
            let generation = try await store.loadCatalog().generation
            try await store.insertSavedFilter(filter("f2", "b"), by: .member(anna))
            var users = filter("f1", "Café")
            users.list = .users
            try await store.insertSavedFilter(users, by: .member(anna))
            try await store.insertSavedFilter(filter("f0", "b"), by: .member(anna))
            #expect(try await store.savedFilters(of: anna) == [users, filter("f0", "b"), filter("f2", "b")])
            #expect(try await store.savedFilters(of: ben).isEmpty)
            var renamed = filter("f2", "Cafe\u{301}")
            renamed.updatedAt = noon + 60
            try await store.updateSavedFilter(renamed, by: .member(anna))
            #expect(try await store.savedFilter("f2") == renamed)
            // By their bytes, as the order is.
            #expect(try await store.savedFilters(of: anna).map(\.id) == ["f2", "f1", "f0"])
            #expect(try await store.deleteSavedFilter("f2", at: noon, by: .member(anna)))
            #expect(try await !store.deleteSavedFilter("f2", at: noon, by: .member(anna)))
            #expect(try await store.savedFilter("f2") == nil)
            #expect(try await filterActions(store).isEmpty)
            // Devices have nothing to read again.
            #expect(try await store.loadCatalog().generation == generation)
        }
    }

    static let shares = ConformanceCheck(
        "A shared filter is seen by the team, and the audit log has each change of it"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertSavedFilter(filter("own"), by: .member(anna))
            try await store.insertSavedFilter(filter("new", "New", isShared: true), by: .member(anna))
            #expect(try await store.savedFilters(of: ben).map(\.id) == ["new"])
            try await store.updateSavedFilter(filter("own", isShared: true), by: .member(anna))
            #expect(try await store.savedFilters(of: ben).map(\.id) == ["new", "own"])
            try await store.updateSavedFilter(filter("own", "Sale", isShared: true), by: .member(ben))
            try await store.updateSavedFilter(filter("own", "Mine"), by: .member(anna))
            #expect(try await store.savedFilters(of: ben).map(\.id) == ["new"])
            #expect(try await store.deleteSavedFilter("new", at: noon, by: .member(ben)))
            #expect(
                try await filterActions(store) == [
                    "filter.share New", "filter.share Sales", "filter.update Sale", "filter.unshare Mine",
                    "filter.delete New",
                ]
            )
        }
    }

    static let bounds = ConformanceCheck(
        "A member has a bounded number of filters, a team a bounded number of shared ones, and an id is used once"
    ) { stores in
        try await withTeam(stores) { store in
            for owner in [anna, ben] {
                for number in 0..<SavedFilter.ownLimit {
                    try await store.insertSavedFilter(filter("\(owner)-\(number)", of: owner), by: command)
                }
                await expectFailure(.limitReached) {
                    try await store.insertSavedFilter(filter("more", of: owner, isShared: true), by: command)
                }
            }
            await expectFailure(.exists) {
                try await store.insertSavedFilter(filter("\(anna)-0", of: "carol@example.com"), by: command)
            }
            #expect(try await store.savedFilters(of: anna).count == SavedFilter.ownLimit)
            // Room comes back with each that is deleted.
            #expect(try await store.deleteSavedFilter("\(anna)-0", at: noon, by: command))
            try await store.insertSavedFilter(filter("more"), by: command)
        }
    }

    static let sharedBound = ConformanceCheck(
        "No filter is shared beyond the bound of a team, neither a new one nor one that is there"
    ) { stores in
        try await withTeam(stores) { store in
            let owners = SavedFilter.sharedLimit / SavedFilter.ownLimit
            for owner in (0..<owners).map({ "editor-\($0)@example.com" }) {
                let member = TeamMember(email: owner, role: .editor, passwordHash: "x", createdAt: noon)
                try await store.insertMember(member, by: command)
                for number in 0..<SavedFilter.ownLimit {
                    let id = "\(owner)-\(number)"
                    try await store.insertSavedFilter(filter(id, of: owner, isShared: true), by: command)
                }
            }
            try await store.insertSavedFilter(filter("own"), by: command)
            await expectFailure(.limitReached) {
                try await store.insertSavedFilter(filter("more", isShared: true), by: command)
            }
            await expectFailure(.limitReached) {
                try await store.updateSavedFilter(filter("own", isShared: true), by: command)
            }
            // Those that are shared already can be renamed, and one that is no longer shared makes room.
            let first = "editor-0@example.com"
            try await store.updateSavedFilter(filter("\(first)-0", "New", of: first, isShared: true), by: command)
            try await store.updateSavedFilter(filter("\(first)-1", of: first), by: command)
            try await store.updateSavedFilter(filter("own", isShared: true), by: command)
            #expect(try await store.savedFilters(of: ben).count == SavedFilter.sharedLimit)
        }
    }

    static let sizes = ConformanceCheck("A filter has a name, and neither name nor query is longer than it may be") {
        stores in
        try await withTeam(stores) { store in
            let longest = String(repeating: "a", count: SavedFilter.longestName)
            var full = filter("full", longest)
            full.query = String(repeating: "q", count: SavedFilter.longestQuery)
            try await store.insertSavedFilter(full, by: command)
            #expect(try await store.savedFilters(of: anna) == [full])
            var long = filter("long")
            long.query = full.query + "q"
            for wrong in [filter("none", ""), filter("long", longest + "a"), long] {
                await expectFailure(.limitReached) { try await store.insertSavedFilter(wrong, by: command) }
            }
            for name in ["", longest + "a"] {
                await expectFailure(.limitReached) {
                    try await store.updateSavedFilter(filter("full", name), by: command)
                }
            }
            #expect(try await store.savedFilters(of: anna) == [full])
        }
    }

    static let leaves = ConformanceCheck(
        "When a member is removed their filters go, those that are shared stay"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertSavedFilter(filter("own", of: ben), by: command)
            try await store.insertSavedFilter(filter("team", of: ben, isShared: true), by: command)
            try await store.insertSavedFilter(filter("anna"), by: command)
            #expect(try await store.removeMember(ben, at: noon, by: command))
            #expect(try await store.savedFilter("own") == nil)
            #expect(try await store.savedFilter("team") == filter("team", of: ben, isShared: true))
            #expect(try await store.savedFilters(of: anna).map(\.id) == ["anna", "team"])
        }
    }

    static let unknown = ConformanceCheck(
        "A filter isn't saved for someone who isn't a member, and one that isn't there isn't changed"
    ) { stores in
        try await withTeam(stores) { store in
            await expectFailure(.notFound) {
                try await store.insertSavedFilter(filter("f", of: "none@example.com"), by: command)
            }
            await expectFailure(.notFound) { try await store.updateSavedFilter(filter("f"), by: command) }
            let found = try await store.savedFilter("f")
            #expect(found == nil)
        }
    }
}
