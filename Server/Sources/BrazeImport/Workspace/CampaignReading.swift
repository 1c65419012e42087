import CardModel
import WireJSON

/// A campaign of an export as a draft that reaches no one until a person chooses its audience.
struct CampaignReading {
    private static let maximumVariants = 20
    private static let maximumConversions = 4
    /// The names of the channel of content cards: the one in messages, the other in descriptions of messages.
    private static let channels = ["content_cards", "content_card"]

    /// The campaign's fields, as the model reads them.
    private(set) var content: JSONObject
    /// The work that is to be done by hand.
    private(set) var remarks: [String] = []

    /// Whether it is one that backends send by its id.
    let isTriggeredByAPI: Bool

    /// Reads a campaign, or returns `nil` where none of its messages is a content card.
    ///
    /// - Parameters:
    ///   - members: The fields of `/campaigns/details`.
    ///   - engine: What the templates are checked with.
    init?(_ members: JSONObject, _ engine: TemplateEngine) {
        let messages = Self.messages(members["messages"])
        let cards = messages.filter { Self.channels.contains($0["channel"]?.string ?? "") }
        guard !cards.isEmpty else { return nil }
        let schedule = members["schedule_type"]?.string?.lowercased() ?? ""
        isTriggeredByAPI = schedule.contains("api")
        // No one, until a person chooses an audience: a draft that is launched by mistake reaches no one.
        content = ["audience": ["any": []]]
        remarks.append("Its audience isn't in the export. It matches no one: set it before a launch.")
        readSchedule(schedule)
        readVariants(cards, engine)
        readTags(members["tags"])
        readConversions(members["conversion_behaviors"])
        let others = Set(messages.compactMap { $0["channel"]?.string }).subtracting(Self.channels).sorted()
        if !others.isEmpty {
            remarks.append("Its messages of other channels were left out: \(others.joined(separator: ", ")).")
        }
        if let text = members["description"]?.string, !text.isEmpty { remarks.append("It was described as: \(text)") }
        if members["has_post_launch_draft"]?.bool == true {
            remarks.append("It has edits that were not launched, which were left out.")
        }
    }

    /// Gives the campaign its name.
    mutating func setName(_ name: String) { content["name"] = .string(name) }

    /// The messages, which are named by their ids.
    private static func messages(_ json: JSONValue?) -> [JSONObject] {
        if let elements = json?.array { return elements.compactMap(\.object) }
        return (json?.object ?? [:]).compactMap { $0.value.object }
    }

    private mutating func readSchedule(_ schedule: String) {
        if isTriggeredByAPI {
            content["delivery"] = ["type": "api_triggered"]
        } else if schedule.contains("action") || schedule.contains("trigger") {
            remarks.append("What triggers it isn't in the export. It is scheduled: set its delivery.")
        } else {
            remarks.append("When it was to start and end isn't in the export.")
        }
    }

    private mutating func readVariants(_ cards: [JSONObject], _ engine: TemplateEngine) {
        var variants: [JSONValue] = []
        var hasControl = false
        for message in cards {
            let isControl = message["type"]?.string == "control"
            if variants.count == Self.maximumVariants || isControl && hasControl {
                remarks.append("It has more variants than are possible: \(name(of: message)) was left out.")
                continue
            }
            hasControl = hasControl || isControl
            variants.append(isControl ? ["control": true, "name": "Control"] : variant(message, engine))
        }
        content["variants"] = .array(variants)
        if variants.count > 1 {
            remarks.append("How users were split isn't in the export. All variants weigh the same.")
        }
    }

    private func name(of message: JSONObject) -> String { message["name"]?.string ?? "one" }

    private mutating func variant(_ message: JSONObject, _ engine: TemplateEngine) -> JSONValue {
        var reading = CardReading(message)
        reading.withholdTemplates(engine)
        let name = message["name"]?.string ?? ""
        remarks += reading.remarks.map { name.isEmpty ? $0 : "\(name): \($0)" }
        var variant: JSONObject = ["card": .object(reading.card)]
        if !name.isEmpty { variant["name"] = .string(LimitedText.of(name)) }
        return .object(variant)
    }

    private mutating func readTags(_ json: JSONValue?) {
        let tags = LimitedText.tags(json)
        content["tags"] = .array(tags.kept.map(JSONValue.string))
        if tags.left > 0 { remarks.append("\(tags.left) of its tags can't be kept and were left out.") }
    }

    private mutating func readConversions(_ json: JSONValue?) {
        var conversions: [JSONValue] = []
        for (index, behavior) in (json?.array ?? []).enumerated() {
            guard let goal = Self.goal(behavior), conversions.count < Self.maximumConversions else {
                let type = behavior["type"]?.string ?? "one without a type"
                remarks.append("The conversion event \(index + 1) (\(type)) isn't possible for cards.")
                continue
            }
            var conversion: JSONObject = ["id": .string("conversion-\(conversions.count + 1)"), "on": goal]
            if let window = behavior["window"]?.double {
                let possible = min(max(window, 1), Campaign.Conversion.longestWindow)
                conversion["window_seconds"] = .number(possible)
                if possible != window { remarks.append("The window of the conversion event \(index + 1) was cut.") }
            }
            if behavior["app_ids"]?.array != nil {
                remarks.append("The conversion event \(index + 1) was of some apps. It counts in all.")
            }
            conversions.append(.object(conversion))
        }
        if !conversions.isEmpty { content["conversions"] = .array(conversions) }
    }

    /// Returns the goal of users in a conversion event, or `nil` where a card can't lead to it.
    private static func goal(_ behavior: JSONValue) -> JSONValue? {
        func named(_ key: String, _ field: String) -> JSONValue? {
            guard let name = behavior[field]?.string, IdentityText.isValid(name) else { return nil }
            return [key: .string(name)]
        }
        switch behavior["type"]?.string {
        case "Makes Any Purchase": return ["purchase": true]
        case "Makes Specific Purchase": return named("purchase", "product")
        case "Performs Custom Event": return named("event", "custom_event_name")
        case "Starts Session": return ["session_start": true]
        default: return nil
        }
    }
}
