import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

extension Section {
    static let media = Section(
        "media",
        in: .cards,
        icon: """
            <g stroke-linejoin='round'>\
            <rect x='1.8' y='2.5' width='12.4' height='11' rx='1.6'/>\
            <circle cx='5.5' cy='6.2' r='1.3'/>\
            <path d='m2.5 12 3.7-3.5 2.3 2 2.7-3 3 3.5'/>\
            </g>
            """
    ) { localized("Media") }
}

extension PageDescriptor {
    static let media = PageDescriptor(
        .media,
        templates: ["media": PackageResources.media_mustache, "media-delete": PackageResources.media_delete_mustache]
    ) { routes in
        routes.get("/dashboard/media", .viewer, MediaPages.show)
        routes.get("/dashboard/media/list", .viewer, MediaPages.list)
        routes.post("/dashboard/media/upload", .editor, use: .upload, MediaPages.upload)
        routes.post("/dashboard/media/:id/alt", .editor, MediaPages.setAlt)
        routes.get("/dashboard/media/:id/delete", .editor, MediaPages.deletePage)
        routes.post("/dashboard/media/:id/delete", .editor, MediaPages.delete)
    }
}

/// The media library: pictures that were uploaded, and where they are used.
enum MediaPages {
    /// The pictures of a page.
    private static let pageSize = 48
    /// The uses that the list shows of a picture.
    private static let shownUses = 10
    /// The pages that there are, at most.
    private static let pageLimit = 10_000
    /// The pictures that the editor shows to choose from.
    private static let choiceLimit = 200
    /// Longer texts are cut: no name is found by more.
    private static let longestText = 200

    private static let path = "/dashboard/media"

