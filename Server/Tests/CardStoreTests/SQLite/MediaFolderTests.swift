import CardModel
import CardStore
import Foundation
import Testing

@testable import SQLiteCardStore

/// The files of pictures beside a database.
struct MediaFolderTests {
    private static let item = MediaItem(
        id: String(repeating: "a", count: 32),
        name: "sale.png",
        format: .png,
        width: 960,
        height: 540,
        widths: [960, 480],
        bytes: 5,
        createdAt: 1_800_000_000
    )
    private static let files = [MediaFile(width: 960, bytes: [1, 2, 3]), MediaFile(width: 480, bytes: [4, 5])]

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `Only the server's account can read pictures, and nothing is left of a removed one`() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: "\(folder)/cards.sqlite")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/cards.sqlite.media"))
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            #expect(try mode("\(folder)/cards.sqlite.media") == 0o700)
            #expect(try mode("\(folder)/cards.sqlite.media/\(Self.item.id)-480") == 0o600)
            _ = try await store.deleteMedia(Self.item.id, at: 1_800_000_000, by: .command)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/cards.sqlite.media").isEmpty)
            try await store.close()
        }
    }

    @Test func `A backup has the pictures, and restores those that were lost`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/cards.sqlite"
            let store = try SQLiteCardStore(path: path)
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            #expect(try await SQLiteCardStore.backUp(databaseAt: path, to: "\(folder)/backup").files == 2)
            #expect(try mode("\(folder)/backup.media/\(Self.item.id)-960") == 0o600)
            try FileManager.default.removeItem(atPath: SQLiteCardStore.mediaPath(of: path))
            #expect(try await store.mediaFile(Self.item.id, width: 960) == nil)
            try await store.close()
            let restored = try await SQLiteCardStore.restore("\(folder)/backup", to: path, at: 1_800_000_000)
            #expect(restored.pictures == 2)
            let again = try SQLiteCardStore(path: path)
            #expect(try await again.mediaFile(Self.item.id, width: 960) == [1, 2, 3])
            try await again.close()
        }
    }

    @Test(arguments: ["link", "pipe", "folder"])
    func `A restore takes nothing for a picture but a file, and changes nothing then`(kind: String) async throws {
        try await withFolder { folder in
            let path = "\(folder)/cards.sqlite"
            let store = try SQLiteCardStore(path: path)
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            _ = try await SQLiteCardStore.backUp(databaseAt: path, to: "\(folder)/backup")
            try await store.close()
            try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret"))
            let file = "\(folder)/backup.media/\(Self.item.id)-960"
            try FileManager.default.removeItem(atPath: file)
            switch kind {
            case "link":
                try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "\(folder)/secret")
            case "pipe": #expect(mkfifo(file, 0o600) == 0)
            default: try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            }
            let error = await #expect(throws: StoreError.self) {
                _ = try await SQLiteCardStore.restore("\(folder)/backup", to: "\(folder)/new.sqlite", at: 1_800_000_000)
            }
            #expect(error?.code == .corrupt && error?.message.contains(file) == true)
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/new.sqlite"))
        }
    }

    @Test func `A pipe is no backup, and nobody waits for it`() async throws {
        try await withFolder { folder in
            #expect(mkfifo("\(folder)/backup", 0o600) == 0)
            await #expect(throws: StoreError.self) {
                _ = try await SQLiteCardStore.restore("\(folder)/backup", to: "\(folder)/new.sqlite", at: 1_800_000_000)
            }
        }
    }

    @Test func `Nothing is left of a picture that has no room, nor for long of one without a row`() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: "\(folder)/cards.sqlite")
            let (media, now) = ("\(folder)/cards.sqlite.media", Date())
            try await withThrowingTaskGroup(of: MediaAddition.self) { group in
                for number in 0..<8 {
                    let id = String(repeating: "\(number)", count: 32)
                    let item = MediaItem(
                        id: id,
                        name: "a.png",
                        format: .png,
                        width: 960,
                        height: 540,
                        widths: [960, 480],
                        bytes: 5,
                        createdAt: 1_800_000_000
                    )
                    group.addTask {
                        try await store.addMedia(item, files: Self.files, totalBytes: 12, by: .command)
                    }
                }
                var additions: [MediaAddition] = []
                for try await addition in group { additions.append(addition) }
                #expect(additions.filter { $0 == .added }.count == 2)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: media).count == 4)
            for (name, age) in [("c", 7_200.0), ("d", 60)] {
                let path = "\(media)/\(String(repeating: name, count: 32))-960"
                #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
                let time = now.addingTimeInterval(-age)
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            }
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 20, by: .command)
            let names = try FileManager.default.contentsOfDirectory(atPath: media)
            #expect(names.filter { $0.hasPrefix("c") }.isEmpty && names.filter { $0.hasPrefix("d") }.count == 1)
            #expect(names.count == 7)
            try await store.close()
        }
    }

    @Test func `The same picture again restores a file that was lost`() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: "\(folder)/cards.sqlite")
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            try FileManager.default.removeItem(atPath: "\(folder)/cards.sqlite.media/\(Self.item.id)-960")
            let again = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            #expect(again == .exists(Self.item))
            #expect(try await store.mediaFile(Self.item.id, width: 960) == [1, 2, 3])
            try await store.close()
        }
    }

    @Test func `A row says the sizes and bytes of what was restored, as a backup needs it`() async throws {
        try await withFolder { folder in
            let store = try SQLiteCardStore(path: "\(folder)/cards.sqlite")
            _ = try await store.addMedia(Self.item, files: Self.files, totalBytes: 10, by: .command)
            try FileManager.default.removeItem(atPath: "\(folder)/cards.sqlite.media/\(Self.item.id)-480")
            var other = Self.item
            other.bytes = 7
            let files = [Self.files[0], MediaFile(width: 480, bytes: [6, 7, 8, 9])]
            #expect(try await store.addMedia(other, files: files, totalBytes: 10, by: .command) == .exists(other))
            #expect(try await store.mediaItem(Self.item.id) == other)
            #expect(try await store.mediaFile(Self.item.id, width: 480) == [6, 7, 8, 9])
            try await store.close()
        }
    }
}
