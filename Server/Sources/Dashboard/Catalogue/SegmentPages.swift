import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

extension Section {
    static let segments = Section(
        "segments",
        in: .cards,
        icon: """
            <circle cx='6' cy='8' r='4.5'/>\
            <circle cx='10' cy='8' r='4.5'/>
            """
    ) { localized("Segments") }
}

extension PageDescriptor {
    static let segments = PageDescriptor(
        .segments,
        templates: [
            "segment": PackageResources.segment_mustache,
            "segment-fields": PackageResources.segment_fields_mustache,
            "segments": PackageResources.segments_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/segments", .viewer, SegmentPages.list)
        routes.get("/dashboard/segments/new", .editor, SegmentPages.new)
        routes.post("/dashboard/segments/new", .editor, SegmentPages.save)
        routes.post("/dashboard/segments/reshape", .editor, use: .often, SegmentPages.reshape)
        routes.get("/dashboard/segments/:id", .viewer, SegmentPages.show)
        routes.post("/dashboard/segments/:id", .editor, SegmentPages.save)
        routes.post("/dashboard/segments/:id/archive", .editor, SegmentPages.archive)
        routes.post("/dashboard/segments/:id/restore", .editor, SegmentPages.restore)
        routes.post("/dashboard/segments/:id/duplicate", .editor, SegmentPages.duplicate)
    }
}

/// Saved audiences.
enum SegmentPages {
    struct SegmentLine {
        let id: String
        let name: String
        let description: String?
        let summary: String
        let address: String
        let isArchived: Bool
        let changed: TimeView
    }

    struct SegmentListView {
        let segments: [SegmentLine]
        let text: String
        let isSearch: Bool
        /// Whether there are segments that the search leaves out.
        let isEmpty: Bool
        let name: SortHead
        let updated: SortHead
        let note: String?
    }

    private static let path = "/dashboard/segments"
    /// The most segments that the list shows.
    private static let shownSegments = 200
    /// The segments that are looked through, those changed last first.
    private static let knownSegments = 2_000
    /// Longer texts are cut: no name is found by more.
    private static let longestText = 200

    /// The keys that the list of segments can be sorted by.
    enum SegmentSortKey: String, SortKey {
        case name
        case updated

        static let standard = SegmentSortKey.updated

        var name: String { self == .name ? localized("Segment") : localized("Updated") }
        var beginsWithLargest: Bool { self == .updated }
    }

    @Sendable static func list(_ context: PageContext) async throws -> Response {
        let known = try await known(context)
        let text = String(context.query.trimmed(.q).unicodeScalars.prefix(longestText))
        let sort = ListSort<SegmentSortKey>(context.query)
        let found = inOrder(matching(text, known), sort)
        let sorted = found.filter { !$0.isArchived } + found.filter(\.isArchived)
        let listed = sorted.prefix(shownSegments)
        let labels = try await AudienceLabels.read(listed.map(\.content.audience), context.store, known: known)
        let lines = listed.map { segment in
            SegmentLine(
                id: segment.id.rawValue,
                name: segment.content.name,
                description: segment.content.description.isEmpty ? nil : segment.content.description,
                summary: context.summary(of: segment.content.audience, labels),
                address: "/dashboard/segments/\(FormData.escape(part: segment.id.rawValue))",
                isArchived: segment.isArchived,
                changed: TimeView(segment.updatedAt, for: context)
            )
        }
        let view = SegmentListView(
            segments: lines,
            text: text,
            isSearch: !text.isEmpty,
            isEmpty: known.isEmpty,
            name: sort.head(.name) { address(of: $0, text) },
            updated: sort.head(.updated) { address(of: $0, text) },
            note: note(found: found.count, of: known.count)
        )
        return try context.page("segments", title: localized("Segments"), in: .segments, view)
    }

    /// Reads the segments that were changed last.
    private static func known(_ context: PageContext) async throws -> [Segment] {
        var known: [Segment] = []
        while known.count < knownSegments {
            let page = try await context.store.segments(
                includingArchived: true,
                limit: PageLimit.highest,
                offset: known.count
            )
            known += page
            if page.count < PageLimit.highest { break }
        }
        return known
    }

