import CardStore
import CardStoreConformance
import Foundation
import Testing

@testable import SQLiteCardStore

@Suite("SQLite: locks and files beside a database")
struct FileLocksTests {
    private func withFiles(_ body: (DatabaseFiles) async throws -> Void) async throws {
        try await withFolder { folder in try await body(DatabaseFiles(folder + "/placard.sqlite")) }
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func write(_ bytes: Data, to path: String) throws { try bytes.write(to: URL(fileURLWithPath: path)) }

    // MARK: Marks

    @Test(
        "Marks and what became of the log are read back, by another process too",
        arguments: [.closed, .open, .written, .left] as [DatabaseLock.LogState]
    )
    func marks(_ state: DatabaseLock.LogState) async throws {
        try await withFiles { files in
            let lock = try #require(DatabaseLock(files, isCreated: true))
            #expect(lock.marks == nil && lock.logState == .closed)
            for marks in [[0, 0], [1, .max], [.max, 0xABCD], [0x1000_0000, 0xF]] as [[UInt32]] {
                #expect(lock.note(marks[0], marks[1], state))
                for reader in [lock, DatabaseLock(files, isCreated: false)] {
                    #expect(reader?.marks == marks && reader?.logState == state)
                }
            }
            lock.noteWritten()
            #expect(lock.marks == [0x1000_0000, 0xF] && lock.logState == .written)
            lock.noteClosed()
            #expect(lock.marks == [0x1000_0000, 0xF] && lock.logState == .closed)
            lock.forgetMarks()
            #expect(lock.marks == nil && DatabaseFiles.size(of: files.lock) == 0)
        }
    }

    @Test(
        "Whatever else is in the file stands for no marks, and stays",
        arguments: [
            "", "placard-log", "placard-log 0000000g 00000001", "placard-log 1", "placard-log 1 2 3",
            "another-log 00000001 00000002", "placard-log 100000000 1", "\u{0}\u{7F}\u{1B}[31m", "ü",
        ]
    )
    func hostileMarks(_ text: String) async throws {
        try await withFiles { files in
            for padding in [0, 32] {
                let bytes = Data(text.utf8) + Data(repeating: UInt8(ascii: "\n"), count: padding)
                try write(bytes, to: files.lock)
                let lock = try #require(DatabaseLock(files, isCreated: true))
                #expect(lock.marks == nil && lock.logState == .closed)
                lock.noteWritten()
                lock.noteClosed()
                #expect(try Data(contentsOf: URL(fileURLWithPath: files.lock)) == bytes)
            }
        }
    }

    // MARK: The lock of a database

    @Test("The lock is one's alone or several's, and free once whoever had it is gone")
    func sharing() async throws {
        try await withFiles { files in
            #expect(DatabaseLock(files, isCreated: false) == nil)
            var first = DatabaseLock(files, isCreated: true)
            #expect(try mode(files.lock) == 0o600)
            let second = try #require(DatabaseLock(files, isCreated: false))
            #expect(try first?.take(patience: .zero) == .alone)
            #expect(!second.takeAlone() && !second.share())
            let error = #expect(throws: StoreError.self) { try second.take(patience: .zero) }
            #expect(error?.code == .unavailable && error?.message.contains("migrates, repairs or restores") == true)

            #expect(first?.share() == true)
            #expect(try second.take(patience: .zero) == .shared)
            #expect(first?.takeAlone() == false)
            second.release()
            #expect(first?.takeAlone() == true)
            #expect(!second.share())
            first = nil
            #expect(try second.take(patience: .zero) == .alone)
        }
    }

    @Test("A server's lock is held until it is released, whoever asks")
    func server() async throws {
        try await withFiles { files in
            #expect(!ServerLock.isHeld(files))
            let lock = try ServerLock(files, patience: .zero, now: noon)
            #expect(ServerLock.isHeld(files) && ServerLock.isHeld(files))
            #expect(try mode(files.serverLock) == 0o600)
            let record = try String(contentsOfFile: files.serverLock, encoding: .utf8)
            #expect(record.hasPrefix("\(getpid()) 2026-11-21T12:00:00") && record.hasSuffix("\n"))
            lock.release()
            #expect(!ServerLock.isHeld(files))
            let next = try ServerLock(files, patience: .zero, now: noon)
            #expect(ServerLock.isHeld(files) && next.identity?.loss == nil)
        }
    }

    @Test("A claim on a file is one at a time, by whatever name the file is reached")
    func claims() async throws {
        try await withFiles { files in
            _ = try FileClaim(files)
            try write(Data("x".utf8), to: files.main)
            let other = DatabaseFiles(files.folder + "/other.sqlite")
            try FileManager.default.linkItem(atPath: files.main, toPath: other.main)
            var claim: FileClaim? = try FileClaim(files)
            let error = #expect(throws: StoreError.self) { try FileClaim(other) }
            #expect(error?.code == .unavailable && error?.message.contains(other.main) == true)
            #expect(claim != nil)
            claim = nil
            _ = try FileClaim(other)
        }
    }

    // MARK: Files

    @Test("A file is known again, and missed where its name leads nowhere or to another")
    func identities() async throws {
        try await withFiles { files in
            #expect(FileIdentity(files.main) == nil && FileIdentity(files.main, descriptor: -1) == nil)
            try write(Data("1".utf8), to: files.main)
            let identity = try #require(FileIdentity(files.main))
            #expect(identity.loss == nil)
            let handle = try #require(FileHandle(forReadingAtPath: files.main))
            #expect(FileIdentity(files.main, descriptor: handle.fileDescriptor) == identity)
            try handle.close()

            let away = files.main + ".away"
            try FileManager.default.moveItem(atPath: files.main, toPath: away)
            #expect(identity.loss == "deleted or renamed")
            #expect(FileManager.default.createFile(atPath: files.main, contents: Data("1".utf8)))
            #expect(identity.loss == "replaced by another file")
            #expect(rename(away, files.main) == 0)
            #expect(identity.loss == nil)
        }
    }

    @Test("A file that can't be looked at isn't said to be gone")
    func unknownLoss() async throws {
        try await withFolder { folder in
            let inner = folder + "/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            try write(Data("1".utf8), to: inner + "/file")
            let identity = try #require(FileIdentity(inner + "/file"))
            try FileManager.default.removeItem(atPath: inner)
            try write(Data("1".utf8), to: inner)
            #expect(identity.loss == nil)
        }
    }

    @Test("Links are followed before the other files are named, and a log has more than its header")
    func names() async throws {
        try await withFiles { files in
            try write(Data("x".utf8), to: files.main)
            let link = files.folder + "/link.sqlite"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files.main)
            let found = DatabaseFiles(link)
            #expect(found.main == DatabaseFiles(files.main).main && found.log == found.main + "-wal")
            for (bytes, hasLog) in [(0, false), (32, false), (33, true)] {
                try write(Data(count: bytes), to: found.log)
                #expect(found.hasLog == hasLog, "\(bytes)")
            }
        }
    }

