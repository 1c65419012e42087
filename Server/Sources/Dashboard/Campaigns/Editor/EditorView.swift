import CardModel
import WireJSON

/// The editor as a page draws it.
struct EditorView {
    struct EditorFinding {
        let text: String
        let spot: String
        let anchor: String
        /// Whether the field itself says it.
        let isAtField: Bool
    }

    /// The parts of the editor beside the draft.
    struct Surroundings: Sendable {
        var types: [ContentTypeFields] = []
        var names = AudienceNames()
        /// The names that audiences in words have.
        var labels = AudienceLabels()
        var problems: [FieldProblem] = []
        var isDirty = false
    }

    /// The share of the traffic that a variant has.
    struct Split {
        let share: String
        /// Whether the weights are per cents, which have to add up to 100.
        let isPercent: Bool
    }

    /// As many problems as anybody reads.
    private static let shownProblems = 50

    let action: String
    let base: String
    /// The time zone in which times are shown.
    let timeZone: String
    let isNew: Bool
    let heading: String
    let reportAddress: String?
    let isRunning: Bool
    /// Whether nobody has the campaign yet, so that saving it changes no feed.
    let isDraft: Bool
    let name: FieldView
    let tags: FieldView
    let newID: FieldView
    let salt: FieldView
    let variants: [VariantView]
    let hasControl: Bool
    /// The way in which the form says that the weights are meant.
    let split: String
    let controlShare: FieldView
    let audience: AudienceView
    let delivery: DeliveryView
    let rules: RulesView
    let conversions: [ConversionView]
    let canAddConversion: Bool
    let contentTypes: [FieldOption]
    let hasContentTypes: Bool
    let segments: [AudienceNames.Named]
    let campaigns: [AudienceNames.Named]
    let languages: [FieldOption]
    let previewVariants: [FieldOption]
    let previewLanguages: [FieldOption]
    let isDirty: Bool
    let problems: [EditorFinding]
    let hasProblems: Bool
    /// The heading above the problems.
    var problemHeading = localized("Couldn’t save: fix these fields")
    /// Every field with what it says, for comparing campaigns.
    let entries: [FieldMaker.NamedField]
    /// The fields in which something is wrong.
    let noted: [(fieldID: String, notes: [FieldView.Note])]
    var reach: ReachText.Answer?
    /// The page's notice about an earlier version; not `notice`, which is the page's own.
    var restoreNotice: String?
    /// The templates that a new campaign can begin with; empty for one that was begun.
    var templates: [CampaignTemplate.TemplateLink] = [] {
        didSet { hasTemplates = !templates.isEmpty }
    }
    private(set) var hasTemplates = false
    var differences: [CampaignDifference] = []
    var isConflict = false
    /// The label of the button that leads to the review.
    var launchText = ""
    /// Whether what is saved waits for another member's approval.
    var needsApproval = false
    var approvalNotice: ApprovalNotice?
    /// The places where to go on after rows were added or removed.
    var reshaped: [CampaignDraft.Reshaped] = []

    init(_ draft: CampaignDraft, _ surroundings: Surroundings) {
        let maker = FieldMaker(surroundings.problems)
        let (fields, id) = (draft.fields, draft.id)
        action = id.map { "/dashboard/campaigns/\(FormData.escape(part: $0))/edit" } ?? "/dashboard/campaigns/new"
        reportAddress = id.map { "/dashboard/campaigns/\(FormData.escape(part: $0))" }
        base = draft.base.text
        timeZone = draft.timeZone
        isNew = id == nil
        (isRunning, isDraft) = (draft.base[.status] == "active", isNew || draft.base[.status] == "draft")
        isDirty = surroundings.isDirty
        heading = id == nil ? localized("New campaign") : draft.base.value(.name)
        maker.group = localized("Campaign")
        func line(_ field: DraftField, _ label: String, _ style: FieldView.Style) -> FieldView {
            maker.make(.line, label, at: "c.\(field.rawValue)", path: field.rawValue, value: fields.value(field), style)
        }
        name = line(.name, localized("Name"), .init())
        tags = line(.tags, localized("Tags"), .init(hint: localized("Comma-separated. Frequency caps can use tags.")))
        newID = line(.id, localized("Campaign ID"), .init(hint: localized("Leave empty to generate an ID.")))
        salt = line(
            .salt,
            localized("Seed"),
            .init(hint: localized("A new seed reassigns users to variants."), isPart: false)
        )
        variants = Self.variants(draft, surroundings.types, maker)
        split = draft.isSplitInPercent ? TrafficForm.percent : ""
        controlShare = Self.controlShare(draft, maker)
        hasControl = draft.variants.contains { $0.isOn(.control) }
        delivery = DeliveryView(fields.part(.delivery), maker)
        rules = RulesView(fields.part(.rules), maker)
        let goals = fields.rows(.conversions)
        conversions = goals.enumerated().map { ConversionView($1, $0, maker) }
        canAddConversion = goals.count < Campaign.Conversion.limit
        let audienceJSON = draft.audience
        audience = AudienceView(
            fields.part(.audience),
            json: audienceJSON.isNull ? "{}" : audienceJSON.indentedText,
            reshape: "/dashboard/campaigns/reshape",
            maker,
            surroundings.names
        )
        let summary = (try? Audience(json: audienceJSON))?.localizedSummary(surroundings.labels) ?? audienceJSON.text
        maker.note(localized("Audience"), "audience#", "audience", summary)
        contentTypes = surroundings.types.map { FieldOption(value: $0.classType, name: $0.classType, isChosen: false) }
        hasContentTypes = !surroundings.types.isEmpty
        segments = surroundings.names.segments
        campaigns = surroundings.names.campaigns
        languages = LanguageNames.offered
        previewVariants = variants.filter(\.isShown).enumerated().map { number, variant in
            let name = variant.variantName.isEmpty ? variant.letter : variant.variantName
            return FieldOption(value: String(variant.index), name: name, isChosen: number == 0)
        }
        let tags = Set(
            draft.variants.flatMap { $0.part(.card).rows(.translations) }.compactMap { $0.text(.tag) }
        )
        previewLanguages = tags.sorted().map {
            FieldOption(value: $0, name: LanguageNames.name($0) ?? $0, isChosen: false)
        }
        (entries, noted) = (maker.entries, maker.noted)
        problems = surroundings.problems.filter { !$0.isWarning }.prefix(Self.shownProblems)
            .map { Self.problem($0, maker) }
        hasProblems = !problems.isEmpty
    }

