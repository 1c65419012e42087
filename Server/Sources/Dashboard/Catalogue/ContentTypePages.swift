import CardModel
import CardStore
import Hummingbird

extension Section {
    static let contentTypes = Section(
        "content-types",
        in: .cards,
        icon: """
            <g stroke-linecap='round'>\
            <path d='M6 2c-3 0-1 6-4 6 3 0 1 6 4 6M10 2c3 0 1 6 4 6-3 0-1 6-4 6'/>\
            </g>
            """
    ) { localized("Content types") }
}

extension PageDescriptor {
    static let contentTypes = PageDescriptor(
        .contentTypes,
        templates: ["content-types": PackageResources.content_types_mustache]
    ) { routes in
        routes.get("/dashboard/content-types", .viewer, ContentTypePages.show)
        routes.post("/dashboard/content-types/:id/delete", .editor, ContentTypePages.delete)
        routes.post("/dashboard/content-types/proposals/:id/accept", .editor, ContentTypePages.accept)
        routes.post("/dashboard/content-types/proposals/:id/dismiss", .editor, ContentTypePages.dismiss)
    }
}

/// Content types: what launches are checked by, and what apps propose.
enum ContentTypePages {
    struct ContentFieldView {
        let name: String
        let type: String
        let isOptional: Bool
    }

    struct TypeView {
        let name: String
        /// The name as a part of a path.
        let key: String
        let fields: [ContentFieldView]
        let updated: TimeView?
    }

    struct TypesView {
        let types: [TypeView]
        let proposals: [ProposalView]
        /// The number of types that aren't shown.
        let otherTypes: String?
        let isEmpty: Bool
    }

    /// The most fields that the page shows of the types together.
    private static let shownFields = 2_000

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let types = try await context.store.contentTypes()
        let proposals = try await context.store.contentTypeProposals()
        let known = types.map(ContentTypeFields.init)
        var fields = 0
        let shown = known.prefix { type in
            fields += max(type.fields.count, 1)
            return fields <= shownFields
        }
        let view = TypesView(
            types: types.prefix(shown.count).map { TypeView($0, context) },
            proposals: proposals.map { ProposalView($0, beside: known, context) },
            otherTypes: ContentBlockPages.more(types.count, beyond: shown.count),
            isEmpty: types.isEmpty && proposals.isEmpty
        )
        return try context.page("content-types", title: localized("Content types"), in: .contentTypes, view)
    }

    @Sendable static func accept(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        return try answer(try await context.store.acceptContentTypes(id, at: context.now, by: context.actor), "accept")
    }

    @Sendable static func dismiss(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        return try answer(
            try await context.store.dismissContentTypes(id, at: context.now, by: context.actor),
            "dismiss"
        )
    }

    @Sendable static func delete(_ context: PageContext) async throws -> Response {
        let classType = try context.parameter("id")
        return try answer(
            try await context.store.deleteContentType(classType, at: context.now, by: context.actor),
            "delete"
        )
    }

    private static func answer(_ isFound: Bool, _ decision: String) throws -> Response {
        guard isFound else { throw DashboardError.notFound }
        return .seeOther("/dashboard/content-types?done=types-\(decision)")
    }
}

extension ContentTypePages.TypeView {
    init(_ type: ContentType, _ context: PageContext) {
        self.init(
            name: type.classType,
            key: FormData.escape(type.classType),
            fields: ContentTypeFields(type).fields.map {
                .init(name: $0.name, type: $0.type, isOptional: $0.isOptional)
            },
            updated: TimeView(type.updatedAt, for: context)
        )
    }
}

/// The proposal of a version of an app, beside what was accepted.
struct ProposalView {
    /// A field that is not as it was accepted.
    struct ProposedField {
        let typeName: String
        let isNewType: Bool
        let name: String
        /// The accepted value, or `nil` for a new field.
        let current: String?
        /// The proposed value, or `nil` for a field that is gone.
        let proposed: String?
    }

    struct TypeChange {
        let name: String
        let isNew: Bool
        let changes: [ProposedField]
    }

    let key: String
    let version: String?
    let keyID: String
    let published: TimeView?
    let types: [TypeChange]
    /// The number of changes that aren't shown.
    let more: String?
    let typeNames: String

    /// The most changes that are shown of a proposal, which anybody can make who has the app.
    private static let shownChanges = 50

    init(_ proposal: ContentTypeProposal, beside known: [ContentTypeFields], _ context: PageContext) {
        key = FormData.escape(proposal.id)
        version = proposal.appVersion.isEmpty ? nil : proposal.appVersion
        keyID = proposal.keyID
        published = TimeView(proposal.updatedAt, for: context)
        let all = proposal.types.map(ContentTypeFields.init).compactMap { type -> TypeChange? in
            let accepted = known.first { $0.classType.hasSameBytes(as: type.classType) }
            let changes = Self.changes(of: type, beside: accepted)
            guard accepted == nil || !changes.isEmpty else { return nil }
            return TypeChange(name: type.classType, isNew: accepted == nil, changes: changes)
        }
        var room = Self.shownChanges
        types = all.compactMap { type in
            guard room > 0 else { return nil }
            // safe: there is room
            let changes = type.changes.prefix(room)
            room -= max(changes.count, 1)
            return TypeChange(name: type.name, isNew: type.isNew, changes: Array(changes))
        }
        func count(_ types: [TypeChange]) -> Int { types.reduce(0) { $0 + max($1.changes.count, 1) } }
        more = ContentBlockPages.more(count(all), beyond: count(types))
        typeNames = PageFormatter.list(types.prefix(5).map(\.name))
    }

    private static func changes(of type: ContentTypeFields, beside known: ContentTypeFields?) -> [ProposedField] {
        let (accepted, proposed) = (known?.fields ?? [], type.fields)
        func change(_ name: String, _ current: String?, _ proposed: String?) -> ProposedField {
            ProposedField(
                typeName: type.classType,
                isNewType: known == nil,
                name: name,
                current: current,
                proposed: proposed
            )
        }
        func find(_ name: String, among fields: [ContentTypeFields.TypedField]) -> ContentTypeFields.TypedField? {
            fields.first { $0.name.hasSameBytes(as: name) }
        }
        let present = proposed.compactMap { field -> ProposedField? in
            let before = find(field.name, among: accepted)?.text
            return before == field.text ? nil : change(field.name, before, field.text)
        }
        let gone = accepted.filter { find($0.name, among: proposed) == nil }
        return present + gone.map { change($0.name, $0.text, nil) }
    }
}

extension ContentTypeFields.TypedField {
    /// The text that the field has to be: `enum (plain, festive), required`.
    fileprivate var text: String {
        let choices = values.isEmpty ? "" : " (\(values.joined(separator: ", ")))"
        return isOptional ? "\(type)\(choices)" : localized("\(type)\(choices), required")
    }
}
