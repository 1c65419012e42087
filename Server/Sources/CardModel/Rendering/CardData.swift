import Liquid
import OrderedCollections
import WireJSON

/// What the templates of a card can read, found when they ask for it.
final class CardData: LiquidObject {
    /// Other names that templates use for standard attributes.
    private static let aliases: [String: StandardAttribute] = [
        "email_address": .email, "phone_number": .phone, "city": .homeCity, "date_of_birth": .dateOfBirth,
        "most_recent_locale": .language,
    ]

    private let profile: UserProfile
    private let campaign: Campaign
    private let variant: VariantID
    private let properties: JSONValue
    private let clock: TimeZoneClock
    private let now: UnixTime

    init(_ viewer: CardViewer, _ campaign: Campaign, _ variant: VariantID, properties: [UInt8]?) {
        profile = viewer.profile
        self.campaign = campaign
        self.variant = variant
        self.properties = properties.flatMap { try? JSONValue(parsing: $0) } ?? .object([:])
        clock = viewer.clock
        now = viewer.now
    }

    subscript(key: String) -> LiquidValue? {
        switch key {
        case "user_id", "external_id": return .string(profile.id.rawValue)
        case "custom_attribute": return LiquidValue(json: .object(profile.custom))
        case "api_trigger_properties", "event_properties": return LiquidValue(json: properties)
        case "campaign": return campaignData
        case "most_recent_locale": return profile.device.locale.map(LiquidValue.string)
        case "most_recent_app_version": return profile.device.appVersion.map(LiquidValue.string)
        default:
            guard let attribute = StandardAttribute(rawValue: key) ?? Self.aliases[key] else { return nil }
            return profile.value(of: attribute).map(LiquidValue.init(json:))
        }
    }

    private var campaignData: LiquidValue {
        let name = campaign.variant(variant)?.name ?? ""
        let pairs: [(key: String, value: LiquidValue)] = [
            ("name", .string(campaign.content.name)), ("api_id", .string(campaign.id.rawValue)),
            ("message_name", .string(name)), ("message_api_id", .string(variant.rawValue)),
        ]
        return .hash(LiquidHash(pairs))
    }

    /// Tells the time where the user is.
    var calendar: LiquidCalendar {
        let (clock, now) = (clock, now)
        var calendar = LiquidCalendar(
            now: { now },
            offset: { zone, time in TimeZoneClock(named: zone)?.offset(at: time) }
        )
        calendar.homeOffset = { clock.offset(at: $0) }
        return calendar
    }
}

extension LiquidValue {
    /// Takes over a JSON value.
    init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .int(Int(value))
        case .number(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map(LiquidValue.init(json:)))
        case .object(let members):
            self = .hash(LiquidHash(members.map { (key: $0.key, value: LiquidValue(json: $0.value)) }))
        }
    }
}
