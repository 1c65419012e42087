import CardModel
import CardStore
import WireJSON

extension PreparedStatement {
    /// Reads a row of `SQL.loggedEvents`, or returns `nil` where conversions don't depend on such an event.
    func loggedEvent(_ details: String?) -> DeviceEvent? {
        let type = text(1)
        guard DeviceEvent.historyTypes.contains(type), let id = (withBlob(0) { EventID(bytes: $0) }) else {
            return nil
        }
        return DeviceEvent(id, logged: type, at: double(2), details.flatMap { try? JSONValue(parsing: $0) } ?? .null)
    }
}
