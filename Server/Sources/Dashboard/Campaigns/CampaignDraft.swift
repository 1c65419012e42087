import CardModel
import Foundation
import OrderedCollections
import WireJSON

/// A campaign while it is edited: what the form's fields hold, whether it makes sense yet or not.
///
/// What the form has no field for stays as it was in ``base``.
struct CampaignDraft: Sendable {
    /// The campaign as it was when the editing began, or an empty object.
    let base: JSONValue
    /// What the fields hold, by place.
    var fields: JSONValue
    let timeZone: String

    /// Begins to edit a campaign.
    init(campaign: JSONValue, timeZone: String) {
        base = campaign
        self.timeZone = timeZone
        fields = .null
        fields = Self.fields(of: campaign, DraftTimes(zone: timeZone))
    }

    /// Takes what a form brought.
    init(form: FormData, timeZone: String) {
        base = form["base"].flatMap { try? JSONValue(parsing: $0) } ?? [:]
        self.timeZone = timeZone
        var tree = FormTree.json(form)["c"] ?? [:]
        // Old names of the form's own fields are no part of the draft.
        if tree.object == nil { tree = [:] }
        fields = tree
    }

    var version: Int64? { base["version"]?.integer }
    var id: String? { base["id"]?.string }
    var variants: [JSONValue] { fields["variants"]?.array ?? [] }

    // MARK: From a campaign

    private static func fields(of campaign: JSONValue, _ times: DraftTimes) -> JSONValue {
        let delivery = campaign["delivery"] ?? [:]
        var members: OrderedDictionary<String, JSONValue> = [
            "name": .string(campaign["name"]?.string ?? ""),
            "tags": .string(campaign["tags"]?.array?.compactMap(\.string).joined(separator: ", ") ?? ""),
            "audience": AudienceFields.fields(of: campaign["audience"] ?? .null),
            "rules": rules(of: campaign["rules"] ?? [:]),
        ]
        let trigger = delivery["trigger"] ?? [:]
        members["delivery"] = [
            "kind": .string(delivery["type"]?.string ?? "scheduled"),
            "local": .string(delivery["local_time"]?.bool == true ? "on" : ""),
            "start": .string(times.field(delivery["start_at"] ?? .null)),
            "end": .string(times.field(delivery["end_at"] ?? .null)),
            "event": .string(trigger["event"]?.string ?? ""),
            "delay": .string(((delivery["delay"]?.double ?? 0) / 60).fieldText),
        ]
        let variants = campaign["variants"]?.array ?? []
        members["variants"] = .array(variants.map { fields(ofVariant: $0, times) })
        return .object(members)
    }

    private static func rules(of rules: JSONValue) -> JSONValue {
        let days = rules["reeligible_after_days"]?.double
        let kind = rules["reeligible"]?.bool.map { $0 ? "after" : "never" } ?? ""
        func flag(_ name: String) -> JSONValue { .string(rules[name]?.bool == true ? "on" : "") }
        return [
            "again": .string(kind), "days": .string(days?.fieldText ?? ""), "follow": flag("follow_audience"),
            "freeze": flag("freeze"), "uncapped": flag("ignore_frequency_caps"), "loud": flag("ignore_quiet_hours"),
        ]
    }

