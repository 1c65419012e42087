import CardModel
import CardStore
import Testing

/// Checks of imports that wait, while users are deleted and processes end.
enum ImportLifeChecks {
    static let checks: [ConformanceCheck] = [expiry, erasures, survives]

    static let expiry = ConformanceCheck("Imports that last too long end, and those that ended long ago are removed") {
        stores in
        try await stores.withStore { store in
            _ = try await store.insertImport(ImportChecks.job("imp_1"))
            _ = try await store.appendImportBytes([1, 2, 3, 4], at: 0, to: "imp_1")
            try await ImportChecks.start("imp_2", in: store, at: noon)
            let (day, week) = (ImportJob.Retention.upload, ImportJob.Retention.run)
            #expect(try await store.removeOldImports(at: noon + day - 1) == 0)
            #expect(try await store.removeOldImports(at: noon + day) == 1)
            #expect(try await store.importJob("imp_1")?.status == .expired)
            #expect(try await store.importBytes("imp_1", in: 0..<4) == [])
            #expect(try await store.appendImportBytes([1], at: 4, to: "imp_1") == nil)
            #expect(try await store.importJob("imp_2")?.status == .running)
            #expect(try await store.removeOldImports(at: noon + week) == 1)
            #expect(try await store.claimImport(for: "a", seconds: 60) == nil)
            let end = noon + day + ImportJob.Retention.list
            #expect(try await store.removeOldImports(at: end - 1) == 0)
            #expect(try await store.removeOldImports(at: end) == 1)
            #expect(try await store.importJobs(offset: 0, limit: 9).map(\.id) == ["imp_2"])
        }
    }

    static let erasures = ConformanceCheck("Users who were deleted since an upload aren't brought back") { stores in
        try await stores.withStore { store in
            let (before, since) = (UserID(rawValue: "before"), UserID(rawValue: "since"))
            for (user, time) in [(before, noon - 2), (since, noon + 2)] {
                try await store.updateUsers([UserUpdate(id: user)], at: noon - 5)
                #expect(try await store.deleteUser(user, at: time, by: command))
            }
            try await ImportChecks.start(in: store)
            _ = try await store.claimImport(for: "a", seconds: 60)
            let users = ["before", "since", "new"].enumerated().map { ImportChecks.entry($0 + 2, $1) }
            let step = ImportStep(users: users, offset: 4, line: 5)
            let moved = try #require(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon + 9))
            #expect(moved.imported == 2 && moved.rejected == 1)
            #expect(try await store.userRevision(of: since) == nil)
            #expect(try await store.userRevision(of: before) != nil)
            // Whoever a backend has created again since then is another user.
            try await store.updateUsers([UserUpdate(id: since)], at: noon + 10)
            let last = try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon + 11)
            #expect(last?.imported == 5)
        }
    }

    static let survives = ConformanceCheck("A process that dies leaves its import to the next, where it was") {
        stores in
        try await stores.withPlace { place in
            let first = try await place.open()
            try await ImportChecks.start(in: first)
            _ = try await first.claimImport(for: "a", seconds: 600)
            let step = ImportStep(users: [ImportChecks.entry(2, "u1")], offset: 2, line: 3)
            _ = try await first.applyImport(step, to: "imp_1", by: "a", seconds: 0, at: noon)

            // Opened while the first was never closed, as after a kill.
            let second = try await place.open()
            let claimed = try #require(try await second.claimImport(for: "b", seconds: 60))
            #expect(claimed.offset == 2 && claimed.line == 3 && claimed.imported == 1)
            #expect(try await second.importBytes("imp_1", in: 2..<4) == [3, 4])
            #expect(try await first.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon) == nil)
            try await second.close()
            try await first.close()
        }
    }
}