    private static func controlShare(_ draft: CampaignDraft, _ maker: FieldMaker) -> FieldView {
        maker.make(
            .line,
            localized("Control group share (%)"),
            at: FormField.controlShare.rawValue,
            path: CampaignDraft.controlSharePath,
            value: draft.traffic.controlShare,
            .init(
                placeholder: String(TrafficSplit.usualControl),
                inputMode: "numeric",
                mark: "control-share",
                isPart: true
            )
        )
    }

    private static func variants(
        _ draft: CampaignDraft,
        _ types: [ContentTypeFields],
        _ maker: FieldMaker
    ) -> [VariantView] {
        // The sum of what was typed need not be a number that an integer can hold.
        let weights = draft.variants.map(TrafficSplit.weight)
        let total = weights.reduce(0, +)
        let isLaunched = draft.base[.launchedAt]?.double != nil
        let kept = Set(draft.base.rows(.variants).compactMap { $0[.id]?.string })
        let isPercent = draft.isSplitInPercent
        var letters = Array("ABCDEFGHIJKLMNOPQRST").map { String($0) }[...]
        return draft.variants.enumerated().map { index, variant in
            let canRemove = draft.variants.count > 1 && !(isLaunched && kept.contains(variant.trimmed(.id)))
            let whole = isPercent ? 100 : total
            // safe: numbers with a fraction, and a whole that isn't 0
            let share = whole > 0 ? PageFormatter.percent(weights[index] / whole) : "–"
            let split = Split(share: share, isPercent: isPercent)
            // Variants are lettered by their places, so that no two look the same, whatever their ids.
            let letter = variant.isOn(.control) ? "0" : PageFormatter.shown(letters.popFirst())
            return VariantView(variant, index, split, letter: letter, canRemove: canRemove, types, maker)
        }
    }

    private static func problem(_ problem: FieldProblem, _ maker: FieldMaker) -> EditorFinding {
        let entry = maker.entry(for: problem.path)
        let section = problem.path.prefix { $0.isLetter || $0 == "_" }
        let place = entry.map { $0.group.isEmpty ? $0.label : "\($0.group), \($0.label)" } ?? fieldName(problem.path)
        let line = problem.line.map { localized(" (line \($0), column \(problem.column ?? 1))") } ?? ""
        return EditorFinding(
            text: problem.message + line,
            spot: place,
            anchor: entry?.fieldID ?? (section.isEmpty ? "main" : String(section)),
            isAtField: maker.noted.contains { $0.fieldID == entry?.fieldID }
        )
    }

    /// Returns the name of a field for people, such as that of `variants[1].card.title`.
    static func fieldName(_ path: String) -> String {
        switch path {
        case "name": localized("name")
        case "tags": localized("tags")
        case "delivery": localized("delivery")
        case "variants": localized("variants")
        case "rules": localized("rules")
        default: words(of: path)
        }
    }

    private static func words(of path: String) -> String {
        // characters: a path that only people read
        path.replacing(/variants\[(\d+)\]/) { localized("variant \(Int64($0.1)?.addingClamped(1) ?? 0)") }
            // characters: a path that only people read
            .replacing("card.", with: "").replacing(".", with: ", ").replacing("_", with: " ")
    }
}
