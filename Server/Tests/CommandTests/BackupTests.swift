import CardModel
import CardStore
import Foundation
import SQLiteCardStore
import Testing

@testable import PlacardCommands

@Suite("Names of backups")
struct BackupNamesTests {
    /// 2027-01-31T03:04:05Z.
    private let time: UnixTime = 1_801_364_645
    private let names = BackupNames(database: "/srv/cards.sqlite")

    @Test("say of which database a backup is, and when it was made")
    func times() {
        #expect(names.name(at: time) == "cards-20270131T030405Z.sqlite")
        #expect(names.time(of: "cards-20270131T030405Z.sqlite") == time)
        #expect(names.name(at: time + 0.7) == names.name(at: time))
        #expect(BackupNames(database: "placard").name(at: time) == "placard-20270131T030405Z.sqlite")
        #expect(BackupNames(database: "/srv/cards.v1").name(at: time) == "cards.v1-20270131T030405Z.sqlite")
        #expect(BackupNames(database: "/srv/cards.v2").time(of: "cards.v1-20270131T030405Z.sqlite") == nil)
    }

    @Test("are told from those of other files, whatever these are called")
    func others() {
        let others = [
            "", "cards.sqlite", "cards-.sqlite", "cards-20270131T030405Z.sqlite.media",
            "cards-20270131T030405Z.sqlite-wal", "cards-2027013 T030405Z.sqlite", "cards-20270131x030405Z.sqlite",
            "Cards-20270131T030405Z.sqlite",
            "cards-20270231T030405Z.sqlite", "cards-20270131T250405Z.sqlite", "cards-20270131T030405+.sqlite",
            "cards-20270131T030405Z.sqlit\u{E9}", "placard-20270131T030405Z.sqlite", "cards-٢0270131T030405Z.sqlite",
            "old-cards-20270131T030405Z.sqlite", "cards-a-20270131T030405Z.sqlite", "cards-20270131T030405Z.sqlite ",
        ]
        for name in others { #expect(names.time(of: name) == nil, "\(name)") }
        #expect(names.surplus(others, keeping: 1, until: .infinity).isEmpty)
    }

    @Test("beyond the newest ones are surplus, and one always stays")
    func surplus() {
        let days = [3.0, 1, 4, 2].map { names.name(at: time + $0 * 86_400) }
        #expect(names.surplus(days + ["mine.sqlite"], keeping: 3, until: time + 4 * 86_400) == [days[1]])
        #expect(names.surplus(days, keeping: 4, until: time + 4 * 86_400).isEmpty)
        #expect(names.surplus(days, keeping: 0, until: time + 4 * 86_400) == [days[1], days[3], days[0]])
        // The clock was ahead, and was set back.
        #expect(names.surplus(days, keeping: 1, until: time + 2 * 86_400) == [days[1]])
    }
}

@Suite("A folder of backups")
struct BackupFolderTests {
    private let now: UnixTime = 1_801_364_645