    /// An alternative text that was refused: the picture's id, and what is wrong with the text.
    private typealias RefusedAlt = (picture: String, mark: FieldMark)

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try await page(context, context.query)
    }

    private static func page(
        _ context: PageContext,
        _ query: FormData,
        refused: RefusedAlt? = nil
    ) async throws -> Response {
        let isUnused = query[.show] == "unused"
        let text = searchText(query)
        var number = Int(query.value(.page)).map { min(max($0, 1), pageLimit) } ?? 1
        let usage = try await context.site.server.media.usage()
        let filter = MediaFilter(text: text, unusedBut: isUnused ? usage.usedBesides : nil)
        var items = try await read(filter, page: number, context)
        if items.isEmpty, number > 1 {
            // The last picture of the last page was deleted.
            // safe: at least 1
            number -= 1
            items = try await read(filter, page: number, context)
        }
        let totals = try await context.store.mediaTotals()
        let shown = items.prefix(pageSize)
        let uses = try await usage.uses(of: shown.map(\.id))
        let names = try await NameBook([], context)
        let pictures = zip(shown, uses).map { item, used in
            var picture = MediaView.Picture(item, used, shownUses, names, context)
            if let refused, item.id.hasSameBytes(as: refused.picture) {
                (picture.typedAlt, picture.wrong) = (context.form.value(.alt), refused.mark)
            }
            return picture
        }
        let here = address(number, isUnused: isUnused, text)
        let view = MediaView(
            pictures: pictures,
            isUnused: isUnused,
            isEmpty: pictures.isEmpty,
            text: text,
            isSearch: !text.isEmpty,
            here: here,
            escapedHere: FormData.escape(here),
            allAddress: address(1, isUnused: false, text),
            unusedAddress: address(1, isUnused: true, text),
            clearAddress: address(1, isUnused: isUnused, ""),
            used: MediaView.size(totals.bytes),
            limit: MediaView.size(context.site.server.media.totalBytes),
            count: totals.count,
            countText: PageFormatter.counted(Int64(totals.count), .picture),
            // safe: at most 10,000
            earlier: number > 1 ? address(number - 1, isUnused: isUnused, text) : nil,
            // safe: at most 10,000
            later: items.count > pageSize ? address(number + 1, isUnused: isUnused, text) : nil
        )
        let status: HTTPResponse.Status = refused == nil ? .ok : .badRequest
        return try context.page("media", title: localized("Media"), in: .media, status: status, view)
    }

    /// Reads the pictures of a page, and one more where there is one.
    private static func read(_ filter: MediaFilter, page: Int, _ context: PageContext) async throws -> [MediaItem] {
        // safe: at most 480,000
        let offset = (page - 1) * pageSize
        return try await context.store.searchMedia(matching: filter, offset: offset, limit: pageSize + 1)
    }

    /// The text that a query looks for.
    private static func searchText(_ query: FormData) -> String {
        String(query.trimmed(.q).unicodeScalars.prefix(longestText))
    }

    /// The list from which a form was opened, with its search and page; all pictures where the form doesn't say.
    private static func list(from fields: FormData) -> String {
        let address = SignInPages.safe(fields[.back])
        return address.utf8.starts(with: "\(path)?".utf8) ? address : path
    }

    private static func address(_ page: Int, isUnused: Bool, _ text: String) -> String {
        var fields = FormData()
        if page > 1 { fields.append(FormField.page.rawValue, String(page)) }
        if isUnused { fields.append(FormField.show.rawValue, "unused") }
        if !text.isEmpty { fields.append(FormField.q.rawValue, text) }
        return fields.fields.isEmpty ? path : "\(path)?\(fields.encoded)"
    }

    /// The newest pictures for the editor to choose from, of those that have the text of the query.
    @Sendable static func list(_ context: PageContext) async throws -> Response {
        let items = try await context.store.searchMedia(
            matching: MediaFilter(text: searchText(context.query)),
            offset: 0,
            limit: choiceLimit + 1
        )
        return json([
            "pictures": .array(items.prefix(choiceLimit).map { choice($0, context) }),
            "has_more": .bool(items.count > choiceLimit),
        ])
    }

    // MARK: Changes

    @Sendable static func upload(_ context: PageContext) async throws -> Response {
        do {
            guard FormData.isUpload(context.request) else {
                throw ServiceError(notShown: localized("Choose a picture to upload."))
            }
            let (item, isNew) = try await context.site.server.media.add(member: context.member) { meter in
                var upload = MediaService.Upload(bytes: try await context.request.readPicture(meter))
                upload.fileName = context.query.value(.name)
                upload.alt = context.query.value(.alt)
                if let crop = context.query[.crop] { upload.crop = ImageCrop(crop) }
                return upload
            }
            return json(["picture": choice(item, context)], status: isNew ? .created : .ok)
        } catch let refusal as ServiceError {
            return json(
                ["error": .string(localized(sentence: refusal.message))],
                status: HTTPResponse.Status(code: refusal.status)
            )
            .retryable(after: refusal.retryAfter)
        }
    }

    @Sendable static func setAlt(_ context: PageContext) async throws -> Response {
        let (id, list) = (try context.parameter("id"), list(from: context.form))
        do {
            try await context.site.server.media.setAlt(context.form.trimmed(.alt), of: id, member: context.member)
        } catch let refusal as ServiceError where refusal.path == FormField.alt.rawValue {
            let message = localized("Enter at most \(MediaItem.altLimit) bytes, in one line.")
            let query = list.divided(at: "?").map { FormData(urlEncoded: $0.behind) } ?? FormData()
            return try await page(context, query, refused: (id, FieldMark(FormField.alt.rawValue, message)))
        }
        return context.leading(to: list, done: "alt", undo: [])
    }

    @Sendable static func deletePage(_ context: PageContext) async throws -> Response {
        guard let item = try await context.store.mediaItem(try context.parameter("id")) else {
            throw DashboardError.notFound
        }
        let uses = try await context.site.server.media.uses(of: item.id)
        let names = try await NameBook([], context)
        var picture = MediaView.Picture(item, uses, MediaUsage.limit, names, context)
        picture.list = list(from: context.query)
        return try context.page("media-delete", title: localized("Delete picture"), in: .media, picture)
    }

    @Sendable static func delete(_ context: PageContext) async throws -> Response {
        let item = try await context.site.server.media.delete(try context.parameter("id"), member: context.member)
        return context.leading(
            to: list(from: context.form),
            done: "picture-deleted",
            undo: [.picture(item.id, name: item.name)]
        )
    }

    // MARK: Answers

    private static func choice(_ item: MediaItem, _ context: PageContext) -> JSONValue {
        let base = context.site.server.publicAddress.base(context.request, context.appContext)
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

/// The view of the page of the media library.
struct MediaView {
    /// A use of a picture.
    struct PictureUse {
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
        let uses: [PictureUse]
        let isUsed: Bool
        let more: String?
        let hasNoAlt: Bool
        /// The alternative text in its field.
        var typedAlt: String
        /// The problem of that text, or `nil`.
        var wrong: FieldMark?
        /// The address of the list that leads to the page of its deletion.
        var list = ""
    }

    let pictures: [Picture]
    let isUnused: Bool
    let isEmpty: Bool
    let text: String
    let isSearch: Bool
    /// The list as it is shown, for forms to lead back to, and as a part of an address.
    let here: String
    let escapedHere: String
    let allAddress: String
    let unusedAddress: String
    /// The list without the search.
    let clearAddress: String
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
    init(_ item: MediaItem, _ used: MediaUses, _ limit: Int, _ names: NameBook, _ context: PageContext) {
        let motion = item.frames > 1 ? localized(" · \(item.frames) frames") : ""
        self.init(
            id: item.id,
            name: item.name,
            alt: item.alt,
            thumbnail: item.path(width: item.widths.last),
            address: item.path(),
            detail: "\(item.format.name) · \(item.width) × \(item.height) · \(MediaView.size(item.bytes))\(motion)",
            created: TimeView(item.createdAt, for: context),
            author: names.actor(item.createdBy),
            uses: used.uses.prefix(limit).map { use in
                let isCampaign = use.kind == .campaign
                let address =
                    isCampaign
                    ? "/dashboard/campaigns/\(FormData.escape(part: use.id))" : ContentBlockPages.address(of: use.id)
                let name = isCampaign ? use.name : localized("Content block \(use.name)")
                return MediaView.PictureUse(
                    name: use.version.map { localized("\(name) (version \($0))") } ?? name,
                    address: address
                )
            },
            isUsed: used.count > 0,
            more: ContentBlockPages.more(used.count, beyond: min(limit, used.uses.count)),
            hasNoAlt: item.alt.isEmpty,
            typedAlt: item.alt
        )
    }
}

extension FormData {
    /// Creates the form of a script that sends a file: the token of the page, in a header that no other site can set.
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
