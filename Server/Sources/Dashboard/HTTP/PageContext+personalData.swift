import CardModel
import WireJSON

extension PageContext {
    /// Returns what the member may see of a campaign, segment or audience.
    func shown(_ json: JSONValue) -> JSONValue { hidesPersonalData ? site.personalData.masked(json) : json }

    /// Whether the member sees neither attributes, addresses and ids of users nor their feeds.
    var hidesPersonalData: Bool { member.role == .viewer && site.server.settings().masksPersonalData }

    /// Throws where the member isn't meant to see personal data.
    func requirePersonalData() throws {
        if hidesPersonalData { throw DashboardError.personalData }
    }
}