    private func withDatabase(_ body: (_ path: String, _ backups: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/backups", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await SQLiteCardStore(path: folder + "/cards.sqlite").close()
        try await body(folder + "/cards.sqlite", folder + "/backups")
    }

    @Test("has the newest backups of a database, and whatever isn't one of them")
    func kept() async throws {
        try await withDatabase { path, backups in
            let others = [
                "mine.sqlite", "other-20200101T000000Z.sqlite", "cards-20200101T000000Z.sqlite.media",
                "cards-29990101T000000Z.sqlite",
            ]
            for name in others { try Data("mine".utf8).write(to: URL(filePath: "\(backups)/\(name)")) }
            // What is no file was made by something else.
            let directory = "cards-20210101T000000Z.sqlite"
            try FileManager.default.createDirectory(
                atPath: "\(backups)/\(directory)",
                withIntermediateDirectories: false
            )
            let folder = BackupFolder(backups, of: path)
            var made: [BackupFolder.Made] = []
            for day in 0..<3 { made.append(try await folder.backUp(keeping: 2, at: now + Double(day) * 86_400)) }
            #expect(made.map(\.removed) == [[], [], [made[0].path]] && made.allSatisfy(\.left.isEmpty))
            #expect(made[2].contents.counts.contains { $0.name == "users" && $0.count == 0 })
            let names = try FileManager.default.contentsOfDirectory(atPath: backups)
            let kept = made[1...].map { URL(filePath: $0.path).lastPathComponent }
            #expect(Set(names) == Set(others + kept + [directory]))
            #expect(try folder.newest(at: now + 2 * 86_400) == now + 2 * 86_400)
        }
    }

    @Test("keeps the backups of other databases of the same file name, and doesn't take them for its own")
    func sameName() async throws {
        try await withDatabase { path, backups in
            try await withDatabase { other, _ in
                let first = try await BackupFolder(backups, of: other).backUp(keeping: 1, at: now)
                let folder = BackupFolder(backups, of: path)
                #expect(try folder.newest(at: now) == nil)
                let second = try await folder.backUp(keeping: 1, at: now + 1)
                let third = try await folder.backUp(keeping: 1, at: now + 2)
                #expect(second.removed.isEmpty && third.removed == [second.path])
                #expect(try BackupFolder(backups, of: other).newest(at: now + 3) == now)

                // A backup that was restored goes on with the backups that were made before.
                let restored = other + ".restored/cards.sqlite"
                try FileManager.default.createDirectory(
                    atPath: other + ".restored",
                    withIntermediateDirectories: false
                )
                try FileManager.default.copyItem(atPath: first.path, toPath: restored)
                let fourth = try await BackupFolder(backups, of: restored).backUp(keeping: 1, at: now + 3)
                #expect(fourth.removed == [first.path])
                #expect(FileManager.default.fileExists(atPath: third.path))
            }
        }
    }

    @Test("keeps every older backup while the media library lacks a file that they may have")
    func lost() async throws {
        try await withDatabase { path, backups in
            let item = MediaItem(
                id: String(repeating: "a", count: 32),
                name: "sale.png",
                format: .png,
                width: 960,
                height: 540,
                widths: [960],
                bytes: 3,
                createdAt: now
            )
            let store = try SQLiteCardStore(path: path)
            let file = MediaFile(width: 960, bytes: [1, 2, 3])
            _ = try await store.addMedia(item, files: [file], totalBytes: 100, by: .command)
            try await store.close()
            let folder = BackupFolder(backups, of: path)
            let first = try await folder.backUp(keeping: 1, at: now)
            #expect(first.pictures.files == 1 && first.pictures.missing == 0)

            try FileManager.default.removeItem(atPath: SQLiteCardStore.mediaPath(of: path))
            let second = try await folder.backUp(keeping: 1, at: now + 86_400)
            #expect(second.pictures.missing == 1 && second.removed.isEmpty)
            #expect(FileManager.default.fileExists(atPath: SQLiteCardStore.mediaPath(of: first.path)))

            // Once the picture is deleted, nothing is missed.
            let later = try SQLiteCardStore(path: path)
            _ = try await later.deleteMedia(item.id, at: now, by: .command)
            try await later.close()
            let third = try await folder.backUp(keeping: 1, at: now + 2 * 86_400)
            #expect(third.pictures.missing == 0 && Set(third.removed) == [first.path, second.path])
        }
    }

    @Test("gets a backup of the next second where one of this second is there, and none where there is no folder")
    func seconds() async throws {
        try await withDatabase { path, backups in
            let first = try await BackupFolder(backups + "/", of: path).backUp(keeping: 2, at: now)
            let second = try await BackupFolder(backups, of: path).backUp(keeping: 2, at: now + 0.5)
            #expect(first.path != second.path && second.removed.isEmpty)
            #expect(try BackupFolder(backups, of: path).newest(at: now + 1) == now + 1)
            await #expect(throws: CommandError.self) {
                try await BackupFolder(backups + "/none", of: path).backUp(keeping: 1, at: now)
            }
            // A clock that stands still doesn't fill the folder with backups of times to come.
            for second in 0..<30 {
                let name = BackupNames(database: path).name(at: now + 60 + Double(second))
                try Data().write(to: URL(filePath: "\(backups)/\(name)"))
            }
            await #expect(throws: CommandError.self) {
                try await BackupFolder(backups, of: path).backUp(keeping: 1, at: now + 60)
            }
        }
    }

    @Test("gets a whole backup of each of five commands that run at once, and keeps as many as are wanted")
    func together() async throws {
        try await withDatabase { path, backups in
            let made = try await withThrowingTaskGroup { group in
                for _ in 0..<5 {
                    group.addTask { try await BackupFolder(backups, of: path).backUp(keeping: 3, at: now) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(made.map(\.path)).count == 5)
            #expect(made.flatMap(\.removed).count == 2 && made.allSatisfy(\.left.isEmpty))
            let names = try FileManager.default.contentsOfDirectory(atPath: backups)
            #expect(Set(names.map { "\(backups)/\($0)" }) == Set(made.map(\.path)).subtracting(made.flatMap(\.removed)))
        }
    }

    @Test("is used by one command after the other")
    func turns() async throws {
        try await withDatabase { _, backups in
            let first = try #require(FolderTurn(backups))
            let second = try #require(FolderTurn(backups))
            #expect(first.isTaken && !second.isTaken)
            async let turn: Void = second.wait()
            first.end()
            await turn
            let third = try #require(FolderTurn(backups))
            #expect(!third.isTaken)
            #expect(FolderTurn(backups + "/none") == nil)
        }
    }

    @Test("is judged by the age of its newest backup")
    func age() {
        func check(_ hours: Double?) -> DoctorCheck {
            DoctorCheck(backups: "/b", newest: hours.map { now - $0 * 3_600 }, at: now)
        }
        #expect(check(nil).level == .bad && check(nil).command == "placard backup --keep 14 /b")
        #expect(check(1).message == "the newest in /b is 1 hour old")
        #expect(check(0).level == .good && check(35.9).message == "the newest in /b is 35 hours old")
        #expect(check(36).level == .warning && check(167).message == "the newest in /b is 6 days old")
        #expect(check(168).level == .bad)
        #expect(check(-0.01).level == .good && check(-1).level == .warning && check(-1).command == "timedatectl")
    }
}

extension BackupFolder {
    /// Makes a backup at a time.
    fileprivate func backUp(keeping kept: Int, at now: UnixTime) async throws -> Made {
        try await backUp(keeping: kept, at: { now })
    }
}