    private static func fields(ofVariant variant: JSONValue, _ times: DraftTimes) -> JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [
            "id": .string(variant["id"]?.string ?? ""), "name": .string(variant["name"]?.string ?? ""),
            "weight": .string(variant["weight"]?.fieldText ?? "1"),
            "control": .string(variant["control"]?.bool == true ? "on" : ""),
        ]
        guard let card = variant["card"] else { return .object(members) }
        var fields: OrderedDictionary<String, JSONValue> = [:]
        for name in cardTexts { fields[name] = .string(card[name]?.fieldText ?? "") }
        fields["open_url_in_web_view"] = .string(card["open_url_in_web_view"]?.bool == true ? "on" : "")
        fields["pinned"] = .string(card["pinned"]?.bool == true ? "on" : "")
        fields["dismissible"] = .string(card["dismissible"]?.bool.map { $0 ? "yes" : "no" } ?? "")
        fields["expires_at"] = .string(times.field(card["expires_at"] ?? .null))
        fields["expires_hours"] = .string(card["expires_after"]?.double.map { ($0 / 3_600).fieldText } ?? "")
        fields["extras"] = .array(
            (card["extras"]?.object ?? [:]).map { ["key": .string($0.key), "value": .string($0.value.fieldText)] }
        )
        members["card"] = .object(fields)
        return .object(members)
    }

    static let cardTexts = [
        "type", "title", "description", "image", "image_aspect_ratio", "image_alt", "domain", "url", "priority",
        "language",
    ]

    // MARK: To a campaign

    /// The campaign as the API takes it.
    var campaign: JSONValue {
        var members = base.object ?? [:]
        let times = DraftTimes(zone: timeZone)
        members["name"] = .string(fields.text("name") ?? "")
        let tags = (fields["tags"]?.string ?? "").split(separator: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
        members["tags"] = .array(tags.map(JSONValue.string))
        members["delivery"] = delivery(times)
        members["audience"] = AudienceFields.audience(of: fields["audience"] ?? [:])
        members["rules"] = rules
        let known = Dictionary(
            (base["variants"]?.array ?? []).map { ($0["id"]?.string ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
        members["variants"] = .array(variants.map { variant($0, known[$0.text("id") ?? ""], times) })
        return .object(members)
    }

    private func delivery(_ times: DraftTimes) -> JSONValue {
        let form = fields["delivery"] ?? [:]
        let kind = form.text("kind") ?? "scheduled"
        var members: OrderedDictionary<String, JSONValue> =
            base["delivery"]?["type"]?.string == kind ? base["delivery"]?.object ?? [:] : [:]
        members["type"] = .string(kind)
        let isLocal = kind == "scheduled" && form.isOn("local")
        members["local_time"] = isLocal ? true : JSONValue?.none
        members["start_at"] = times.value(form.text("start"), isLocal: isLocal)
        members["end_at"] = times.value(form.text("end"), isLocal: isLocal)
        if kind == "action" {
            var trigger = members["trigger"]?.object ?? [:]
            if trigger["purchase"] == nil || form.text("event") != nil {
                trigger["purchase"] = JSONValue?.none
                trigger["event"] = .string(form.text("event") ?? "")
            }
            members["trigger"] = .object(trigger)
            members["delay"] = .number((Double(form.text("delay") ?? "0") ?? 0) * 60)
        }
        return .object(members)
    }

    private var rules: JSONValue {
        let form = fields["rules"] ?? [:]
        var members = base["rules"]?.object ?? [:]
        let again = form.text("again")
        members["reeligible"] = again.map { .bool($0 == "after") } ?? JSONValue?.none
        members["reeligible_after_days"] = again == "after" ? .guessing(form.text("days") ?? "0") : JSONValue?.none
        for (field, name) in [
            ("follow", "follow_audience"), ("freeze", "freeze"), ("uncapped", "ignore_frequency_caps"),
            ("loud", "ignore_quiet_hours"),
        ] { members[name] = form.isOn(field) ? true : JSONValue?.none }
        return .object(members)
    }

    private func variant(_ form: JSONValue, _ known: JSONValue?, _ times: DraftTimes) -> JSONValue {
        var members = known?.object ?? [:]
        let isControl = form.isOn("control")
        members["id"] = .string(form.text("id") ?? "")
        members["name"] = .string(form.text("name") ?? "")
        members["weight"] = .guessing(form.text("weight") ?? "0")
        members["control"] = .bool(isControl)
        members["card"] = isControl ? JSONValue?.none : card(form["card"] ?? [:], known?["card"], times)
        return .object(members)
    }

    private func card(_ form: JSONValue, _ known: JSONValue?, _ times: DraftTimes) -> JSONValue {
        var members = known?.object ?? [:]
        for name in Self.cardTexts { members[name] = form.text(name).map(JSONValue.string) ?? JSONValue?.none }
        for name in ["image_aspect_ratio", "priority"] { members[name] = form.text(name).map(JSONValue.guessing) }
        members["type"] = .string(form.text("type") ?? "classic")
        members["open_url_in_web_view"] = form.isOn("open_url_in_web_view") ? true : JSONValue?.none
        members["pinned"] = form.isOn("pinned") ? true : JSONValue?.none
        members["dismissible"] = form.text("dismissible").map { .bool($0 == "yes") } ?? JSONValue?.none
        members["expires_at"] =
            form.text("expires_at").map { times.value($0, isLocal: members["expires_in_local_time"]?.bool == true) }
            ?? JSONValue?.none
        members["expires_after"] =
            form.text("expires_hours").flatMap(Double.init).map { .number($0 * 3_600) } ?? JSONValue?.none
        var extras: OrderedDictionary<String, JSONValue> = [:]
        for pair in form["extras"]?.array ?? [] {
            if let key = pair.text("key") { extras[key] = .string(pair["value"]?.string ?? "") }
        }
        members["extras"] = extras.isEmpty ? JSONValue?.none : .object(extras)
        return .object(members)
    }
}

extension Double {
    /// The number as a field shows it: whole where it is.
    var fieldText: String { Int64(exactly: self).map { String($0) } ?? String(self) }
}

/// Times as fields of pages have them, `2026-11-21T09:40`, in the workspace's time zone.
struct DraftTimes {
    let zone: String

    private var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone) ?? .gmt
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm"
        return formatter
    }

    func field(_ value: JSONValue) -> String {
        // A time without a zone is the user's own, and stands as it is.
        if let text = value.string { return String(text.prefix(16)) }
        return value.double.map { formatter.string(from: Date(timeIntervalSince1970: $0)) } ?? ""
    }

    func value(_ field: String?, isLocal: Bool) -> JSONValue {
        guard let field else { return .null }
        if isLocal { return .string(field.utf8.count == 16 ? field + ":00" : field) }
        return formatter.date(from: field).map { .number($0.timeIntervalSince1970) } ?? .string(field)
    }
}