    @Test("A folder in which others can put files is found, but for one in which they can't take others away")
    func openFolders() async throws {
        try await withFolder { folder in
            for (mode, isOpen) in [(0o700, false), (0o755, false), (0o770, true), (0o707, true), (0o1777, false)] {
                #expect(chmod(folder, mode_t(mode)) == 0)
                #expect(StoreFiles.isOpenToWriters(folder) == isOpen, "\(String(mode, radix: 8))")
            }
            try write(Data(), to: folder + "/file")
            #expect(chmod(folder + "/file", 0o777) == 0)
            #expect(!StoreFiles.isOpenToWriters(folder + "/file") && !StoreFiles.isOpenToWriters(folder + "/none"))
            #expect(chmod(folder, 0o700) == 0)
        }
    }

    @Test("A folder of root's that the group of one account can write to is in order, as a pod's volume is")
    func folderOfAGroup() {
        func isOpen(_ mode: mode_t, owner: uid_t = 0, group: gid_t = 65_532) -> Bool {
            var status = stat()
            (status.st_mode, status.st_uid, status.st_gid) = (S_IFDIR | mode, owner, group)
            return StoreFiles.isOpenToWriters(status) { $0 == 65_532 }
        }
        #expect(!isOpen(0o2775) && !isOpen(0o770))
        #expect(isOpen(0o2777) && isOpen(0o2775, owner: 65_532) && isOpen(0o2775, group: 100))
    }

    @Test("An account is alone in a group that it is in and no other account, root apart")
    func groupsOfAnAccount() throws {
        let (user, group): (uid_t, gid_t) = (4_000_000_001, 4_000_000_002)
        #expect(AccountGroups.isAlone(in: group, as: user, of: [7, group]))
        #expect(!AccountGroups.isAlone(in: group, as: user, of: [7]))
        #expect(!AccountGroups.isAlone(in: group, as: 0, of: [group]))
        let daemon = try #require(getpwnam("daemon")).pointee
        #expect(daemon.pw_uid != 0 && !AccountGroups.isAlone(in: daemon.pw_gid, as: user, of: [daemon.pw_gid]))
        #expect(AccountGroups.own.contains(getegid()))
    }

    // MARK: Copies that aren't whole

    @Test("What is being copied isn't a leftover; once its process is gone it is, with what lies beside it")
    func partialFiles() async throws {
        try await withFiles { files in
            let kept = ["notes.partial", "placard.sqlite.x.partial", "placard.sqlite"]
            for name in kept { try write(Data("x".utf8), to: "\(files.folder)/\(name)") }
            var partial = PartialFile(beside: files.main)
            let path = try #require(partial?.path)
            #expect(path.hasPrefix(files.main + ".") && path.hasSuffix(".partial"))
            #expect(try mode(path) == 0o600)
            #expect(PartialFile.leftovers(in: files.folder).isEmpty)
            #expect(PartialFile.removeLeftovers(in: files.folder) == 0)
            partial = nil
            for companion in ["-journal", "-wal", "-shm"] { try write(Data("x".utf8), to: path + companion) }
            #expect(PartialFile.leftovers(in: files.folder) == [path])

            // The next copy takes it away.
            let next = try #require(PartialFile(beside: files.main))
            next.remove()
            let names = try FileManager.default.contentsOfDirectory(atPath: files.folder)
            #expect(names.sorted() == kept.sorted())
        }
    }

    @Test("A link with the name of a leftover is neither followed nor removed")
    func partialLinks() async throws {
        try await withFiles { files in
            let target = files.folder + "/target"
            try write(Data("x".utf8), to: target)
            let link = "\(files.main).\(UUID().uuidString).partial"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            #expect(PartialFile.leftovers(in: files.folder).isEmpty)
            #expect(PartialFile.removeLeftovers(in: files.folder) == 0)
            #expect(FileManager.default.fileExists(atPath: target))
            #expect(PartialFile(beside: files.folder + "/none/backup") == nil)
        }
    }
}
