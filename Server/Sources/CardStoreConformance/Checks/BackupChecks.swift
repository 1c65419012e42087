import CardModel
import CardStore
import Foundation
import Testing

/// Checks of backups.
enum BackupChecks {
    static let checks: [ConformanceCheck] = [isWhole, overwritesNothing, hasVersions, needsOpenStore]

    private static func withBackupPlace(
        _ stores: any StoreFactory,
        _ body: (any BackupStore, any BackupPlace) async throws -> Void
    ) async throws {
        try await stores.withPlace { place in
            let place = try #require(place as? any BackupPlace)
            let store = try #require(try await place.open() as? any BackupStore)
            try await body(store, place)
            try await store.close()
        }
    }

    static let isWhole = ConformanceCheck(
        "A backup is the whole store with an epoch of its own",
        needs: .backup
    ) { stores in
        try await withBackupPlace(stores) { store, place in
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record([.impression(1)])

            let path = place.backupPath
            try await store.backUp(to: path)
            try await store.record([.impression(2)])

            let restored = try await place.openBackup(at: path)
            #expect(restored.epoch != store.epoch)
            #expect(restored.userEpoch(of: someone) != store.userEpoch(of: someone))
            #expect(restored.wholeEpoch != store.wholeEpoch)
            #expect(try await restored.counts().impressions == 1)
            #expect(try await restored.userState(of: someone) == store.userState(of: someone))
            #expect(try await restored.record([.impression(1)]).receipt.duplicate == 1)

            // Whoever reads the log from a position that the store gave out after the backup misses nothing of the
            // copy's.
            try await restored.record([.impression(3)])
            let last = try #require(try await store.eventPage(after: 0, EventFilter(), limit: 10).events.last)
            let next = try await restored.eventPage(after: last.position, EventFilter(), limit: 10).events
            #expect(next.map(\.id) == [DeviceEvent.impression(3).id])
            // Also where little matches, which is searched for a part of the log at a time.
            var impressions = EventFilter()
            impressions.types = ["impression"]
            let found = try await restored.eventPage(after: last.position, impressions, limit: 10)
            #expect(found.events == next && found.isLast)
            var past = EventLogFilter()
            past.type = "impression"
            let newest = try await restored.searchEvents(matching: past, before: nil, limit: 10)
            let older = try await restored.searchEvents(matching: past, before: newest.searchedTo, limit: 10)
            #expect(newest.events.map(\.id) == [DeviceEvent.impression(3).id])
            #expect(older.events.map(\.id) == [DeviceEvent.impression(1).id] && older.searchedTo == nil)
            try await restored.close()
        }
    }

    static let overwritesNothing = ConformanceCheck(
        "A backup overwrites nothing and leaves nothing else behind",
        needs: .backup
    ) { stores in
        try await withBackupPlace(stores) { store, place in
            let path = place.backupPath
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

            await expectFailure(.exists) { try await store.backUp(to: path) }
            await expectFailure(.unavailable) { try await store.backUp(to: folder + "/none/backup") }

            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
        }
    }

    static let hasVersions = ConformanceCheck(
        "A backup has the history too",
        needs: .backup
    ) { stores in
        try await withBackupPlace(stores) { store, place in
            let launched = try await store.launch(.sample())
            _ = try await store.updateCampaign(
                launched.updating(Campaign.sample(title: "New").content, at: noon + 1),
                from: launched.version,
                action: "campaign.update",
                by: command
            )
            try await store.backUp(to: place.backupPath)

            let copy = try await place.openBackup(at: place.backupPath)

            #expect(
                try await copy.campaignVersions(of: CampaignID(rawValue: "sale"), before: nil, limit: 10)
                    == store.campaignVersions(of: CampaignID(rawValue: "sale"), before: nil, limit: 10)
            )
            #expect(
                try await copy.campaignVersion(2, of: CampaignID(rawValue: "sale"))?.campaign.content
                    == launched.content
            )
            try await copy.close()
        }
    }

    static let needsOpenStore = ConformanceCheck(
        "A store that is closed can't be backed up",
        needs: .backup
    ) { stores in
        try await withBackupPlace(stores) { store, place in
            try await store.close()
            await expectFailure(.unavailable) { try await store.backUp(to: place.backupPath) }
        }
    }
}
