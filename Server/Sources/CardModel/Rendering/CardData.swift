import Liquid
import OrderedCollections
import Synchronization
import WireJSON

/// The user's data that templates read, made of the profile once for all cards of a feed.
final class ViewerData: Sendable {
    let profile: UserProfile
    private let known = Mutex<LiquidValue?>(nil)

    init(_ profile: UserProfile) { self.profile = profile }

    /// The attributes that the app or backend named.
    var custom: LiquidValue {
        known.withLock { known in
            let value = known ?? LiquidValue(json: .object(profile.custom))
            known = value
            return value
        }
    }
}

/// The data that the templates of a card can read, found when they ask for it.
final class CardData: LiquidObject {
    /// Other names that templates use for standard attributes.
    private static let aliases: [String: StandardAttribute] = [
        "email_address": .email, "phone_number": .phone, "city": .homeCity, "date_of_birth": .dateOfBirth,
        "most_recent_locale": .language,
    ]

    private let viewer: ViewerData
    private let campaign: Campaign
    private let variant: VariantID
    /// A JSON object, or `nil` for none.
    private let properties: [UInt8]?
    private let known = Mutex<LiquidValue?>(nil)
    private let clock: TimeZoneClock
    private let now: UnixTime

    init(
        _ viewer: ViewerData,
        _ campaign: Campaign,
        _ variant: VariantID,
        properties: [UInt8]?,
        clock: TimeZoneClock,
        at now: UnixTime
    ) {
        self.viewer = viewer
        self.campaign = campaign
        self.variant = variant
        self.properties = properties
        self.clock = clock
        self.now = now
    }

    private var profile: UserProfile { viewer.profile }

    /// The trigger that the card was given for.
    private var trigger: LiquidValue {
        known.withLock { known in
            let value = known ?? LiquidValue(json: properties.flatMap { try? JSONValue(parsing: $0) } ?? .object([:]))
            known = value
            return value
        }
    }

    subscript(key: String) -> LiquidValue? {
        switch key {
        case "user_id", "external_id": return .string(profile.id.rawValue)
        case "custom_attribute": return viewer.custom
        case "api_trigger_properties", "event_properties": return trigger
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
        // safe: both have 64 bits
        case .integer(let value): self = .int(Int(value))
        case .number(let value): self = .double(value)
        case .decimal(let value): self = .double(value.double)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map(LiquidValue.init(json:)))
        case .object(let members):
            self = .hash(LiquidHash(members.map { (key: $0.key, value: LiquidValue(json: $0.value)) }))
        }
    }
}
