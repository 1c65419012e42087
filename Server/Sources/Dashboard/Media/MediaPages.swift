import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// The media library: pictures that were uploaded, and where they are used.
enum MediaPages {
    /// The pictures of a page.
    private static let pageSize = 48
    /// The uses that the list shows of a picture.
    private static let shownUses = 10
    /// The pictures that are looked through for unused ones.
    private static let searchLimit = 10_000

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let isUnused = visit.query[.show] == "unused"
        let number = Int(visit.query.value(.page)).map { min(max($0, 1), searchLimit) } ?? 1
        // safe: at most 480,000
        let offset = (number - 1) * pageSize
        let usage = try await visit.site.server.media.usage()
        let items = try await Self.items(visit, offset, unusedOnly: isUnused, usage)
        let totals = try await visit.store.mediaTotals()
        let shown = items.prefix(pageSize)
        let uses = try await usage.uses(of: shown.map(\.id))
        let pictures = zip(shown, uses).map { MediaView.Picture($0, $1, shownUses, visit) }
        let view = MediaView(
            pictures: pictures,
            isUnused: isUnused,
            isEmpty: pictures.isEmpty,
            used: MediaView.size(totals.bytes),
            limit: MediaView.size(visit.site.server.media.totalBytes),
            count: totals.count,
            countText: totals.count == 1 ? localized("1 picture") : localized("\(totals.count) pictures"),
            // safe: at most 10,000
            earlier: number > 1 ? address(number - 1, isUnused) : nil,
            // safe: at most 10,000
            later: items.count > pageSize ? address(number + 1, isUnused) : nil
        )
        return try visit.page("media", title: localized("Media"), in: .media, view)
    }

    private static func address(_ page: Int, _ isUnused: Bool) -> String {
        "/dashboard/media?page=\(page)" + (isUnused ? "&show=unused" : "")
    }

    /// Reads one picture more than a page has.
    private static func items(
        _ visit: Visit,
        _ offset: Int,
        unusedOnly: Bool,
        _ usage: MediaUsage
    ) async throws -> [MediaItem] {
        let wanted = pageSize + 1
        guard unusedOnly else { return try await visit.store.mediaItems(offset: offset, limit: wanted) }
        var unused: [MediaItem] = []
        for start in stride(from: 0, to: searchLimit, by: 1_000) {
            let items = try await visit.store.mediaItems(offset: start, limit: 1_000)
            unused += try await usage.unused(items)
            if items.count < 1_000 { break }
        }
        // safe: not negative
        return Array(unused.dropFirst(offset).prefix(wanted))
    }

    /// The newest pictures for the editor to choose from.
    @Sendable static func list(_ visit: Visit) async throws -> Response {
        let items = try await visit.store.mediaItems(offset: 0, limit: 200)
        return json(["pictures": .array(items.map { choice($0, visit) })])
    }

    // MARK: Changes

    @Sendable static func upload(_ visit: Visit) async throws -> Response {
        do {
            guard FormData.isUpload(visit.request) else {
                throw ServiceRefusal(notShown: localized("Choose a picture to upload."))
            }
            let (item, isNew) = try await visit.site.server.media.add(member: visit.member) { meter in
                var upload = MediaService.Upload(bytes: try await visit.request.readPicture(meter))
                upload.fileName = visit.query.value(.name)
                upload.alt = visit.query.value(.alt)
                if let crop = visit.query[.crop] { upload.crop = ImageCrop(crop) }
                return upload
            }
            return json(["picture": choice(item, visit)], status: isNew ? .created : .ok)
        } catch let refusal as ServiceRefusal {
            return json(
                ["error": .string(localized(sentence: refusal.message))],
                status: HTTPResponse.Status(code: refusal.status)
            )
        }
    }

    @Sendable static func setAlt(_ visit: Visit) async throws -> Response {
        let alt = visit.form.trimmed(.alt)
        try await visit.site.server.media.setAlt(alt, of: try visit.parameter("id"), member: visit.member)
        return .seeOther("/dashboard/media?done=alt")
    }

    @Sendable static func deletePage(_ visit: Visit) async throws -> Response {
        guard let item = try await visit.store.mediaItem(try visit.parameter("id")) else {
            throw DashboardError.notFound
        }
        let uses = try await visit.site.server.media.uses(of: item.id)
        return try visit.page(
            "media-delete",
            title: localized("Delete picture"),
            in: .media,
            MediaView.Picture(item, uses, MediaUsage.limit, visit)
        )
    }

    @Sendable static func delete(_ visit: Visit) async throws -> Response {
        try await visit.site.server.media.delete(try visit.parameter("id"), member: visit.member)
        return .seeOther("/dashboard/media?done=picture-deleted")
    }

    // MARK: Answers

    private static func choice(_ item: MediaItem, _ visit: Visit) -> JSONValue {
        let base = visit.site.server.publicAddress.base(visit.request, visit.context)
        return [
            "id": .string(item.id), "name": .string(item.name), "alt": .string(item.alt),
            "url": .string(base + item.path()), "thumbnail": .string(item.path(width: item.widths.last)),
            "width": .integer(Int64(item.width)), "height": .integer(Int64(item.height)),
        ]
    }

    private static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.bytes))
        )
    }
}

