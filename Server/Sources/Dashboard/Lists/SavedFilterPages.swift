import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let savedFilters = PageDescriptor(
        templates: [
            "filters": PackageResources.filters_mustache,
            "saved-filters": PackageResources.saved_filters_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/filters", .viewer, SavedFilterPages.show)
        routes.post("/dashboard/filters", .viewer, SavedFilterPages.save)
        routes.post("/dashboard/filters/:id", .viewer, SavedFilterPages.change)
        routes.post("/dashboard/filters/:id/delete", .viewer, SavedFilterPages.delete)
    }
}

/// Filters of lists under a name: saved from a list, and renamed, shared and deleted on a page of their own.
enum SavedFilterPages {
    /// A part of what a filter asks for.
    struct FilterDetail {
        let name: String
        let value: String
    }

    /// A filter as its page shows it.
    struct SavedFilterLine {
        let name: String
        let address: String
        let list: String
        let details: [FilterDetail]
        /// The member who has saved it, where that isn't the reader.
        let owner: String?
        let isShared: Bool
        let canChange: Bool
        let action: String
        let deleteAction: String
        /// The name in its form.
        var typedName: String
        /// The problem of that name, or `nil`.
        var mark: FieldMark?
    }

    /// A filter that wasn't saved, for its form.
    struct SavedFilterDraft {
        let name: String
        let list: String
        let query: String
        let shares: Bool
        let mark: FieldMark
    }

    struct SavedFilterView {
        let filters: [SavedFilterLine]
        let draft: SavedFilterDraft?
        let problem: String?
        let canShare: Bool
        let longestName: Int
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response { try await page(context) }

    /// The list of filters, with a new one or the id of a renamed one whose name is wrong, or with another problem.
    private static func page(
        _ context: PageContext,
        draft: SavedFilterDraft? = nil,
        renamed: String? = nil,
        problem: String? = nil
    ) async throws -> Response {
        let filters = try await context.store.savedFilters(of: context.member.email)
            .filter { $0.list != .users || !context.hidesPersonalData }
        let view = SavedFilterView(
            filters: filters.map { filter in
                var line = SavedFilterLine(filter, context)
                guard let renamed, filter.id.hasSameBytes(as: renamed) else { return line }
                line.typedName = context.form.value(.name)
                line.mark = nameMark
                return line
            },
            draft: draft,
            problem: problem,
            canShare: context.may(.editor),
            longestName: SavedFilter.longestName
        )
        let isFine = draft == nil && renamed == nil && problem == nil
        let status: HTTPResponse.Status = isFine ? .ok : .unprocessableContent
        return try context.page("filters", title: localized("Saved filters"), in: .campaigns, status: status, view)
    }

    @Sendable static func save(_ context: PageContext) async throws -> Response {
        guard let list = SavedFilter.List(rawValue: context.form.trimmed(.list)) else { throw DashboardError.notFound }
        if list == .users { try context.requirePersonalData() }
        let query = list.query(FormData(urlEncoded: context.form.value(.query)))
        guard query.utf8.count <= SavedFilter.longestQuery else {
            return try await page(context, problem: localized("The search is too long to be saved. Shorten it."))
        }
        guard let name = name(context) else { return try await page(context, draft: draft(context, list, query)) }
        var filter = SavedFilter(
            id: "flt_" + RandomText.letters(22),
            of: list,
            owner: context.member.email,
            name: name,
            query: query,
            at: context.now
        )
        filter.isShared = try isShared(context)
        return try await answer(context, list.address(query, done: "filter-saved")) { [filter] in
            try await context.store.insertSavedFilter(filter, by: context.actor)
        }
    }

    @Sendable static func change(_ context: PageContext) async throws -> Response {
        var filter = try await filter(context)
        guard let name = name(context) else { return try await page(context, renamed: filter.id) }
        filter.name = name
        // A viewer shares nothing, and what they shared as an editor stays so: their form doesn't ask.
        if context.may(.editor) { filter.isShared = context.form.isOn(.share) }
        filter.updatedAt = context.now
        return try await answer(context, "/dashboard/filters?done=saved") { [filter] in
            try await context.store.updateSavedFilter(filter, by: context.actor)
        }
    }

