import CardModel
import CardStore
import WireJSON

extension PreparedStatement {
    /// Reads a row of `SQL.loggedEvents`, or returns `nil` where conversions don't depend on such an event.
    func loggedEvent() -> DeviceEvent? {
        guard let id = (withBlob(0) { EventID(bytes: $0) }) else { return nil }
        let details = optionalText(3).flatMap { try? JSONValue(parsing: $0) }
        return DeviceEvent(id, logged: text(1), at: double(2), details ?? .null)
    }
}
