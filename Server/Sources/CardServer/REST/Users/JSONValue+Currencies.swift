import CardModel
import WireJSON

extension JSONValue {
    /// Returns amounts as an object, by the codes of their currencies.
    static func object(byCurrency amounts: [String: Amount]) -> JSONValue {
        var members: JSONObject = [:]
        for (currency, amount) in amounts.sorted(by: { $0.key < $1.key }) { members[currency] = JSONValue(amount) }
        return .object(members)
    }
}
