import CardModel
import CardStore
import Testing

/// Checks of the media library.
enum MediaChecks {
    static let checks: [ConformanceCheck] = [
        keeps, bounds, lists, races, moves, repeats, deletions, drops, searches, unused, several,
    ]

    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 32 - digits.utf8.count)) + digits
    }

    private static func item(_ number: Int, bytes: Int = 6, at time: UnixTime = noon) -> MediaItem {
        MediaItem(
            id: id(number),
            name: "sale.png",
            alt: "A sale",
            format: .png,
            width: 960,
            height: 540,
            widths: [960, 480],
            bytes: bytes,
            createdAt: time,
            createdBy: "anna@example.com"
        )
    }

    private static let files = [
        MediaFile(width: 960, bytes: [0, 1, 2, 255]), MediaFile(width: 480, bytes: [3, 0]),
    ]

    static let keeps = ConformanceCheck(
        "A picture is kept with its bytes, edited and removed, each in the audit log"
    ) { stores in
        try await stores.withStore { store in
            let generation = try await store.loadCatalog().generation
            let item = item(1)
            #expect(try await store.addMedia(item, files: files, totalBytes: 100, by: command) == .added)
            #expect(try await store.mediaItem(item.id) == item)
            for file in files { #expect(try await store.mediaFile(item.id, width: file.width) == file.bytes) }
            #expect(try await store.mediaFile(item.id, width: 1_440) == nil)
            #expect(try await store.mediaFileSize(item.id, width: 960) == 4)
            #expect(try await store.mediaFileSize(item.id, width: 1_440) == nil)
            #expect(try await store.mediaFile(item.id, width: 960, in: 1..<3) == [1, 2])
            #expect(try await store.mediaFile(item.id, width: 960, in: 3..<9) == [255])
            #expect(try await store.mediaFile(item.id, width: 960, in: 9..<12) == [])
            let beyond = 2_147_483_647..<2_147_483_650
            #expect(try await store.mediaFile(item.id, width: 960, in: beyond) == [])
            #expect(try await store.mediaFile(item.id, width: 1_440, in: beyond) == nil)
            #expect(try await store.mediaFile("../\(item.id)", width: 960) == nil)
            #expect(try await store.setMediaAlt("Café", of: item.id, at: noon, by: command))
            #expect(try await store.mediaItem(item.id)?.alt == "Café")
            #expect(try await !store.setMediaAlt("x", of: id(9), at: noon, by: command))
            #expect(try await store.deleteMedia(item.id, at: noon, by: command)?.alt == "Café")
            #expect(try await store.deleteMedia(item.id, at: noon, by: command) == nil)
            #expect(try await store.mediaItem(item.id) == nil)
            #expect(try await store.mediaFile(item.id, width: 960) == nil)
            let actions = try await store.latestAuditEntries(limit: 3).map(\.action)
            #expect(actions == ["media.delete", "media.edit", "media.upload"])
            // Devices have nothing to read again.
            #expect(try await store.loadCatalog().generation == generation)
        }
    }

    static let several = ConformanceCheck(
        "Several pictures are read at once, without those that there aren't or that are marked as deleted"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...3 {
                _ = try await store.addMedia(item(number), files: files, totalBytes: 100, by: command)
            }
            _ = try await store.markMediaDeleted(id(2), at: noon, by: command)
            let found = try await store.findMedia([id(3), id(2), id(9), id(1), id(3)])
            #expect(found == [id(1): item(1), id(3): item(3)])
            #expect(try await store.findMedia([]).isEmpty)
            let many = (100..<1_100).map { id($0) }
            #expect(try await store.findMedia(many + [id(1)]).isEmpty)
            #expect(try await store.findMedia(Array(many.dropFirst()) + [id(1)]) == [id(1): item(1)])
        }
    }

    static let deletions = ConformanceCheck(
        "A picture that is marked as deleted is nowhere, keeps its bytes, and comes back as it was"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...2 {
                _ = try await store.addMedia(item(number), files: files, totalBytes: 100, by: command)
            }
            #expect(try await store.markMediaDeleted(id(1), at: noon, by: command) == item(1))
            #expect(try await store.markMediaDeleted(id(1), at: noon, by: command) == nil)
            #expect(try await store.markMediaDeleted(id(9), at: noon, by: command) == nil)
            #expect(try await store.mediaItem(id(1)) == nil)
            #expect(try await store.mediaItems(offset: 0, limit: 10) == [item(2)])
            #expect(try await store.mediaTotals() == MediaTotals(count: 1, bytes: 12, deletedBytes: 6))
            #expect(try await !store.setMediaAlt("x", of: id(1), at: noon, by: command))
            #expect(try await store.deleteMedia(id(1), at: noon, by: command) == nil)
            #expect(try await store.mediaFile(id(1), width: 960) == files[0].bytes)
            #expect(try await store.restoreMedia(id(1), at: noon, by: command) == item(1))
            #expect(try await store.restoreMedia(id(1), at: noon, by: command) == nil)
            #expect(try await store.mediaItems(offset: 0, limit: 10) == [item(2), item(1)])
            // So does the same upload, which needs no room.
            _ = try await store.markMediaDeleted(id(1), at: noon, by: command)
            let again = try await store.addMedia(item(1, at: noon + 1), files: files, totalBytes: 0, by: command)
            #expect(again == .exists(item(1)))
            #expect(try await store.mediaItem(id(1)) == item(1))
            #expect(try await store.mediaFile(id(1), width: 480) == files[1].bytes)
            let actions = try await store.latestAuditEntries(limit: 5).map(\.action)
            #expect(actions == ["media.restore", "media.delete", "media.restore", "media.delete", "media.upload"])
        }
    }

    static let drops = ConformanceCheck(
        "Pictures that were marked as deleted are dropped with their bytes, the first of them first and each once"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...4 {
                _ = try await store.addMedia(item(number), files: files, totalBytes: 100, by: command)
            }
            for (number, time) in [(3, noon), (1, noon + 1), (2, noon + 2)] {
                _ = try await store.markMediaDeleted(id(number), at: time, by: command)
            }
            #expect(try await store.dropDeletedMedia(before: noon - 1, limit: 10).isEmpty)
            #expect(try await store.dropDeletedMedia(before: noon + 1, limit: 1) == [item(3)])
            #expect(try await store.dropDeletedMedia(before: noon + 1, limit: 10) == [item(1)])
            #expect(try await store.mediaFile(id(1), width: 960) == nil)
            #expect(try await store.restoreMedia(id(1), at: noon, by: command) == nil)
            #expect(try await store.restoreMedia(id(2), at: noon, by: command) == item(2))
            #expect(try await store.dropDeletedMedia(before: noon + 9, limit: 10).isEmpty)
            #expect(try await store.mediaItems(offset: 0, limit: 10) == [item(4), item(2)])
            #expect(try await store.mediaTotals() == MediaTotals(count: 2, bytes: 12))
            _ = try await store.markMediaDeleted(id(2), at: noon, by: command)
            _ = try await store.markMediaDeleted(id(4), at: noon, by: command)
            let dropped = try await withThrowingTaskGroup(of: [MediaItem].self) { group in
                for _ in 0..<4 { group.addTask { try await store.dropDeletedMedia(before: noon, limit: 1) } }
                return try await group.reduce(into: [MediaItem]()) { $0 += $1 }
            }
            #expect(Set(dropped.map(\.id)).count == dropped.count)
            let rest = try await store.dropDeletedMedia(before: noon, limit: 10)
            #expect(Set((dropped + rest).map(\.id)) == [id(2), id(4)] && dropped.count + rest.count == 2)
            #expect(try await store.mediaTotals() == MediaTotals())
        }
    }

    static let bounds = ConformanceCheck(
        "All pictures together have no more bytes than they may"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.addMedia(item(1), files: files, totalBytes: 12, by: command) == .added)
            #expect(try await store.addMedia(item(2), files: files, totalBytes: 11, by: command) == .full)
            #expect(try await store.addMedia(item(2), files: files, totalBytes: 12, by: command) == .added)
            #expect(try await store.addMedia(item(3, bytes: .max), files: [], totalBytes: .max, by: command) == .full)
            #expect(try await store.mediaTotals() == MediaTotals(count: 2, bytes: 12))
            // What is there needs no room.
            let again = try await store.addMedia(item(1, at: noon + 1), files: files, totalBytes: 0, by: command)
            #expect(again == .exists(item(1)))
            #expect(try await store.mediaItems(offset: 0, limit: 10).count == 2)
        }
    }

    static let lists = ConformanceCheck(
        "Pictures are listed from the newest, page by page"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...5 {
                let item = item(number, at: noon + Double(number / 2))
                #expect(try await store.addMedia(item, files: [], totalBytes: 100, by: command) == .added)
            }
            let ids = try await store.mediaItems(offset: 0, limit: 3).map(\.id)
            #expect(ids == [id(5), id(4), id(3)])
            #expect(try await store.mediaItems(offset: 3, limit: 3).map(\.id) == [id(2), id(1)])
            #expect(try await store.mediaItems(offset: 9, limit: 3).isEmpty)
        }
    }

    static let searches = ConformanceCheck(
        "Pictures are found by every word of a text in their name or alternative text, in any case and without accents"
    ) { stores in
        try await stores.withStore { store in
            let texts = [("Summer sale.png", "Deux chaises"), ("été_100%.png", "A Sale"), ("夏のｾｰﾙ.png", "")]
            for (index, (name, alt)) in texts.enumerated() {
                // safe: a few pictures
                let number = index + 1
                var picture = item(number, at: noon + Double(number))
                (picture.name, picture.alt) = (name, alt)
                _ = try await store.addMedia(picture, files: files, totalBytes: 100, by: command)
            }
            let found: [(String?, [Int])] = [
                (nil, [3, 2, 1]), (" ", [3, 2, 1]), ("SALE", [2, 1]), ("chaises summer", [1]), ("ete", [2]),
                ("Été sale", [2]), ("セール", [3]), ("100%", [2]), ("%", [2]), ("_", [2]), ("\\", []), ("sale ete x", []),
                ("\u{0}", [3, 2, 1]), ("sale.png deux", [1]),
            ]
            for (text, numbers) in found {
                let pictures = try await store.searchMedia(matching: MediaFilter(text: text), offset: 0, limit: 9)
                #expect(pictures.map(\.id) == numbers.map(id), "\(text ?? "nothing")")
            }
            let sale = MediaFilter(text: "sale")
            #expect(try await store.searchMedia(matching: sale, offset: 1, limit: 9).map(\.id) == [id(1)])
            #expect(try await store.searchMedia(matching: sale, offset: 0, limit: 1).map(\.id) == [id(2)])
            #expect(try await store.setMediaAlt("Chairs", of: id(2), at: noon, by: command))
            #expect(try await store.searchMedia(matching: sale, offset: 0, limit: 9).map(\.id) == [id(1)])
            let chairs = MediaFilter(text: "chairs été")
            #expect(try await store.searchMedia(matching: chairs, offset: 0, limit: 9).map(\.id) == [id(2)])
            _ = try await store.markMediaDeleted(id(2), at: noon, by: command)
            #expect(try await store.searchMedia(matching: chairs, offset: 0, limit: 9).isEmpty)
        }
    }

    static let unused = ConformanceCheck(
        "An unused picture is one that no campaign names, has named since its launch, and nothing else uses"
    ) { stores in
        try await stores.withStore { store in
            for number in 1...5 {
                _ = try await store.addMedia(item(number), files: files, totalBytes: 100, by: command)
            }
            func title(_ number: Int) -> String { "See /media/\(id(number))/p.png" }
            // What a draft has named once is of no use any more, and what a launched campaign has named is.
            var draft = Campaign.sample("draft", title: title(1))
            try await store.insertCampaign(draft, by: command)
            draft = try #require(try await store.campaign(draft.id))
            _ = try await store.change(draft, to: Campaign.sample("draft", title: "None").content, at: noon + 1)
            let launched = try await store.launch(.sample("launched", title: title(2)))
            let later = Campaign.sample("launched", title: title(3)).content
            _ = try await store.change(launched, to: later, at: noon + 2)
            func unused(_ others: Set<String>, text: String? = nil) async throws -> [String] {
                let filter = MediaFilter(text: text, unusedBut: others)
                return try await store.searchMedia(matching: filter, offset: 0, limit: 9).map(\.id)
            }
            #expect(try await unused([]) == [id(5), id(4), id(1)])
            #expect(try await unused([id(4), "none"]) == [id(5), id(1)])
            #expect(try await unused([], text: "sale") == [id(5), id(4), id(1)])
            #expect(try await unused([], text: "nothing").isEmpty)
        }
    }

    static let moves = ConformanceCheck(
        "The bytes of a picture move to a bucket and back, unless its place has changed since"
    ) { stores in
        try await stores.withStore { store in
            let folder = try #require(BucketFolder(name: "Abc1", sizes: [960: 4, 480: 2]))
            var (before, away) = (item(1), item(1, bytes: 7))
            away.location = .bucket(folder)
            #expect(try await store.addMedia(before, files: files, totalBytes: 100, by: command) == .added)
            #expect(try await store.replaceMediaFiles(of: before, with: away, files: []))
            #expect(try await store.mediaItem(before.id) == away)
            #expect(try await store.mediaTotals() == MediaTotals(count: 1, bytes: 7))
            #expect(try await store.mediaFile(before.id, width: 960) == nil)
            // It isn't where this says any more.
            #expect(try await !store.replaceMediaFiles(of: before, with: away, files: []))
            #expect(try await !store.replaceMediaFiles(of: before, with: before, files: files))
            #expect(try await store.mediaFile(before.id, width: 960) == nil)
            let known = try await store.addMedia(before, files: files, totalBytes: 100, by: command)
            #expect(known == .exists(away))
            #expect(try await store.mediaFile(before.id, width: 960) == nil)
            before.bytes = 6
            #expect(try await store.replaceMediaFiles(of: away, with: before, files: files))
            #expect(try await store.mediaItem(before.id) == before)
            for file in files { #expect(try await store.mediaFile(before.id, width: file.width) == file.bytes) }
            var other = item(2)
            other.location = .bucket(folder)
            #expect(try await store.addMedia(other, files: [], totalBytes: 100, by: command) == .added)
            #expect(try await store.mediaItem(other.id) == other)
            #expect(try await store.deleteMedia(other.id, at: noon, by: command) == other)
        }
    }

    static let repeats = ConformanceCheck(
        "A picture that is added again stays as it is, though its small sizes are made of other bytes by now"
    ) { stores in
        try await stores.withStore { store in
            #expect(try await store.addMedia(item(1), files: files, totalBytes: 100, by: command) == .added)
            let others = [files[0], MediaFile(width: 480, bytes: [9, 9, 9, 9])]
            let again = try await store.addMedia(item(1, bytes: 8), files: others, totalBytes: 100, by: command)
            #expect(again == .exists(item(1)))
            #expect(try await store.mediaItem(id(1)) == item(1))
            #expect(try await store.mediaTotals() == MediaTotals(count: 1, bytes: 6))
            for file in files { #expect(try await store.mediaFile(id(1), width: file.width) == file.bytes) }
        }
    }

    static let races = ConformanceCheck(
        "A picture that many upload at once is added once"
    ) { stores in
        try await stores.withStore { store in
            let added = try await withThrowingTaskGroup(of: MediaAddition.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await store.addMedia(item(1), files: files, totalBytes: 100, by: command) }
                }
                return try await group.reduce(into: 0) { count, addition in count += addition == .added ? 1 : 0 }
            }
            #expect(added == 1)
            #expect(try await store.mediaTotals().count == 1)
            #expect(try await store.mediaFile(id(1), width: 960) == files[0].bytes)
        }
    }
}
