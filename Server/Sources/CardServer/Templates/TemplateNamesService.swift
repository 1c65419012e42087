import CardModel
import CardStore
import OrderedCollections
package import WireJSON

/// Finds what an editor can offer to those who write a template or an audience.
package struct TemplateNamesService: Sendable {
    let services: Services

    /// Returns the names of attributes, events, products, content blocks, filters and tags, each as a list.
    package func names() async throws -> JSONValue {
        let store = services.store
        var seen = SeenNames()
        for place in SeenNames.places {
            for user in try await store.listUsers(startingWith: "", after: place, limit: 60) { seen.add(user) }
        }
        for type in ["custom", "purchase"] {
            let page = try await store.searchEvents(matching: EventLogFilter(type: type), before: nil, limit: 500)
            for event in page.events { seen.add(event) }
        }
        let engine = services.catalog.current.engine
        for campaign in try await store.searchCampaigns(matching: CampaignFilter(), after: nil, limit: 60) {
            seen.triggerProperties.formUnion(engine.triggerProperties(of: campaign.content))
        }
        let standard = StandardAttribute.allCases.map(\.rawValue)
        return [
            "attributes": .strings(standard + ["user_id"]),
            "kept_attributes": .strings(AttributeClause.SystemAttribute.allCases.map(\.rawValue)),
            "custom_attributes": .names(seen.attributes),
            "trigger_properties": .names(seen.triggerProperties),
            "events": .names(seen.events),
            "event_properties": .names(seen.eventProperties),
            "products": .names(seen.products),
            "content_blocks": .array(
                engine.contentBlocks.map { ["name": .string($0.name), "description": .string($0.description)] }
            ),
            "filters": .strings(engine.filterNames),
            "tags": .strings(engine.tagNames),
        ]
    }
}

/// Names that were met in a part of what is known: enough to offer, and quick however much there is.
private struct SeenNames {
    /// The maximum number of names of each kind that are kept.
    private static let limit = 500
    /// The places where users are looked at: at the beginning, and in the middle of what IDs look like.
    static let places: [UserID?] = [nil] + ["3", "7", "c", "k", "t"].map { UserID(rawValue: $0) }

    var attributes: Set<ByteString> = []
    var events: Set<ByteString> = []
    var eventProperties: Set<ByteString> = []
    var products: Set<ByteString> = []
    var triggerProperties: Set<ByteString> = []

    mutating func add(_ user: UserProfile) {
        if attributes.count < Self.limit { attributes.formUnion(user.custom.keys.lazy.map { ByteString($0) }) }
    }

    mutating func add(_ event: StoredEvent) {
        if let name = event.details["name"]?.string, events.count < Self.limit { events.insert(ByteString(name)) }
        if let id = event.details["product_id"]?.string, products.count < Self.limit { products.insert(ByteString(id)) }
        if eventProperties.count < Self.limit {
            let names = (event.details["properties"]?.object ?? [:]).keys
            eventProperties.formUnion(names.lazy.map { ByteString($0) })
        }
    }
}

extension JSONValue {
    fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    fileprivate static func names(_ names: Set<ByteString>) -> JSONValue { .strings(names.sorted().map(\.text)) }
}