    /// The segments of which the name, the description or the ID has every word of a text.
    private static func matching(_ text: String, _ segments: [Segment]) -> [Segment] {
        let words = SearchText.words(of: text)
        guard !words.isEmpty else { return segments }
        var folder = FoldedText.Folder()
        return segments.filter { segment in
            let content = segment.content
            let searched = folder.folded("\(content.name) \(content.description) \(segment.id.rawValue)")
            return words.allSatisfy { FoldedText.contains(searched, anyOf: [$0]) }
        }
    }

    /// Returns what the list leaves out.
    private static func note(found: Int, of known: Int) -> String? {
        func count(_ number: Int) -> String { PageFormatter.count(Int64(number)) }
        if found > shownSegments {
            return localized("\(count(shownSegments)) segments are shown. Search to find the others.")
        }
        guard known >= knownSegments else { return nil }
        return localized("Only the \(count(knownSegments)) segments changed last are searched.")
    }

    private static func address(of sort: ListSort<SegmentSortKey>, _ text: String) -> String {
        let parts = [
            text.isEmpty ? nil : "q=\(FormData.escape(text))", sort == .standard ? nil : "sort=\(sort.text)",
        ]
        let query = parts.compactMap(\.self).joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func inOrder(_ segments: [Segment], _ sort: ListSort<SegmentSortKey>) -> [Segment] {
        switch sort.key {
        case .name: sort.sorted(segments) { $0.content.name.lowercased() }
        case .updated: sort.sorted(segments, by: \.updatedAt)
        }
    }

    struct SegmentView {
        let action: String
        let base: String
        /// The time zone in which times are shown.
        let timeZone: String
        let isNew: Bool
        let isArchived: Bool
        let canChange: Bool
        let id: String
        let name: String
        let description: String
        let audience: AudienceView
        let reach: ReachText.Answer?
        let error: String?
        /// Whether it is the name that is wrong.
        let isNameWrong: Bool
        /// Whether another member has saved the segment since the form was opened.
        let isConflict: Bool
        let differences: [SegmentMerge.Difference]
        /// Whether the form has what isn't saved.
        let isDirty: Bool
        let uses: SegmentUses
        let reshaped: [CampaignDraft.Reshaped]
    }

    @Sendable static func new(_ context: PageContext) async throws -> Response {
        let audience = AudienceForm(of: [:], timeZone: context.timeZone)
        return try await page(context, audience, name: "", description: "")
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let segment = try await context.ask { server, _ in try await server.segments.segment(id) }
        return try await page(
            context,
            AudienceForm(of: context.shown(segment.json), timeZone: context.timeZone),
            name: segment.content.name,
            description: segment.content.description
        )
    }

    private static func page(
        _ context: PageContext,
        _ audience: AudienceForm,
        name: String,
        description: String,
        error: String? = nil,
        over merge: SegmentMerge? = nil,
        isDirty: Bool = false
    ) async throws -> Response {
        let id = audience.savedID
        let view = SegmentView(
            action: "/dashboard/segments/\(id.map { FormData.escape(part: $0) } ?? "new")",
            base: audience.base.text,
            timeZone: audience.timeZone,
            isNew: id == nil,
            isArchived: audience.isArchived,
            canChange: context.may(.editor) && !audience.isArchived,
            id: PageFormatter.shown(id),
            name: name,
            description: description,
            audience: try await audience.view(context, reshape: "/dashboard/segments/reshape"),
            reach: audience.reach,
            error: error,
            isNameWrong: audience.problems.contains { $0.path == "name" },
            isConflict: merge != nil,
            differences: merge?.differences ?? [],
            isDirty: isDirty,
            uses: try await SegmentUses(of: id.flatMap(SegmentID.init(checking:)), context),
            reshaped: audience.reshaped
        )
        if context.request.headers[.placardPart] != nil { return try context.part("segment-fields", view) }
        let title = id == nil ? localized("New segment") : name
        let status: HTTPResponse.Status = merge != nil ? .conflict : error == nil ? .ok : .badRequest
        return try context.page("segment", title: title, in: .segments, status: status, view)
    }

    /// Adds and removes conditions, and counts; nothing is kept.
    @Sendable static func reshape(_ context: PageContext) async throws -> Response {
        let fields = FormTree.fields(of: context.form)
        var audience = AudienceForm(form: context.form, timeZone: context.formTimeZone)
        try await audience.apply(context)
        return try await page(
            context,
            audience,
            name: fields.value(.name),
            description: fields.value(.description),
            isDirty: true
        )
    }

    @Sendable static func archive(_ context: PageContext) async throws -> Response {
        try await setArchived(true, context, done: "archived")
    }

    @Sendable static func restore(_ context: PageContext) async throws -> Response {
        try await setArchived(false, context, done: "restored")
    }

    @Sendable static func duplicate(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let copy = try await context.change { try await $0.segments.duplicate(id, by: $1) }
        return .seeOther("/dashboard/segments/\(FormData.escape(part: copy.id.rawValue))?done=segment-duplicated")
    }

    private static func setArchived(_ isArchived: Bool, _ context: PageContext, done: String) async throws -> Response {
        let id = try context.parameter("id")
        let (before, after) = try await context.change { server, caller in
            let before = try await server.segments.segment(id)
            return (before, try await server.segments.setArchived(isArchived, id, by: caller))
        }
        let address = "/dashboard/segments/\(FormData.escape(part: id))"
        let undo = before.isArchived == after.isArchived ? [] : [UndoableChange.segment(id, wasArchived: !isArchived)]
        return context.leading(to: address, done: done, undo: undo)
    }

    @Sendable static func save(_ context: PageContext) async throws -> Response {
        let fields = FormTree.fields(of: context.form)
        var audience = AudienceForm(form: context.form, timeZone: context.formTimeZone)
        let content: JSONObject = [
            "name": .string(fields.trimmed(.name)),
            "description": .string(fields.trimmed(.description)), "audience": audience.audience,
        ]
        let json = JSONValue.object((audience.base.object ?? [:]).merging(content) { $1 })
        let id = audience.savedID
        do {
            let saved = try await context.change { server, caller in
                guard let id else { return try await server.segments.create(json, by: caller) }
                return try await server.segments.update(id, json, by: caller)
            }
            return .seeOther("/dashboard/segments/\(FormData.escape(part: saved.id.rawValue))?done=saved")
        } catch let refusal as ServiceError where refusal.code == "version_conflict" {
            return try await conflict(context, audience, fields)
        } catch let refusal as ServiceError where [400, 403, 409, 422].contains(refusal.status) {
            audience.problems = [FieldProblem(refusal)]
            return try await page(
                context,
                audience,
                name: fields.value(.name),
                description: fields.value(.description),
                error: refusal.path == "name"
                    ? localized("Name is required, with at most 255 characters.")
                    : "\(EditorView.fieldName(refusal.path)) \(localized(sentence: refusal.message))",
                isDirty: true
            )
        }
    }

    /// An edit conflict: shows what the other member changed beside what was typed; the next save goes on top of
    /// theirs.
    private static func conflict(
        _ context: PageContext,
        _ audience: AudienceForm,
        _ fields: JSONValue
    ) async throws -> Response {
        guard let id = audience.savedID else { throw DashboardError.notFound }
        let current = try await context.ask { server, _ in try await server.segments.segment(id) }
        let labels = try await context.labels(of: [audience.base, current.json, ["audience": audience.audience]])
        let merge = SegmentMerge(
            audience,
            name: fields.value(.name),
            description: fields.value(.description),
            over: context.shown(current.json),
            labels
        )
        return try await page(
            context,
            merge.audience,
            name: merge.name,
            description: merge.description,
            over: merge,
            isDirty: true
        )
    }
}
