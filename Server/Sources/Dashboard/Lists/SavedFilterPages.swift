import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

/// Filters of lists under a name: saved from a list, and renamed, shared and deleted on a page of their own.
enum SavedFilterPages {
    /// A part of what a filter asks for.
    struct Fact {
        let name: String
        let value: String
    }

    /// A filter as its page shows it.
    struct Line {
        let name: String
        let address: String
        let list: String
        let details: [Fact]
        /// Who has saved it, where that isn't the member.
        let owner: String?
        let isShared: Bool
        let canChange: Bool
        let action: String
        let deleteAction: String
    }

    struct View {
        let filters: [Line]
        let problem: String?
        let canShare: Bool
        let longestName: Int
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response { try await page(visit) }

    private static func page(_ visit: Visit, problem: String? = nil) async throws -> Response {
        let filters = try await visit.store.savedFilters(of: visit.member.email)
            .filter { $0.list != .users || !visit.hidesPersonalData }
        let view = View(
            filters: filters.map { Line($0, visit) },
            problem: problem,
            canShare: visit.may(.editor),
            longestName: SavedFilter.longestName
        )
        let status: HTTPResponse.Status = problem == nil ? .ok : .unprocessableContent
        return try visit.page("filters", title: localized("Saved filters"), in: .campaigns, status: status, view)
    }

    @Sendable static func save(_ visit: Visit) async throws -> Response {
        guard let list = SavedFilter.List(rawValue: visit.form.trimmed(.list)) else { throw DashboardError.notFound }
        if list == .users { try visit.requirePersonalData() }
        let query = list.query(FormData(urlEncoded: visit.form.value(.query)))
        guard query.utf8.count <= SavedFilter.longestQuery else {
            return try await page(visit, problem: localized("The search is too long to be saved. Shorten it."))
        }
        guard let name = name(visit) else { return try await page(visit, problem: nameProblem) }
        var filter = SavedFilter(
            id: "flt_" + RandomText.letters(22),
            of: list,
            owner: visit.member.email,
            name: name,
            query: query,
            at: visit.now
        )
        filter.isShared = try isShared(visit)
        return try await answer(visit, list.address(query, done: "filter-saved")) { [filter] in
            try await visit.store.insertSavedFilter(filter, by: visit.actor)
        }
    }

    @Sendable static func change(_ visit: Visit) async throws -> Response {
        var filter = try await filter(visit)
        guard let name = name(visit) else { return try await page(visit, problem: nameProblem) }
        filter.name = name
        // A viewer shares nothing, and what they shared as an editor stays so: their form doesn't ask.
        if visit.may(.editor) { filter.isShared = visit.form.isOn(.share) }
        filter.updatedAt = visit.now
        return try await answer(visit, "/dashboard/filters?done=saved") { [filter] in
            try await visit.store.updateSavedFilter(filter, by: visit.actor)
        }
    }

    @Sendable static func delete(_ visit: Visit) async throws -> Response {
        let filter = try await filter(visit)
        _ = try await visit.store.deleteSavedFilter(filter.id, at: visit.now, by: visit.actor)
        return .seeOther("/dashboard/filters?done=filter-deleted")
    }

    /// The filter of the path, where the member may change it: one that they don't see isn't there for them.
    private static func filter(_ visit: Visit) async throws -> SavedFilter {
        guard let filter = try await visit.store.savedFilter(visit.parameter("id")),
            filter.isSeen(by: visit.member.email)
        else { throw DashboardError.notFound }
        guard filter.mayBeChanged(by: visit.member) else { throw DashboardError.forbidden }
        return filter
    }

    private static var nameProblem: String {
        localized("Enter a name of at most \(SavedFilter.longestName) bytes.")
    }

    private static func name(_ visit: Visit) -> String? {
        let name = visit.form.trimmed(.name)
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return !name.isEmpty && isPlain && name.utf8.count <= SavedFilter.longestName ? name : nil
    }

    private static func isShared(_ visit: Visit) throws -> Bool {
        guard visit.form.isOn(.share) else { return false }
        guard visit.may(.editor) else { throw DashboardError.forbidden }
        return true
    }

    /// Leads on where a change was made, and says what is in its way otherwise.
    private static func answer(
        _ visit: Visit,
        _ address: String,
        _ change: () async throws -> Void
    ) async throws -> Response {
        do {
            try await change()
            return .seeOther(address)
        } catch let error as StoreError where error.code == .limitReached {
            return try await page(visit, problem: localized(sentence: error.message))
        }
    }
}

extension SavedFilterPages.Line {
    init(_ filter: SavedFilter, _ visit: Visit) {
        let isOwn = filter.owner.hasSameBytes(as: visit.member.email)
        let action = "/dashboard/filters/\(FormData.escape(part: filter.id))"
        self.init(
            name: filter.name,
            address: filter.list.address(filter.query),
            list: filter.list.displayName,
            details: filter.list.facts(of: filter.query),
            owner: isOwn ? nil : filter.owner,
            isShared: filter.isShared,
            canChange: filter.mayBeChanged(by: visit.member),
            action: action,
            deleteAction: "\(action)/delete"
        )
    }
}

/// The saved filters that a list shows, and the form that saves the present one.
struct SavedFiltersView {
    struct Link {
        let name: String
        let address: String
        let isShared: Bool
        let isCurrent: Bool
    }

    let filters: [Link]
    let hasFilters: Bool
    let list: String
    /// What is saved; `nil` where the list shows everything in its own order.
    let query: String?
    let canShare: Bool
    let longestName = SavedFilter.longestName

    /// Creates the view of a list.
    init(of list: SavedFilter.List, _ visit: Visit) async throws {
        let query = list.query(visit.query)
        filters = try await visit.store.savedFilters(of: visit.member.email).filter { $0.list == list }.map { filter in
            Link(
                name: filter.name,
                address: list.address(filter.query),
                isShared: filter.isShared,
                isCurrent: filter.query.hasSameBytes(as: query)
            )
        }
        hasFilters = !filters.isEmpty
        self.list = list.rawValue
        self.query = query.isEmpty || query.utf8.count > SavedFilter.longestQuery ? nil : query
        canShare = visit.may(.editor)
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
