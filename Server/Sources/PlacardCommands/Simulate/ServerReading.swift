import Foundation
import Simulation
import WireJSON

/// Reads everything that a comparison needs from the server.
struct ServerReading {
    private static let eventLimit = 1000

    let api: ManagementClient

    func read(users: [String]) async throws -> LedgerComparison.ServerSide {
        var side = LedgerComparison.ServerSide()
        for user in users { try await read(user, into: &side) }
        for campaign in try await api.get("campaigns")["campaigns"]?.array ?? [] {
            let id = campaign["id"]?.string ?? ""
            let report = try await api.get("campaigns", id, "report")
            for variant in report["variants"]?.array ?? [] {
                let place = LedgerComparison.Place(campaign: id, variant: variant["id"]?.string ?? "")
                side.reports[place] = LedgerComparison.Counts(variant)
            }
        }
        return side
    }

    private func read(_ user: String, into side: inout LedgerComparison.ServerSide) async throws {
        guard let profile = try await api.find("users", user) else { return }
        for card in profile["cards"]?.array ?? [] {
            let place = LedgerComparison.Place(
                campaign: card["campaign_id"]?.string ?? "",
                variant: card["variant_id"]?.string ?? ""
            )
            side.deliveries[place, default: 0] += 1
        }
        let limit = [URLQueryItem(name: "limit", value: "\(Self.eventLimit)")]
        let events = try await api.get("users", user, "events", query: limit)["events"]?.array ?? []
        guard events.count < Self.eventLimit else {
            throw CommandError("\(user) has too many events to compare. Give fewer --seconds.")
        }
        side.events += events.map { event in
            LedgerComparison.ServerEvent(
                id: event["id"]?.string ?? "",
                user: user,
                type: event["type"]?.string ?? "",
                card: event["card_id"]?.string ?? "-"
            )
        }
    }
}

extension LedgerComparison.Counts {
    fileprivate init(_ json: JSONValue) {
        self.init()
        delivered = json["delivered"]?.integer ?? 0
        impressions = json["impressions"]?.integer ?? 0
        uniqueImpressions = json["unique_impressions"]?.integer ?? 0
        clicks = json["clicks"]?.integer ?? 0
        uniqueClicks = json["unique_clicks"]?.integer ?? 0
        dismissals = json["dismissals"]?.integer ?? 0
    }
}
