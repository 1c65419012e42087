import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import OrderedCollections
import WireJSON

extension PageDescriptor {
    static let editor = PageDescriptor(
        templates: [
            "editor": PackageResources.editor_mustache,
            "editor-fields": PackageResources.editor_fields_mustache,
            "condition": PackageResources.condition_mustache,
            "duration": PackageResources.duration_mustache,
            "pair": PackageResources.pair_mustache,
            "variant": PackageResources.variant_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/campaigns/new", .editor, EditorPages.new)
        routes.post("/dashboard/campaigns/new", .editor, EditorPages.save)
        routes.post("/dashboard/campaigns/reshape", .editor, use: .often, EditorPages.reshape)
        routes.post("/dashboard/campaigns/preview", .editor, use: .often, EditorPreview.show)
        routes.post("/dashboard/campaigns/check", .editor, use: .often, EditorChecks.answer)
        routes.get("/dashboard/campaigns/names", .editor, EditorChecks.names)
        routes.get("/dashboard/campaigns/:id/edit", .editor, EditorPages.edit)
        routes.post("/dashboard/campaigns/:id/edit", .editor, EditorPages.save)
    }
}

/// Creating and editing campaigns.
enum EditorPages {
    private static var empty: JSONValue {
        let name = JSONValue.string(localized("Card"))
        return ["variants": [["id": "a", "name": name, "weight": 100, "control": false, "card": ["type": "classic"]]]]
    }

    // MARK: Pages

    /// Begins a campaign, with a template where the address names one.
    @Sendable static func new(_ context: PageContext) async throws -> Response {
        let template = context.query[.template].flatMap(CampaignTemplate.init)
        let begun = CampaignDraft(campaign: template?.campaign ?? empty, timeZone: context.timeZone)
        let draft = CampaignDraft(fields: begun.fields, over: [:], timeZone: context.timeZone)
        var view = try await view(context, draft, isDirty: false)
        view.templates = CampaignTemplate.links(chosen: template)
        return try page(context, view)
    }

    /// Edits a campaign, or begins with how it was in an earlier version.
    @Sendable static func edit(_ context: PageContext) async throws -> Response {
        let campaign = try await CampaignPages.campaign(context)
        if let content = try await CampaignPages.requestedContent(of: campaign, context) {
            var proposed = campaign
            proposed.content = content
            let before = try opened(proposed.json, context)
            var view = try await view(context, before.over(campaign.json), isDirty: true)
            view.restoreNotice = localized("This is what was proposed. Nothing is saved yet.")
            return try page(context, view)
        }
        guard let version = context.query.position(.version) else {
            return try await page(context, try opened(campaign.json, context))
        }
        guard let past = try await context.store.campaignVersion(version, of: campaign.id)?.campaign else {
            throw DashboardError.notFound
        }
        // What was kept of values in finer detail than fields show is that of the old version.
        let before = try opened(past.json, context)
        var view = try await view(context, before.over(campaign.json), isDirty: true)
        view.restoreNotice = localized("This is version \(version). Save to restore it.")
        return try page(context, view)
    }

    /// A campaign as the form has it.
    ///
    /// - Throws: `EditorTooLarge` where the form would be too large to be sent.
    private static func opened(_ campaign: JSONValue, _ context: PageContext) throws -> CampaignDraft {
        let draft = CampaignDraft(campaign: campaign, timeZone: context.timeZone)
        let size = EditorSize(draft)
        guard !size.isTooLarge else { throw EditorTooLarge(size: size) }
        return draft
    }

    static func view(
        _ context: PageContext,
        _ draft: CampaignDraft,
        isDirty: Bool,
        problems: [FieldProblem] = []
    ) async throws -> EditorView {
        var surroundings = EditorView.Surroundings(problems: problems, isDirty: isDirty)
        surroundings.types = try await context.store.contentTypes().map(ContentTypeFields.init)
        surroundings.names = try await AudienceNames.read(context, for: draft.fields.part(.audience))
        var view = EditorView(draft, surroundings)
        let isNeeded = try await context.ask { server, caller in try server.approvals.isNeeded(by: caller) }
        view.launchText =
            isNeeded
            ? localized("Review & request approval")
            : view.isRunning ? localized("Save & review") : localized("Review & launch")
        if let id = draft.id.flatMap(CampaignID.init(checking:)), let campaign = try await context.store.campaign(id) {
            view.needsApproval = isNeeded && campaign.hasReachedUsers
            view.approvalNotice = try await ApprovalNotice.of(campaign, context)
        }
        return view
    }

    private static func page(_ context: PageContext, _ draft: CampaignDraft) async throws -> Response {
        try page(context, try await view(context, draft, isDirty: false))
    }

    static func page(_ context: PageContext, _ view: EditorView, status: HTTPResponse.Status = .ok) throws -> Response {
        let title = view.isNew ? view.heading : localized("Edit \(view.heading)")
        return try context.page("editor", title: title, in: .campaigns, status: status, view)
    }

    // MARK: Changing the form

