import WireJSON

/// The audience of a form that has little else, such as that of a segment.
struct AudienceForm {
    /// The audience that was saved, or an empty object.
    let base: JSONValue
    var fields: JSONValue
    let timeZone: String
    var reach: ReachText.Answer?
    var reshaped: [CampaignDraft.Reshaped] = []
    var problems: [FieldProblem] = []

    /// The id of what was saved, or `nil` for something new.
    var savedID: String? { base.text(.id) }
    /// Whether what was saved is archived.
    var isArchived: Bool { base[.archived]?.bool ?? false }

    private var saved: JSONValue { base[.audience] ?? .null }
    private var form: AudienceFields { AudienceFields(times: DraftTimes(zone: timeZone)) }

    /// Begins to edit.
    init(of base: JSONValue, timeZone: String) {
        self.base = base
        self.timeZone = timeZone
        fields = .null
        fields = form.fields(of: saved)
    }

    /// Takes what a form brought.
    init(form: FormData, timeZone: String) {
        base = form[.base].flatMap { try? JSONValue(parsing: $0) } ?? [:]
        self.timeZone = timeZone
        fields = FormTree.fields(of: form)[.audience] ?? ["kind": "all"]
    }

    /// Returns the form on top of what another member has saved since: what nobody touched in it is theirs.
    func rebased(on current: JSONValue) -> AudienceForm {
        let before = AudienceForm(of: base, timeZone: timeZone)
        var rebased = AudienceForm(of: current, timeZone: timeZone)
        rebased.fields = FormMerge.merge(fields, rebased.fields, since: before.fields)
        return rebased
    }

    /// The audience as the API takes it.
    var audience: JSONValue {
        var baseValues = BaseValues()
        form.keep(saved, in: &baseValues)
        return form.audience(of: fields, baseValues)
    }

    /// Does what a button says that only changes the form.
    mutating func apply(_ context: PageContext) async throws {
        let order = context.form.value(.do).split(at: " ", maxSplits: 2).map(String.init)
        switch order.first {
        case "reach":
            let answer = try await ReachText.read(context, audience)
            (reach, problems) = (answer, answer.problem.map { [$0] } ?? [])
        case "json":
            let read = AudienceJSON.read(context.form.value(.audienceJSON), timeZone: timeZone)
            fields = read.fields ?? fields
            problems = read.problems
        default:
            var draft = CampaignDraft(fields: ["audience": fields], over: [:], timeZone: timeZone)
            reshaped = draft.reshape(order).map { [$0] } ?? []
            fields = draft.fields[.audience] ?? fields
        }
    }

    func view(_ context: PageContext, reshape: String) async throws -> AudienceView {
        let json = audience
        return AudienceView(
            fields,
            json: json.isNull ? "{}" : json.indentedText,
            reshape: reshape,
            FieldMaker(problems),
            try await AudienceNames.read(context, for: fields)
        )
    }
}
