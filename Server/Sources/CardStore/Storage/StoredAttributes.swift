package import CardModel
package import OrderedCollections
package import WireJSON

/// A user's attributes as a column holds them: a JSON object, or NULL for none.
///
/// An attribute that is `null` is one that was removed, so it is not stored.
package enum StoredAttributes {
    /// Custom attributes, by name.
    package typealias Custom = JSONObject
    /// Standard attributes.
    package typealias Standard = OrderedDictionary<StandardAttribute, JSONValue>

    /// Returns custom attributes as JSON, or `nil` for none.
    package static func bytes(of attributes: Custom) -> [UInt8]? {
        let attributes = attributes.contains { $0.value.isNull } ? attributes.filter { !$0.value.isNull } : attributes
        return attributes.isEmpty ? nil : JSONValue.object(attributes).bytes
    }

    /// Beside an address that a device set last; `true`.
    package static let claims: [(name: String, attribute: StandardAttribute)] = [
        ("email_from_device", .email), ("phone_from_device", .phone),
    ]

    /// Returns standard attributes as JSON, or `nil` for none.
    package static func bytes(of attributes: Standard, claimed: ClaimedAddresses) -> [UInt8]? {
        var members = Custom(minimumCapacity: attributes.count)
        for (name, value) in attributes { members[name.rawValue] = value }
        if !claimed.isEmpty {
            for claim in claims where claimed.contains(ClaimedAddresses(claim.attribute)) { members[claim.name] = true }
        }
        return bytes(of: members)
    }

    /// Restores custom attributes from JSON, or from `nil` for none.
    package static func custom(_ json: JSONValue?) throws(StoreError) -> Custom {
        guard let json else { return [:] }
        guard let members = json.object else { throw StoreError.unreadable("a user's attributes") }
        return members
    }

    /// Restores standard attributes from JSON; one that a newer version named is passed over.
    package static func standard(_ json: JSONValue?) throws(StoreError) -> Standard {
        var claimed: ClaimedAddresses = []
        return try standard(json, &claimed)
    }

    /// Restores standard attributes from JSON as above, and which of the addresses a device set last.
    package static func standard(
        _ json: JSONValue?,
        _ claimed: inout ClaimedAddresses
    ) throws(StoreError) -> Standard {
        var attributes: Standard = [:]
        for (name, value) in try custom(json) {
            if let name = StandardAttribute(rawValue: name) {
                attributes[name] = value
            } else if let claim = claims.first(where: { ByteString($0.name) == ByteString(name) }), value == true {
                claimed.formUnion(ClaimedAddresses(claim.attribute))
            }
        }
        return attributes
    }

    /// Restores custom attributes of those names from the UTF-8 of JSON, passing over all others.
    package static func custom(
        _ text: some Sequence<UInt8>,
        named names: Set<ByteString>
    ) throws(StoreError) -> Custom {
        do {
            return try JSONReader.read(text) { reader throws(JSONError) in
                var members: Custom = [:]
                try reader.beginObject()
                while let key = try reader.nextKey() {
                    let name = key.string
                    if names.contains(ByteString(name)) {
                        members[name] = try reader.readValue()
                    } else {
                        try reader.skipValue()
                    }
                }
                return members
            }
        } catch {
            throw StoreError.unreadable("a user's attributes")
        }
    }
}
