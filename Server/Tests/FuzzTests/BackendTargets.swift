import CardModel
import CardStore
import WireJSON

@testable import CardServer

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What backends send.
extension FuzzTarget {
    private static let now = 1_800_000_000.0

    /// The body of a request of the documented REST API, read by all of its endpoints.
    static let track = FuzzTarget("track", maximumLength: 2_048) { input in
        guard let body = try? JSONValue(parsing: input) else { return }
        try trackChanges(body)
        if let send = try? SendRequest(body) {
            try require(send.recipients.count <= TriggerSend.recipientLimit, "A send has as many recipients as it may")
            try require(send.isBroadcast || !send.recipients.isEmpty, "A send reaches users")
        }
        let controller = SendController()
        _ = try? controller.schedule(body)
        if let due = try? controller.due(body, at: now) {
            try require(due.latest > now && due.latest <= now + Campaign.longestWindow, "A send is due in time")
        }
        _ = try? ExportController().wanted(body)
        _ = try? ExportController().fields(body)
        try identify(body)
    }

    private static func trackChanges(_ body: JSONValue) throws {
        let newID = UserID(rawValue: "new")
        guard let track = try? TrackRequest(body, at: now, makeUserID: { newID }) else { return }
        try requireSame(track.changes.count, track.places.count, "Every change has a place in the request")
        let again = try TrackRequest(body, at: now, makeUserID: { newID })
        for (change, same) in zip(track.changes, again.changes) {
            guard case .event(let event) = change.content, case .event(let twin) = same.content else { continue }
            try requireSame(event.id, twin.id, "A repeated request has the same events")
            try require(event.at <= now, "An event has happened")
        }
    }

    private static func identify(_ body: JSONValue) throws {
        var users = UserInput<UserReference>()
        for name in ["users", "recipients", "aliases_to_identify"] {
            try? users.read(name, of: body) { object throws(BackendInputError) in try UserReference(object) }
        }
        _ = try? users.check(required: "users")
        var aliases = UserInput<UserAlias>()
        try? aliases.read("user_aliases", of: body) { object throws(BackendInputError) in try UserAlias(json: object) }
        for alias in aliases.users {
            try requireSame(
                UserAlias(checkingLabel: alias.label, name: alias.name),
                alias,
                "An alias is valid"
            )
        }
    }

    /// The body of a request of the management API other than a campaign or a segment.
    static let management = FuzzTarget("management", maximumLength: 2_048) { input in
        guard let body = try? JSONValue(parsing: input) else { return }
        if let order = try? TriggerController.order(body) {
            try require(order.recipients.count <= TriggerSend.recipientLimit, "A send has as many recipients as it may")
            try require(order.broadcast == nil || order.recipients.isEmpty, "A broadcast names no recipients")
        }
        if let types = try? ContentTypeReading.types(of: body, at: now) {
            let again = try ContentTypeReading.types(of: ["types": .array(types.map(\.schema))], at: now)
            try requireSame(again.map(\.schema), types.map(\.schema), "Content types are read back")
            let size = types.reduce(0) { $0 + $1.schema.text.utf8.count }
            try require(size <= ContentTypeReading.maximumBytes, "Content types are bounded")
            for type in types { _ = ContentSchema(json: type.schema) }
        }
        if let new = try? NewKey(json: body, at: now) {
            let key = KeySecret(new, createdAt: now).key
            try requireSame(
                key.allowedAddresses.map(\.description).compactMap { AddressRange($0) },
                new.allowedAddresses,
                "Addresses are read back"
            )
            _ = (key.json, KeyCredential.all(of: key))
        }
    }
}