    /// Adds and removes rows: the form comes back with what was typed, and nothing is kept.
    @Sendable static func reshape(_ context: PageContext) async throws -> Response {
        var draft = CampaignDraft(form: context.form, timeZone: context.formTimeZone)
        let parts = context.form.value(.do).split(at: " ", maxSplits: 2).map(String.init)
        var problems: [FieldProblem] = []
        let addsControl = parts == ["add", "c.variants", "control"]
        let share = addsControl ? draft.traffic.controlPercent : TrafficSplit.usualControl
        var reshaped = share.flatMap { draft.reshape(parts, controlShare: $0) }
        if share == nil { problems = [CampaignDraft.controlShareProblem] }
        switch parts.first {
        case "fields": reshaped = try await addFields(context, parts, &draft)
        case "json":
            let read = AudienceJSON.read(context.form.value(.audienceJSON), timeZone: context.formTimeZone)
            if let fields = read.fields { draft.fields = FormPlace("audience").changing(draft.fields) { _ in fields } }
            problems = read.problems
        default: break
        }
        let typed = CampaignDraft(form: context.form, timeZone: context.formTimeZone)
        if EditorSize(draft).isTooLarge(after: EditorSize(typed)) {
            // What was typed stays; a form with more could be sent in vain alone.
            draft = typed
            reshaped = nil
            problems = [EditorTooLarge.fullForm]
        }
        var view = try await view(context, draft, isDirty: true, problems: problems)
        view.reshaped = reshaped.map { [$0] } ?? []
        view.problemHeading = localized("Fix these fields")
        if parts.first == "reach" {
            view.reach = try await ReachText.read(context, draft.audience)
        }
        guard context.request.headers[.placardPart] != nil else { return try page(context, view) }
        return try context.part("editor-fields", view)
    }

    private static func addFields(
        _ context: PageContext,
        _ parts: [String],
        _ draft: inout CampaignDraft
    ) async throws -> CampaignDraft.Reshaped? {
        guard parts.count > 1, let index = Int(parts[1]) else { return nil }
        let chosen = context.form.value(named: "content_type_\(index)")
        let types = try await context.store.contentTypes()
        guard let type = types.first(where: { $0.classType == chosen }).map(ContentTypeFields.init) else { return nil }
        draft.addPairs(["class_type"] + type.fields.map(\.name), value: type.classType, toVariant: index)
        return CampaignDraft.Reshaped(place: "c.variants[\(index)].card.extras", said: localized("Fields added."))
    }

    // MARK: Saving

    @Sendable static func save(_ context: PageContext) async throws -> Response {
        let draft = CampaignDraft(form: context.form, timeZone: context.formTimeZone)
        do {
            guard draft.problems.isEmpty else {
                // Everything at once, with what the API says of the rest.
                return try await refused(context, draft, try await EditorChecks.errors(context, draft))
            }
            guard let saved = try await send(context, draft, try draft.content()) else {
                let id = CampaignID(rawValue: PageFormatter.shown(draft.id))
                return .seeOther("\(CampaignPages.address(of: id))/approval?done=approval-requested")
            }
            let address = CampaignPages.address(of: saved.id)
            let done = draft.id == nil ? "created" : "saved"
            switch context.form[.then] {
            case "launch": return .seeOther("\(address)/launch")
            case "test": return .seeOther("\(address)/test")
            default: return .seeOther("\(address)/edit?done=\(done)")
            }
        } catch is ModelErrors {
            return try await refused(context, draft, try await EditorChecks.errors(context, draft))
        } catch let refusal as ServiceError where refusal.code == "version_conflict" {
            return try await conflict(context, draft)
        } catch let refusal as ServiceError where (400..<500).contains(refusal.status) && refusal.status != 404 {
            let found = try await EditorChecks.errors(context, draft)
            let known = found.contains { $0.path == refusal.path } ? found : [FieldProblem(refusal)] + found
            return try await refused(context, draft, known)
        }
    }

    private static func refused(
        _ context: PageContext,
        _ draft: CampaignDraft,
        _ problems: [FieldProblem]
    ) async throws -> Response {
        try page(context, try await view(context, draft, isDirty: true, problems: problems), status: .badRequest)
    }

    /// Saves a draft, or asks for approval where another member has to give it, and returns `nil` then.
    private static func send(
        _ context: PageContext,
        _ draft: CampaignDraft,
        _ content: Campaign.Content
    ) async throws -> Campaign? {
        guard let id = draft.id else {
            return try await context.change { server, caller in
                try await server.campaigns.create(content, id: draft.fields.text(.id), by: caller).campaign
            }
        }
        let version = draft.version ?? 0
        do {
            return try await context.change { server, caller in
                try await server.campaigns.update(id, from: version, to: content, by: caller).campaign
            }
        } catch let refusal as ServiceError where refusal.code == "approval_required" {
            _ = try await context.change { server, caller in
                try await server.approvals.request(id, version: version, content: content, by: caller)
            }
            return nil
        }
    }

    /// An edit conflict: shows what the other member changed beside what was typed; the next save goes on top of
    /// theirs.
    private static func conflict(_ context: PageContext, _ draft: CampaignDraft) async throws -> Response {
        guard let id = draft.id else { throw DashboardError.notFound }
        let current = try await context.ask { server, _ in try await server.campaigns.campaign(id) }.json
        let mine = draft.rebased(on: current)
        var view = try await view(context, mine, isDirty: true)
        view.isConflict = true
        let labels = try await context.labels(of: [draft.base, current, ["audience": mine.audience]])
        view.differences = CampaignDifference.list(draft.base, current, beside: mine, labels: labels)
        return try page(context, view, status: .conflict)
    }
}

extension HTTPField.Name {
    /// Says that a script asks for a part of a page.
    static let placardPart = checked("Placard-Part")
}
