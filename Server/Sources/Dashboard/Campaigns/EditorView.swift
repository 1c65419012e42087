import CardModel
import WireJSON

/// The editor as a page draws it.
struct EditorView {
    typealias Choice = AudienceView.Choice

    struct Pair {
        let place: String
        let key: String
        let value: String
        let hint: String?
    }

    struct VariantView {
        let place: String
        let index: Int
        let letter: String
        let id: String
        let name: String
        let weight: String
        let share: String
        let isControl: Bool
        let isShown: Bool
        let canRemove: Bool
        let layouts: [Choice]
        let title: String
        let description: String
        let image: String
        let ratio: String
        let alt: String
        let domain: String
        let url: String
        let language: String
        let priority: String
        let opensInWebView: Bool
        let isPinned: Bool
        let dismissible: [Choice]
        let expiresAt: String
        let expiresHours: String
        let pairs: [Pair]
        let nextPair: String
    }

    struct Problem {
        let text: String
        let place: String
        let anchor: String
    }

    struct Difference {
        let place: String
        let theirs: String
        let mine: String
        let base: String
    }

    let action: String
    let base: String
    let isNew: Bool
    let heading: String
    let name: String
    let tags: String
    let variants: [VariantView]
    let hasControl: Bool
    let deliveries: [Choice]
    let isLocal: Bool
    let start: String
    let end: String
    let event: String
    let delay: String
    let again: [Choice]
    let days: String
    let follows: Bool
    let freezes: Bool
    let isUncapped: Bool
    let isLoud: Bool
    let audience: AudienceView
    let contentTypes: [Choice]
    let hasContentTypes: Bool
    let previewVariants: [Choice]
    let isDirty: Bool
    var reach: String?
    var problems: [Problem] = []
    var hasProblems = false
    var differences: [Difference] = []
    var isConflict = false

    init(_ draft: CampaignDraft, contentTypes types: [ContentTypeFields], isDirty: Bool) {
        self.isDirty = isDirty
        let fields = draft.fields
        let id = draft.id
        action = id.map { "/dashboard/campaigns/\(FormData.escape($0))/edit" } ?? "/dashboard/campaigns/new"
        base = draft.base.text
        isNew = id == nil
        name = fields["name"]?.string ?? ""
        heading = id == nil ? "New campaign" : name
        tags = fields["tags"]?.string ?? ""
        let weights = draft.variants.map { Int($0.text("weight") ?? "") ?? 0 }
        let total = weights.reduce(0, +)
        let launched = !(draft.base["launched_at"]?.double == nil)
        let kept = Set((draft.base["variants"]?.array ?? []).compactMap { $0["id"]?.string })
        variants = draft.variants.enumerated().map { index, variant in
            let canRemove = draft.variants.count > 1 && !(launched && kept.contains(variant.text("id") ?? ""))
            let share = total > 0 ? Wording.percent(Double(weights[index]) / Double(total)) : "–"
            return VariantView(variant, index, share: share, canRemove: canRemove, types)
        }
        hasControl = draft.variants.contains { $0.isOn("control") }
        let delivery = fields["delivery"] ?? [:]
        deliveries = AudienceView.choices(
            [("scheduled", "By schedule"), ("action", "After an event"), ("api_triggered", "By your backend")],
            delivery.text("kind") ?? "scheduled"
        )
        isLocal = delivery.isOn("local")
        start = delivery["start"]?.string ?? ""
        end = delivery["end"]?.string ?? ""
        event = delivery["event"]?.string ?? ""
        delay = delivery["delay"]?.string ?? ""
        let rules = fields["rules"] ?? [:]
        again = AudienceView.choices(
            [("", "As usual for this delivery"), ("never", "Never again"), ("after", "Again after some days")],
            rules.text("again") ?? ""
        )
        days = rules["days"]?.string ?? ""
        follows = rules.isOn("follow")
        freezes = rules.isOn("freeze")
        isUncapped = rules.isOn("uncapped")
        isLoud = rules.isOn("loud")
        audience = AudienceView(fields["audience"] ?? [:], reshape: "/dashboard/campaigns/reshape")
        contentTypes = types.map { Choice(value: $0.classType, name: $0.classType, isChosen: false) }
        hasContentTypes = !types.isEmpty
        previewVariants = variants.filter { !$0.isControl }.map {
            Choice(value: String($0.index), name: $0.name.isEmpty ? $0.letter : $0.name, isChosen: $0.index == 0)
        }
    }

