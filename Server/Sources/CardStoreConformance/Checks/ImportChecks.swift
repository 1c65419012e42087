import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of files of users that members upload.
enum ImportChecks {
    static let checks: [ConformanceCheck] = [
        uploads, several, pieces, sameFile, limit, starts, steps, limits, leases, order, races, cancels, failures,
        rejects,
    ]

    static let anna = Actor.member("anna@example.com")

    static func job(
        _ id: String = "imp_1",
        size: Int = 4,
        fingerprint: String = "f",
        at time: UnixTime = noon
    ) -> ImportJob {
        ImportJob(
            id: id,
            fileName: "users.csv",
            format: "csv",
            size: size,
            fingerprint: fingerprint,
            createdAt: time,
            createdBy: "anna@example.com"
        )
    }

    /// Adds an import whose file is complete, and starts it.
    static func start(_ id: String = "imp_1", in store: any CardStore, at time: UnixTime = noon) async throws {
        _ = try #require(try await store.insertImport(job(id, fingerprint: id)))
        #expect(try await store.appendImportBytes([1, 2, 3, 4], at: 0, to: id) == 4)
        #expect(try await store.startImport(id, plan: "plan", at: time, by: anna))
    }

    static func entry(_ line: Int, _ user: String, _ custom: JSONObject = ["plan": "pro"]) -> ImportStep.Entry {
        var update = UserUpdate(id: UserID(rawValue: user))
        update.custom = custom
        return ImportStep.Entry(line: line, update: update)
    }

    static let uploads = ConformanceCheck("A file is kept as it was uploaded, and read in parts") { stores in
        try await stores.withStore { store in
            var expected = job()
            let added = try await store.insertImport(expected)
            #expect(added == expected)
            #expect(try await store.importJob("imp_1") == expected)
            #expect(try await store.appendImportBytes([0, 255], at: 0, to: "imp_1") == 2)
            #expect(try await store.importJob("imp_1")?.isReady == false)
            #expect(try await store.appendImportBytes([7, 0], at: 2, to: "imp_1") == 4)
            expected.received = 4
            #expect(try await store.importJob("imp_1") == expected)
            #expect(expected.isReady)
            #expect(try await store.importBytes("imp_1", in: 0..<4) == [0, 255, 7, 0])
            #expect(try await store.importBytes("imp_1", in: 1..<3) == [255, 7])
            #expect(try await store.importBytes("imp_1", in: 2..<9) == [7, 0])
            #expect(try await store.importBytes("imp_1", in: 4..<9) == [])
            #expect(try await store.importBytes("imp_2", in: 0..<4) == [])
            #expect(try await store.importJob("imp_2") == nil)
        }
    }

    static let several = ConformanceCheck(
        "Several imports are read at once, without those that there aren't"
    ) { stores in
        try await stores.withStore { store in
            for name in ["imp_1", "imp_2", "imp_3"] {
                _ = try await store.insertImport(job(name, fingerprint: name))
            }
            #expect(try await store.appendImportBytes([0, 255], at: 0, to: "imp_3") == 2)
            var third = job("imp_3", fingerprint: "imp_3")
            third.received = 2
            let found = try await store.findImports(["imp_3", "none", "imp_1", "imp_3"])
            #expect(found == ["imp_1": job(fingerprint: "imp_1"), "imp_3": third])
            #expect(try await store.findImports([]).isEmpty)
            let many = (0..<1_000).map { "none-\($0)" }
            #expect(try await store.findImports(many + ["imp_1"]).isEmpty)
        }
    }