    @Sendable static func delete(_ context: PageContext) async throws -> Response {
        let filter = try await filter(context)
        _ = try await context.store.deleteSavedFilter(filter.id, at: context.now, by: context.actor)
        return context.leading(to: "/dashboard/filters", done: "filter-deleted", undo: [.filter(filter)])
    }

    /// The filter of the path, where the member may change it: one that they don't see isn't there for them.
    private static func filter(_ context: PageContext) async throws -> SavedFilter {
        guard let filter = try await context.store.savedFilter(context.parameter("id")),
            filter.isSeen(by: context.member.email)
        else { throw DashboardError.notFound }
        guard filter.mayBeChanged(by: context.member) else { throw DashboardError.forbidden }
        return filter
    }

    private static var nameMark: FieldMark {
        FieldMark(FormField.name.rawValue, localized("Enter a name of at most \(SavedFilter.longestName) bytes."))
    }

    /// The form of a filter whose name is wrong.
    private static func draft(_ context: PageContext, _ list: SavedFilter.List, _ query: String) -> SavedFilterDraft {
        SavedFilterDraft(
            name: context.form.value(.name),
            list: list.rawValue,
            query: query,
            shares: context.form.isOn(.share),
            mark: nameMark
        )
    }

    private static func name(_ context: PageContext) -> String? {
        let name = context.form.trimmed(.name)
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return !name.isEmpty && isPlain && name.utf8.count <= SavedFilter.longestName ? name : nil
    }

    private static func isShared(_ context: PageContext) throws -> Bool {
        guard context.form.isOn(.share) else { return false }
        guard context.may(.editor) else { throw DashboardError.forbidden }
        return true
    }

    /// Leads on where a change was made, and says what is in its way otherwise.
    private static func answer(
        _ context: PageContext,
        _ address: String,
        _ change: () async throws -> Void
    ) async throws -> Response {
        do {
            try await change()
            return .seeOther(address)
        } catch let error as StoreError where error.code == .limitReached {
            return try await page(context, problem: localized(sentence: error.message))
        }
    }
}

extension SavedFilterPages.SavedFilterLine {
    init(_ filter: SavedFilter, _ context: PageContext) {
        let isOwn = filter.owner.hasSameBytes(as: context.member.email)
        let action = "/dashboard/filters/\(FormData.escape(part: filter.id))"
        self.init(
            name: filter.name,
            address: filter.list.address(filter.query),
            list: filter.list.displayName,
            details: filter.list.facts(of: filter.query),
            owner: isOwn ? nil : filter.owner,
            isShared: filter.isShared,
            canChange: filter.mayBeChanged(by: context.member),
            action: action,
            deleteAction: "\(action)/delete",
            typedName: filter.name
        )
    }
}

/// The saved filters that a list shows, and the form that saves the present one.
struct SavedFiltersView {
    struct SavedFilterLink {
        let name: String
        let address: String
        let isShared: Bool
        let isCurrent: Bool
    }

    let filters: [SavedFilterLink]
    let hasFilters: Bool
    let list: String
    /// The query that is saved; `nil` where the list shows everything in its own order.
    let query: String?
    let canShare: Bool
    let longestName = SavedFilter.longestName

    /// Creates the view of a list.
    init(of list: SavedFilter.List, _ context: PageContext) async throws {
        let query = list.query(context.query)
        filters = try await context.store.savedFilters(of: context.member.email).filter { $0.list == list }.map {
            filter in
            SavedFilterLink(
                name: filter.name,
                address: list.address(filter.query),
                isShared: filter.isShared,
                isCurrent: filter.query.hasSameBytes(as: query)
            )
        }
        hasFilters = !filters.isEmpty
        self.list = list.rawValue
        self.query = query.isEmpty || query.utf8.count > SavedFilter.longestQuery ? nil : query
        canShare = context.may(.editor)
    }
}

extension SavedFilter.List {
    var displayName: String {
        switch self {
        case .campaigns: localized("Campaigns")
        case .users: localized("Users")
        }
    }

    /// The address of the list with a query, and the notice that it then shows.
    func address(_ query: String, done: String? = nil) -> String {
        let parts = [query, done.map { "done=\($0)" }].compactMap(\.self).filter { !$0.isEmpty }
        let address = "/dashboard/\(rawValue)"
        return parts.isEmpty ? address : "\(address)?\(parts.joined(separator: "&"))"
    }
}