    mutating func show(_ refusal: (path: String, message: String)) {
        let index = refusal.path.firstMatch(of: /variants\[(\d+)\]/).flatMap { Int($0.1) }
        let anchor =
            index.map { "variant-\($0)" } ?? refusal.path.split(separator: ".").first.map(String.init) ?? "name"
        problems.append(Problem(text: refusal.message, place: Self.wording(refusal.path), anchor: anchor))
        hasProblems = true
    }

    /// `variants[1].card.title` as people say it.
    static func wording(_ path: String) -> String {
        path.replacing(/variants\[(\d+)\]/) { "variant \(Int($0.1).map { $0 + 1 } ?? 0)" }
            .replacing("card.", with: "").replacing(".", with: ", ").replacing("_", with: " ")
    }
}

extension EditorView.VariantView {
    init(_ fields: JSONValue, _ index: Int, share: String, canRemove: Bool, _ types: [ContentTypeFields]) {
        let card = fields["card"] ?? [:]
        func text(_ name: String) -> String { card[name]?.string ?? "" }
        place = "c.variants[\(index)]"
        self.index = index
        id = fields.text("id") ?? String(Character(Unicode.Scalar(UInt8(97 + min(index, 25)))))
        letter = String(id.prefix(1))
        name = fields["name"]?.string ?? ""
        weight = fields["weight"]?.string ?? "1"
        self.share = share
        isControl = fields.isOn("control")
        isShown = !isControl
        self.canRemove = canRemove
        layouts = AudienceView.choices(
            CardTemplate.Layout.allCases.reversed().map { ($0.rawValue, $0.displayName) },
            card.text("type") ?? "classic"
        )
        title = text("title")
        description = text("description")
        image = text("image")
        ratio = text("image_aspect_ratio")
        alt = text("image_alt")
        domain = text("domain")
        url = text("url")
        language = text("language")
        priority = text("priority")
        opensInWebView = card.isOn("open_url_in_web_view")
        isPinned = card.isOn("pinned")
        dismissible = AudienceView.choices(
            [("", "Unless it is pinned"), ("yes", "Yes"), ("no", "No")],
            card.text("dismissible") ?? ""
        )
        expiresAt = text("expires_at")
        expiresHours = text("expires_hours")
        let extras = card["extras"]?.array ?? []
        let known = extras.first { $0.text("key") == "class_type" }?.text("value")
        let type = types.first { $0.classType == known }
        let base = place
        pairs = extras.enumerated().map { number, pair in
            EditorView.Pair(
                place: "\(base).card.extras[\(number)]",
                key: pair["key"]?.string ?? "",
                value: pair["value"]?.string ?? "",
                hint: type?.hint(of: pair.text("key") ?? "")
            )
        }
        nextPair = "\(place).card.extras[\(extras.count)]"
    }
}

/// What the app says that its typed contents expect.
struct ContentTypeFields: Sendable {
    struct Field: Sendable {
        let name: String
        let type: String
        let isOptional: Bool
    }

    let classType: String
    let fields: [Field]

    init(_ json: JSONValue) {
        classType = json["class_type"]?.string ?? ""
        let schema = json["schema"] ?? json
        fields = (schema["fields"]?.array ?? []).map { field in
            Field(
                name: field["name"]?.string ?? field["key"]?.string ?? "",
                type: field["type"]?.string ?? "string",
                isOptional: field["optional"]?.bool ?? field["required"]?.bool.map { !$0 } ?? false
            )
        }
    }

    func hint(of key: String) -> String? {
        fields.first { $0.name == key }.map { "\($0.type)\($0.isOptional ? ", may be left out" : "")" }
    }
}
