import CardModel
import WireJSON

extension JSONValue {
    /// Returns amounts as an object, by the codes of their currencies.
    static func object(byCurrency amounts: [String: Amount]) -> JSONValue {
        .object(
            JSONObject(
                uniqueKeysWithValues:
                    amounts.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue($0.value)) }
            )
        )
    }
}
