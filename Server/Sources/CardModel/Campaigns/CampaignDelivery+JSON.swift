import OrderedCollections
import WireJSON

extension Campaign.DeliveryMode {
    private enum Kind: String, CaseIterable {
        case scheduled
        case action
        case apiTriggered = "api_triggered"
    }

    init(json: JSONValue, at path: String) throws(ModelError) {
        guard !json.isNull else {
            self = .scheduled(start: nil, end: nil)
            return
        }
        guard json.object != nil else { throw ModelError(.fieldInvalid, at: path, "An object is expected.") }
        let name = json["type"] ?? .null
        guard let kind = name.isNull ? .scheduled : name.string.flatMap(Kind.init) else {
            let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(.fieldInvalid, at: path + ".type", "There is no such delivery. Known: \(known).")
        }
        switch kind {
        case .scheduled: try self.init(scheduled: json, at: path)
        case .action: self = .action(try Campaign.ActionDelivery(json: json, at: path))
        case .apiTriggered: self = .apiTriggered(try Campaign.APIDelivery(json: json, at: path))
        }
    }

    private init(scheduled json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["type", "start_at", "end_at", "local_time"])
        guard try fields.bool("local_time") ?? false else {
            let (start, end) = try fields.schedule()
            self = .scheduled(start: start, end: end)
            return
        }
        let (start, end) = (try fields.localTime("start_at"), try fields.localTime("end_at"))
        if let start, let end, end <= start { throw fields.endTooEarly }
        self = .scheduledLocally(start: start, end: end)
    }

    var json: JSONValue {
        switch self {
        case .scheduled(let start, let end):
            var members: JSONObject = ["type": "scheduled"]
            members.setSchedule(start, end)
            return .object(members)
        case .scheduledLocally(let start, let end):
            return [
                "type": "scheduled", "start_at": start.map { .string($0.text) } ?? .null,
                "end_at": end.map { .string($0.text) } ?? .null, "local_time": true,
            ]
        case .action(let action):
            var members: JSONObject = [
                "type": "action", "trigger": action.trigger.json, "delay": .number(action.delay),
                "window": .number(action.window),
            ]
            members.setSchedule(action.start, action.end)
            return .object(members)
        case .apiTriggered(let api):
            var members: JSONObject = [
                "type": "api_triggered", "window": .number(api.window),
            ]
            members.setSchedule(api.start, api.end)
            return .object(members)
        }
    }
}

extension Campaign.ActionDelivery {
    fileprivate init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(
            json,
            at: path,
            known: ["type", "trigger", "delay", "window", "start_at", "end_at"]
        )
        guard let trigger = fields["trigger"] else { throw fields.missing("trigger") }
        let (start, end) = try fields.schedule()
        self.init(
            trigger: try EventCondition(json: trigger, at: fields.place("trigger")),
            delay: try fields.double("delay", in: 0...Self.longestDelay) ?? 0,
            window: try fields.window(),
            start: start,
            end: end
        )
    }
}

extension Campaign.APIDelivery {
    fileprivate init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["type", "window", "start_at", "end_at"])
        let (start, end) = try fields.schedule()
        self.init(window: try fields.window(), start: start, end: end)
    }
}

extension JSONFields {
    fileprivate var endTooEarly: ModelError { invalid("end_at", "The end has to be after the start.") }

    fileprivate func schedule() throws(ModelError) -> (start: UnixTime?, end: UnixTime?) {
        let (start, end) = (try time("start_at"), try time("end_at"))
        if let start, let end, end <= start { throw endTooEarly }
        return (start, end)
    }

    fileprivate func window() throws(ModelError) -> Double {
        try double("window", in: 1...Campaign.longestWindow) ?? Campaign.defaultWindow
    }

    /// Reads a date and time that name no zone.
    func localTime(_ name: String) throws(ModelError) -> LocalTime? {
        guard let text = try string(name) else { return nil }
        guard let time = LocalTime(text) else {
            throw invalid(name, "A time without a zone such as 2027-01-31T09:00:00 is expected.")
        }
        return time
    }
}

extension JSONObject {
    fileprivate mutating func setSchedule(_ start: UnixTime?, _ end: UnixTime?) {
        self["start_at"] = start.map(JSONValue.number) ?? .null
        self["end_at"] = end.map(JSONValue.number) ?? .null
    }
}
