import WireJSON

/// The conversions of all campaigns, by what brings them about: most events bring about none.
///
/// A class: every batch of events carries it to the store.
public final class ConversionRules: Sendable {
    /// A conversion that an event may be.
    public struct ConversionMatch: Sendable, Hashable {
        /// The campaign.
        public let campaign: CampaignID
        /// The conversion.
        public let conversion: Campaign.Conversion
    }

    private enum Key: Hashable {
        case event(ByteString)
        case purchase
        case sessionStart
    }

    private struct Listener: Sendable {
        let match: ConversionMatch
        let key: Key
        /// `nil` where every event of the key is meant.
        let condition: EventMatcher?
    }

    /// No conversions.
    public static let none = ConversionRules([])

    private let listeners: [Key: [Listener]]
    private let seen: [CampaignID: [Listener]]

    /// Takes the conversions of campaigns that were ever launched and are not archived.
    public init(_ campaigns: [Campaign]) {
        var listeners: [Key: [Listener]] = [:]
        var seen: [CampaignID: [Listener]] = [:]
        for campaign in campaigns where campaign.launchedAt != nil && campaign.status != .archived {
            for conversion in campaign.content.conversions {
                let match = ConversionMatch(campaign: campaign.id, conversion: conversion)
                let key = Self.key(conversion.goal)
                let listener = Listener(match: match, key: key, condition: conversion.goal.matcher)
                listeners[key, default: []].append(listener)
                if conversion.opening == .impression { seen[campaign.id, default: []].append(listener) }
            }
        }
        self.listeners = listeners
        self.seen = seen
    }

    private static func key(_ kind: DeviceEvent.EventKind) -> Key? {
        switch kind {
        case .custom(let name): .event(name)
        case .purchase: .purchase
        case .sessionStart: .sessionStart
        case .impression, .click, .dismissal, .contentError, .attributes: nil
        }
    }

    private static func key(_ goal: Campaign.Conversion.Goal) -> Key {
        switch goal {
        case .sessionStart: .sessionStart
        case .event(let condition):
            switch condition.subject {
            case .event(let name): .event(name)
            case .purchase: .purchase
            }
        }
    }

    /// The conversions that an event may be.
    public func matches(_ event: DeviceEvent) -> [ConversionMatch] { matches(ReadableEvent(event)) }

    /// The conversions that an event may be, as far as its work allows to ask for them.
    func matches(_ readable: ReadableEvent) -> [ConversionMatch] {
        guard let key = Self.key(readable.event.kind), let listeners = listeners[key] else { return [] }
        return listeners.filter { $0.condition?.matches(readable) ?? true }.map(\.match)
    }

    /// The conversions of a campaign whose windows impressions open.
    public func openedByImpression(of campaign: CampaignID) -> [ConversionMatch] { seen[campaign]?.map(\.match) ?? [] }

    /// Whether impressions open the window of a conversion of a campaign.
    public func isOpenedByImpression(of campaign: CampaignID) -> Bool { seen[campaign] != nil }

    /// Finds what may count again for cards whose windows impressions opened.
    ///
    /// - Parameters:
    ///   - campaign: The campaign of the cards.
    ///   - events: Events, in any order.
    /// - Returns: The conversions whose windows impressions open, each with the events that may be it.
    func openedByImpression(
        of campaign: CampaignID,
        among events: [ReadableEvent]
    ) -> [(ConversionMatch, [DeviceEvent])] {
        (seen[campaign] ?? []).map { listener in
            let found = events.filter { readable in
                Self.key(readable.event.kind) == listener.key && listener.condition?.matches(readable) ?? true
            }
            return (listener.match, found.map(\.event))
        }
    }
}

extension Campaign.Conversion.Goal {
    fileprivate var matcher: EventMatcher? {
        if case .event(let condition) = self { EventMatcher(condition) } else { nil }
    }
}
