import OrderedCollections
import WireJSON

extension TimeWindow {
    init?(_ fields: JSONFields) throws(ModelError) {
        let days = try fields.double("within_days", in: AttributeClause.days)
        let calendarDays = try fields.integer("within_calendar_days", in: 1...36_525)
        switch (days, calendarDays) {
        case (nil, nil): return nil
        case (let days?, nil): self = .days(days)
        // safe: at most 36,525
        case (nil, let days?): self = .calendarDays(Int(days))
        default: throw fields.invalid("within_calendar_days", "It does not go with within_days.")
        }
    }

    func write(to members: inout JSONObject) {
        switch self {
        case .days(let days): members["within_days"] = JSONValue(number: days)
        // safe: both have 64 bits
        case .calendarDays(let days): members["within_calendar_days"] = .integer(Int64(days))
        }
    }
}

extension ContactClause {
    /// The maximum number of variants that a clause may list; those of earlier versions of a campaign count too.
    static let maximumVariants = 100

    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(
            json,
            at: path,
            known: ["id", "variants", "contact", "within_days", "within_calendar_days"]
        )
        guard let id = CampaignID(checking: try fields.requiredString("id")) else {
            throw fields.invalid("id", "The id of a campaign is expected.")
        }
        var variants: Set<VariantID> = []
        let texts = try fields.strings("variants") ?? []
        guard texts.count <= Self.maximumVariants else {
            throw fields.invalid("variants", "At most \(Self.maximumVariants) variants are expected.")
        }
        for (index, text) in texts.enumerated() {
            guard let variant = VariantID(checking: text) else {
                throw fields.invalid("variants[\(index)]", "The id of a variant is expected.")
            }
            variants.insert(variant)
        }
        guard let contact = Contact(rawValue: try fields.string("contact") ?? Contact.received.rawValue) else {
            let known = Contact.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("contact", "There is no such contact. Known: \(known).")
        }
        self.init(contact, id, variants: variants, within: try TimeWindow(fields))
    }

    var json: JSONValue {
        var members: JSONObject = [
            "id": .string(campaign.rawValue), "contact": .string(contact.rawValue),
        ]
        if !variants.isEmpty { members["variants"] = .array(variants.sorted().map { .string($0.rawValue) }) }
        window?.write(to: &members)
        return .object(members)
    }
}

extension RandomBucket {
    init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(json, at: path, known: ["from", "to", "salt"])
        // safe: both are constants
        let numbers = Int64(Self.numbers.lowerBound)...Int64(Self.numbers.upperBound)
        let first = try fields.integer("from", in: numbers) ?? numbers.lowerBound
        let last = try fields.integer("to", in: numbers) ?? numbers.upperBound
        guard first <= last else { throw fields.invalid("to", "It has to be from or more.") }
        let salt = try fields.string("salt") ?? ""
        guard salt.utf8.count <= 64 else { throw fields.invalid("salt", "At most 64 bytes are expected.") }
        // safe: asked for above
        self.init(Int(first)...Int(last), salt: salt)
    }

    var json: JSONValue {
        var members: JSONObject = [
            "from": .integer(Int64(range.lowerBound)), "to": .integer(Int64(range.upperBound)),
        ]
        if !salt.isEmpty { members["salt"] = .string(salt) }
        return .object(members)
    }
}

extension JSONValue {
    /// A number as parsing would give it: whole where it is.
    init(number: Double) { self = Int64(exactly: number).map(JSONValue.integer) ?? .number(number) }
}
