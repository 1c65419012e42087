import Foundation

/// The part of a user's feed that is kept between launches.
struct CachedFeed: Sendable {
    var user: String
    /// The SDK that wrote the file.
    ///
    /// Another version asks for the whole feed once, since it may understand more.
    var version: String
    var cursor: String?
    var lastSync: Date?
    var cards: [ContentCard]
    var dismissals: [BytewiseText]
    var reported: [BytewiseText: UInt32]

    init(user: String, state: FeedState) {
        self.user = user
        version = SDK.version
        cursor = state.cursor
        lastSync = state.lastSync
        cards = state.ordered
        dismissals = state.dismissals
        reported = state.reported
    }

    var state: FeedState {
        FeedState(
            cards: cards,
            cursor: version == SDK.version ? cursor : nil,
            lastSync: lastSync,
            dismissals: dismissals,
            reported: reported
        )
    }
}

extension CachedFeed {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(user)
        writer.write(version)
        writer.write(optional: cursor) { $0.write($1) }
        writer.write(optional: lastSync) { $0.write($1.timeIntervalSinceReferenceDate) }
        writer.write(list: cards) { $1.write(to: &$0) }
        writer.write(list: dismissals) { $0.write($1.text) }
        writer.write(list: reported) { writer, entry in
            writer.write(entry.key.text)
            writer.write(entry.value)
        }
        return writer.bytes
    }

    init(bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        user = try reader.text()
        version = try reader.text()
        cursor = try reader.optional { try $0.text() }
        lastSync = try reader.optional { Date(timeIntervalSinceReferenceDate: try $0.double()) }
        cards = try reader.list { try ContentCard(from: &$0) }
        dismissals = try reader.list { BytewiseText(try $0.text()) }
        let reports = try reader.list { (BytewiseText(try $0.text()), try $0.uint32()) }
        reported = Dictionary(reports) { first, _ in first }
    }
}

extension ContentCard {
    fileprivate func write(to writer: inout ByteWriter) {
        let dates = [createdAt, expiresAt]
        let flags = [opensInWebView, isPinned, isDismissible, isViewed, isClicked, isDismissed, isTest]
        writer.write(list: [id, kind.wireName, title, description]) { $0.write($1) }
        for text in [image, imageAlt, domain, urlString, campaignID, variantID, language] {
            writer.write(optional: text) { $0.write($1) }
        }
        writer.write(optional: imageAspectRatio) { $0.write($1) }
        writer.write(list: extras) { writer, extra in
            writer.write(extra.key)
            writer.write(extra.value)
        }
        // safe: there are seven flags
        writer.write(flags.enumerated().reduce(UInt32(0)) { $0 | ($1.element ? 1 << UInt32($1.offset) : 0) })
        writer.write(UInt64(bitPattern: Int64(priority)))
        for date in dates { writer.write(optional: date) { $0.write($1.timeIntervalSinceReferenceDate) } }
    }

    fileprivate init(from reader: inout ByteReader) throws {
        guard try reader.uint32() == 4 else { throw ByteReader.OverrunError() }
        self.init(id: try reader.text(), kind: Kind(wireName: try reader.text()))
        title = try reader.text()
        description = try reader.text()
        for field in [\Self.image, \.imageAlt, \.domain, \.urlString, \.campaignID, \.variantID, \.language] {
            self[keyPath: field] = try reader.optional { try $0.text() }
        }
        imageAspectRatio = try reader.optional { try $0.double() }
        let pairs = try reader.list { (try $0.text(), try $0.text()) }
        extras = Dictionary(pairs) { first, _ in first }
        read(flags: try reader.uint32())
        priority = Int(clamping: Int64(bitPattern: try reader.uint64()))
        createdAt = try reader.optional(Self.date) ?? createdAt
        expiresAt = try reader.optional(Self.date)
    }

    private mutating func read(flags: UInt32) {
        opensInWebView = flags & 1 != 0
        isPinned = flags & 2 != 0
        isDismissible = flags & 4 != 0
        isViewed = flags & 8 != 0
        isClicked = flags & 16 != 0
        isDismissed = flags & 32 != 0
        isTest = flags & 64 != 0
    }

    private static func date(_ reader: inout ByteReader) throws -> Date {
        Date(timeIntervalSinceReferenceDate: try reader.double())
    }
}