    static let pieces = ConformanceCheck("A piece that isn't the next one of a file changes nothing") { stores in
        try await stores.withStore { store in
            _ = try await store.insertImport(job())
            #expect(try await store.appendImportBytes([1, 2], at: 0, to: "imp_1") == 2)
            // It was sent again, leaves a gap, is empty, or is more than the file.
            for (bytes, offset) in [([9, 9], 0), ([9], 3), ([], 2), ([9, 9, 9], 2), ([9], -1)] as [([UInt8], Int)] {
                #expect(try await store.appendImportBytes(bytes, at: offset, to: "imp_1") == 2)
            }
            #expect(try await store.importBytes("imp_1", in: 0..<4) == [1, 2])
            #expect(try await store.appendImportBytes([1], at: 0, to: "imp_2") == nil)

            let large = Array(repeating: UInt8(5), count: ImportJob.pieceBytes)
            _ = try await store.insertImport(job("imp_3", size: ImportJob.fileBytes, fingerprint: "g"))
            #expect(try await store.appendImportBytes(large + [1], at: 0, to: "imp_3") == 0)
            #expect(try await store.appendImportBytes(large, at: 0, to: "imp_3") == large.count)
            #expect(try await store.appendImportBytes([6], at: large.count, to: "imp_3") == large.count + 1)
            let range = (large.count - 1)..<(large.count + 5)
            #expect(try await store.importBytes("imp_3", in: range) == [5, 6])
        }
    }

    static let sameFile = ConformanceCheck("A file that was sent in part is gone on with when it is sent again") {
        stores in
        try await stores.withStore { store in
            _ = try await store.insertImport(job())
            _ = try await store.appendImportBytes([1, 2], at: 0, to: "imp_1")
            let again = try #require(try await store.insertImport(job("imp_2", at: noon + 9)))
            #expect(again.id == "imp_1" && again.received == 2)

            var other = job("imp_3")
            other.createdBy = "emil@example.com"
            #expect(try await store.insertImport(other)?.id == "imp_3")
            #expect(try await store.insertImport(job("imp_4", fingerprint: "F"))?.id == "imp_4")
            #expect(try await store.importJobs(offset: 0, limit: 9).map(\.id) == ["imp_4", "imp_3", "imp_1"])
            #expect(try await store.importJobs(offset: 1, limit: 1).map(\.id) == ["imp_3"])

            // One that was started is another import.
            _ = try await store.appendImportBytes([3, 4], at: 2, to: "imp_1")
            #expect(try await store.startImport("imp_1", plan: "p", at: noon, by: anna))
            #expect(try await store.insertImport(job("imp_5"))?.id == "imp_5")
        }
    }

    static let limit = ConformanceCheck("No more imports than the limit wait or run") { stores in
        try await stores.withStore { store in
            for number in 0..<ImportJob.openLimit {
                #expect(try await store.insertImport(job("imp_\(number)", fingerprint: "\(number)")) != nil)
            }
            #expect(try await store.insertImport(job("imp_x", fingerprint: "x")) == nil)
            #expect(try await store.insertImport(job("imp_y", fingerprint: "3"))?.id == "imp_3")
            let isCanceled = try await store.cancelImport("imp_3", at: noon, by: anna)
            #expect(isCanceled)
            #expect(try await store.insertImport(job("imp_x", fingerprint: "x"))?.id == "imp_x")
        }
    }

    static let starts = ConformanceCheck("An import starts once, when its file is complete, and is in the audit log") {
        stores in
        try await stores.withStore { store in
            _ = try await store.insertImport(job())
            _ = try await store.appendImportBytes([1, 2], at: 0, to: "imp_1")
            #expect(try await !store.startImport("imp_1", plan: "p", at: noon, by: anna))
            _ = try await store.appendImportBytes([3, 4], at: 2, to: "imp_1")
            #expect(try await !store.startImport("imp_2", plan: "p", at: noon, by: anna))
            #expect(try await store.claimImport(for: "a", seconds: 60) == nil)
            #expect(try await store.startImport("imp_1", plan: "pläne", at: noon + 5, by: anna))
            #expect(try await !store.startImport("imp_1", plan: "q", at: noon, by: anna))
            let started = try #require(try await store.importJob("imp_1"))
            #expect(started.status == .running && started.plan == "pläne" && started.startedAt == noon + 5)
            #expect(try await store.appendImportBytes([1], at: 4, to: "imp_1") == nil)
            let entry = try #require(try await store.latestAuditEntries(limit: 1).first)
            #expect(entry.action == "user.import" && entry.subject == "imp_1" && entry.actor == "anna@example.com")
        }
    }

