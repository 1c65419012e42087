import CardModel
import CardServer
import OrderedCollections
import WireJSON

/// A campaign while it is edited: what the form's fields hold, whether it makes sense yet or not.
///
/// What the form has no field for stays as it was in ``base``, and so does what nobody touched.
struct CampaignDraft: Sendable {
    /// The campaign as it was when the editing began, or an empty object.
    let base: JSONValue
    /// The values of the fields, by place.
    var fields: JSONValue
    let timeZone: String
    /// The traffic that the form sets beside the weights.
    var traffic = TrafficForm()

    /// Begins to edit a campaign.
    init(campaign: JSONValue, timeZone: String) {
        base = campaign
        self.timeZone = timeZone
        fields = Forms(DraftTimes(zone: timeZone)).fields(of: campaign)
    }

    /// Takes what a form brought.
    init(form: FormData, timeZone: String) {
        base = form[.base].flatMap { try? JSONValue(parsing: $0) } ?? [:]
        self.timeZone = timeZone
        fields = FormTree.fields(of: form)
        traffic = TrafficForm(form)
    }

    /// A draft with those fields over a campaign.
    init(fields: JSONValue, over campaign: JSONValue, timeZone: String) {
        base = campaign
        self.fields = fields
        self.timeZone = timeZone
    }

    var version: Int64? { base[.version]?.integer }
    var id: String? { base[.id]?.string }
    var variants: [JSONValue] { fields.rows(.variants) }

    /// The audience as the API takes it, or `null` for all users.
    var audience: JSONValue { campaign[.audience] ?? .null }

    /// The campaign as the API takes it.
    var campaign: JSONValue { Forms(DraftTimes(zone: timeZone)).campaign(fields, over: base) }

    /// Reads what the fields say of the campaign.
    ///
    /// - Returns: The campaign's content, which is what is saved.
    /// - Throws: `ModelErrors`, with an error for each field that is wrong.
    func content() throws(ModelErrors) -> Campaign.Content {
        try Campaign.Content.read(campaign, allowing: Campaign.keptFieldNames)
    }
}

/// The forms that turn each part of a campaign into fields, and fields into it.
private struct Forms {
    let times: DraftTimes
    let delivery: DeliveryFields
    let rules: RulesFields
    let conversion: ConversionFields
    let card: CardFormFields
    let audience: AudienceFields

    init(_ times: DraftTimes) {
        self.times = times
        delivery = DeliveryFields(times: times)
        rules = RulesFields(times: times)
        conversion = ConversionFields(times: times)
        card = CardFormFields(times: times)
        audience = AudienceFields(times: times)
    }

    // MARK: From a campaign

    func fields(of campaign: JSONValue) -> JSONValue {
        [
            "name": .string(campaign.value(.name)),
            "tags": .string(ValueText.list(ofTexts: campaign[.tags] ?? [])),
            "salt": .string(campaign.value(.salt)),
            "audience": audience.fields(of: campaign[.audience] ?? .null),
            "delivery": delivery.fields(of: campaign.part(.delivery)),
            "rules": rules.fields(of: campaign.part(.rules)),
            "conversions": .array(campaign.rows(.conversions).map(conversion.fields)),
            "variants": .array(fields(ofVariants: campaign.rows(.variants))),
        ]
    }

    private func fields(ofVariants variants: [JSONValue]) -> [JSONValue] {
        let percents = TrafficSplit.percents(of: variants)
        return variants.enumerated().map { index, variant in
            fields(ofVariant: variant, weight: percents.map { String($0[index]) } ?? variant[.weight]?.fieldText)
        }
    }

    private func fields(ofVariant variant: JSONValue, weight: String?) -> JSONValue {
        var members: JSONObject = [
            "id": .string(variant.value(.id)), "name": .string(variant.value(.name)),
            "weight": .string(weight ?? "1"),
            "control": .string(variant.isOn(.control) ? "on" : ""),
        ]
        members[.card] = variant[.card].map(card.fields)
        return .object(members)
    }

    // MARK: To a campaign

    func campaign(_ fields: JSONValue, over base: JSONValue) -> JSONValue {
        let baseValues = baseValues(of: base)
        var members = base.object ?? [:]
        if base[.id] == nil { members[.id] = fields.text(.id).map(JSONValue.string) }
        members[.name] = fields.typed(.name)
        members[.tags] = .array(ValueText.texts(fields.value(.tags)).map(JSONValue.string))
        members[.salt] = fields.text(.salt).map(JSONValue.string)
        members[.delivery] = delivery.json(fields.part(.delivery), over: base.part(.delivery), baseValues)
        members[.audience] = audience.audience(of: fields.part(.audience), baseValues)
        members[.rules] = rules.json(fields.part(.rules), over: base.part(.rules), baseValues)
        let conversions = fields.rows(.conversions).map { conversion.json($0, baseValues) }
        members[.conversions] = conversions.isEmpty ? JSONValue?.none : .array(conversions)
        let known = Dictionary(
            base.rows(.variants).map { ($0.value(.id), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let weights = TrafficSplit.unchanged(fields.rows(.variants), over: base.rows(.variants))
        members[.variants] = .array(
            fields.rows(.variants).map { row in
                let id = row.trimmed(.id)
                return variant(row, over: known[id], weight: weights[id], baseValues)
            }
        )
        return .object(members)
    }

    private func variant(
        _ fields: JSONValue,
        over base: JSONValue?,
        weight: JSONValue?,
        _ baseValues: BaseValues
    ) -> JSONValue {
        var members = base?.object ?? [:]
        let isControl = fields.isOn(.control)
        members[.id] = .string(fields.trimmed(.id))
        members[.name] = .string(fields.value(.name))
        members[.weight] = weight ?? TypedNumber.json(fields.text(.weight) ?? "0")
        members[.control] = .bool(isControl)
        members[.card] =
            isControl ? JSONValue?.none : card.json(fields.part(.card), over: base?[.card], baseValues)
        return .object(members)
    }

    /// Returns the values that the fields of the campaign stood for when the editing began.
    private func baseValues(of base: JSONValue) -> BaseValues {
        var baseValues = BaseValues()
        let condition = ConditionFields(times: times)
        func add(_ conditions: [JSONValue]) {
            for json in conditions { baseValues.add(condition.fields(of: json), for: json) }
        }
        if let json = base[.delivery] {
            baseValues.add(delivery.fields(of: json), for: json)
            if let trigger = json[.trigger] { add([trigger]) }
        }
        if let json = base[.rules] {
            baseValues.add(rules.fields(of: json), for: json)
            add(json.rows(.removeOn))
        }
        for json in base.rows(.conversions) {
            baseValues.add(conversion.fields(of: json), for: json)
            if let on = json[.on] { add([on]) }
        }
        for json in base.rows(.variants).compactMap({ $0[.card] }) { keep(json, in: &baseValues) }
        if let json = base[.audience] { audience.keep(json, in: &baseValues) }
        return baseValues
    }

    private func keep(_ json: JSONValue, in baseValues: inout BaseValues) {
        let names = CardFormFields.expiry.map(\.rawValue)
        let expiry = (json.object ?? [:]).filter { names.contains($0.key) }
        if !expiry.isEmpty { baseValues.add(card.expiry(of: json), for: .object(expiry)) }
        for (tag, translation) in json[.translations]?.object ?? [:] {
            baseValues.add(CardFormFields.fields(ofTranslation: translation, tag: tag), for: translation)
        }
    }
}