/// What the page of the media library shows.
struct MediaView {
    /// Where a picture is used.
    struct Use {
        let name: String
        let address: String?
    }

    /// A picture with everything that is told of it.
    struct Picture {
        let id: String
        let name: String
        let alt: String
        let thumbnail: String
        let address: String
        let detail: String
        let created: TimeView
        let author: String
        let uses: [Use]
        let isUsed: Bool
        let more: String?
        let hasNoAlt: Bool
    }

    let pictures: [Picture]
    let isUnused: Bool
    let isEmpty: Bool
    let used: String
    let limit: String
    let count: Int
    let countText: String
    let earlier: String?
    let later: String?

    /// Returns a number of bytes as people read it.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_024: localized("\(bytes) bytes")
        case ..<1_048_576: "\(bytes >> 10) KB"
        case ..<1_073_741_824: "\(bytes >> 20) MB"
        default: "\(bytes >> 30).\((bytes >> 20 & 1_023) * 10 >> 10) GB"
        }
    }
}

extension MediaView.Picture {
    init(_ item: MediaItem, _ used: MediaUses, _ limit: Int, _ visit: Visit) {
        let motion = item.frames > 1 ? localized(" · \(item.frames) frames") : ""
        self.init(
            id: item.id,
            name: item.name,
            alt: item.alt,
            thumbnail: item.path(width: item.widths.last),
            address: item.path(),
            detail: "\(item.format.name) · \(item.width) × \(item.height) · \(MediaView.size(item.bytes))\(motion)",
            created: TimeView(item.createdAt, for: visit),
            author: item.createdBy,
            uses: used.uses.prefix(limit).map { use in
                let isCampaign = use.kind == .campaign
                let address =
                    isCampaign
                    ? "/dashboard/campaigns/\(FormData.escape(part: use.id))" : ContentBlockPages.address(of: use.id)
                let name = isCampaign ? use.name : localized("Content block \(use.name)")
                return MediaView.Use(
                    name: use.version.map { localized("\(name) (version \($0))") } ?? name,
                    address: address
                )
            },
            isUsed: used.count > 0,
            more: ContentBlockPages.more(used.count, beyond: min(limit, used.uses.count)),
            hasNoAlt: item.alt.isEmpty
        )
    }
}

extension FormData {
    /// What a script sends a file with: the token of the page, in a header that no other site can set.
    ///
    /// A form that sends a file without a script has it in its address, since its body is read by the page.
    /// Returns `nil` where the request has none.
    init?(uploadBy request: Request) {
        let isFileForm = request.headers[.contentType]?.hasPrefix("multipart/form-data") ?? false
        let sent = isFileForm ? FormData(queryOf: request)[.csrf] : nil
        guard let token = request.headers[.placardForm] ?? sent else { return nil }
        self.init(urlEncoded: "csrf=\(FormData.escape(token))")
    }

    /// Whether a request's body is a file.
    static func isUpload(_ request: Request) -> Bool { request.headers[.placardForm] != nil }
}

extension HTTPField.Name {
    /// The form token of an upload.
    static let placardForm = checked("Placard-Form")
}