    static let steps = ConformanceCheck(
        "A step changes users and says how far the import is, and the last removes the file"
    ) { stores in
        try await stores.withStore { store in
            try await start(in: store)
            #expect(try await store.claimImport(for: "a", seconds: 60)?.offset == 0)
            let reject = ImportReject(line: 2, reason: "Größe")
            let first = ImportStep(users: [entry(3, "u1")], rejects: [reject], offset: 3, line: 4)
            let moved = try #require(
                try await store.applyImport(first, to: "imp_1", by: "a", seconds: 60, at: noon + 1)
            )
            #expect(moved.offset == 3 && moved.line == 4 && moved.imported == 1 && moved.rejected == 1)
            #expect(try await store.importJob("imp_1") == moved)
            #expect(
                try await store.userRecords(of: [.id(UserID(rawValue: "u1"))]).first?.first?.profile.custom["plan"]
                    == "pro"
            )
            #expect(try await store.importRejects("imp_1", after: 0, limit: 9) == [reject])

            let last = ImportStep(users: [entry(4, "u2")], offset: 4, line: 5, end: .finished)
            let ended = try #require(
                try await store.applyImport(last, to: "imp_1", by: "a", seconds: 60, at: noon + 2)
            )
            #expect(ended.status == .finished && ended.endedAt == noon + 2 && ended.imported == 2)
            #expect(try await store.importJob("imp_1") == ended)
            #expect(try await store.userCount() == 2)
            #expect(try await store.importBytes("imp_1", in: 0..<4) == [])
            #expect(try await store.importRejects("imp_1", after: 0, limit: 9) == [reject])
            #expect(try await store.latestAuditEntries(limit: 1).map(\.action) == ["user.import-end"])
            #expect(try await store.applyImport(last, to: "imp_1", by: "a", seconds: 60, at: noon) == nil)
            #expect(try await store.claimImport(for: "a", seconds: 60) == nil)
        }
    }

    static let limits = ConformanceCheck("A user who would have more than the limits is a rejected line") { stores in
        try await stores.withStore { store in
            var settings = Settings()
            settings.deviceLimits.user.attributes = 1
            try await store.saveSettings(settings, at: noon, by: command)
            try await start(in: store)
            _ = try await store.claimImport(for: "a", seconds: 60)
            let users = [entry(2, "u1"), entry(3, "u2", ["a": 1, "b": 2]), entry(4, "u3")]
            let step = ImportStep(users: users, rejects: [ImportReject(line: 5, reason: "x")], offset: 4, line: 6)
            let moved = try #require(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon))
            #expect(moved.imported == 2 && moved.rejected == 2)
            let reason = UserLimits.Excess(.attributes, limit: 1).message + "."
            let expected = [ImportReject(line: 3, reason: reason), ImportReject(line: 5, reason: "x")]
            #expect(try await store.importRejects("imp_1", after: 0, limit: 9) == expected)
            #expect(try await store.importRejects("imp_1", after: 3, limit: 9).map(\.line) == [5])
            #expect(try await store.importRejects("imp_1", after: 0, limit: 1).map(\.line) == [3])
        }
    }

    static let leases = ConformanceCheck("Only the worker that has the lease moves an import on") { stores in
        try await stores.withStore { store in
            try await start(in: store)
            #expect(try await store.claimImport(for: "a", seconds: 600)?.id == "imp_1")
            #expect(try await store.claimImport(for: "b", seconds: 600) == nil)
            #expect(try await store.claimImport(for: "a", seconds: 600)?.id == "imp_1")
            let step = ImportStep(users: [entry(2, "u1")], offset: 2, line: 3)
            #expect(try await store.applyImport(step, to: "imp_1", by: "b", seconds: 60, at: noon) == nil)
            #expect(try await store.userCount() == 0)
            // It gives the lease back by having it for no time.
            #expect(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 0, at: noon)?.offset == 2)
            #expect(try await store.claimImport(for: "b", seconds: 600)?.offset == 2)
            #expect(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon) == nil)
            #expect(try await store.applyImport(step, to: "imp_1", by: "b", seconds: 60, at: noon)?.imported == 2)
            #expect(try await store.claimImport(for: "a", seconds: 600) == nil)
        }
    }

    static let order = ConformanceCheck("Imports run one after the other, in the order in which they were started") {
        stores in
        try await stores.withStore { store in
            try await start("imp_b", in: store, at: noon + 1)
            try await start("imp_a", in: store, at: noon + 2)
            #expect(try await store.claimImport(for: "a", seconds: 600)?.id == "imp_b")
            #expect(try await store.claimImport(for: "b", seconds: 600) == nil)
            let end = ImportStep(offset: 4, line: 2, end: .finished)
            #expect(try await store.applyImport(end, to: "imp_b", by: "a", seconds: 60, at: noon)?.status == .finished)
            #expect(try await store.claimImport(for: "b", seconds: 600)?.id == "imp_a")
        }
    }

    static let races = ConformanceCheck("Of many workers that ask at the same time, one gets the import") { stores in
        try await stores.withStore { store in
            try await start(in: store)
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for worker in 0..<8 {
                    group.addTask { try await store.claimImport(for: "w\(worker)", seconds: 600) != nil }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
        }
    }

    static let cancels = ConformanceCheck("A canceled import stops, keeps what it has changed and loses its file") {
        stores in
        try await stores.withStore { store in
            try await start(in: store)
            _ = try await store.claimImport(for: "a", seconds: 60)
            let step = ImportStep(users: [entry(2, "u1")], offset: 2, line: 3)
            _ = try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon)
            #expect(try await store.cancelImport("imp_1", at: noon + 3, by: anna))
            #expect(try await !store.cancelImport("imp_1", at: noon + 4, by: anna))
            #expect(try await !store.cancelImport("imp_2", at: noon + 4, by: anna))
            let ended = try #require(try await store.importJob("imp_1"))
            #expect(ended.status == .canceled && ended.endedAt == noon + 3 && ended.imported == 1)
            #expect(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon) == nil)
            #expect(try await store.importBytes("imp_1", in: 0..<4) == [])
            #expect(try await store.userCount() == 1)
            #expect(try await store.latestAuditEntries(limit: 1).map(\.action) == ["user.import-cancel"])
        }
    }

    static let failures = ConformanceCheck("An import that fails says why") { stores in
        try await stores.withStore { store in
            try await start(in: store)
            _ = try await store.claimImport(for: "a", seconds: 60)
            let step = ImportStep(offset: 0, line: 1, end: .failed("Kein Kopf"))
            let failed = try #require(
                try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon + 1)
            )
            #expect(failed.status == .failed && failed.failure == "Kein Kopf")
            #expect(try await store.importJob("imp_1") == failed)
        }
    }

    static let rejects = ConformanceCheck("Of very many rejected lines the first are kept, and all are counted") {
        stores in
        try await stores.withStore { store in
            try await start(in: store)
            _ = try await store.claimImport(for: "a", seconds: 60)
            let lines = ImportJob.keptRejects + 5
            for start in stride(from: 1, through: lines, by: 2_000) {
                let rejects = (start..<min(start + 2_000, lines + 1)).map { ImportReject(line: $0, reason: "x") }
                let step = ImportStep(rejects: rejects, offset: 1, line: start)
                #expect(try await store.applyImport(step, to: "imp_1", by: "a", seconds: 60, at: noon) != nil)
            }
            #expect(try await store.importJob("imp_1")?.rejected == lines)
            let last = try await store.importRejects("imp_1", after: ImportJob.keptRejects - 1, limit: 9)
            #expect(last.map(\.line) == [ImportJob.keptRejects])
        }
    }
}
