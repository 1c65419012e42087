import CardModel
import CardStore
import WireJSON

/// The body of `POST /users/track`, read: what can be taken, and what is wrong with the rest.
struct TrackRequest {
    /// The maximum number of objects in each of the three arrays.
    static let limit = 75

    /// The changes that can be taken: attributes, then events, then purchases.
    private(set) var changes: [TrackedChange] = []
    /// The array that each change came from, and its place there.
    private(set) var places: [(array: InputError.Array, index: Int)] = []
    /// The errors of what cannot be taken.
    private(set) var errors: [InputError] = []

    private let makeUserID: () -> UserID

    /// Reads a body.
    ///
    /// - Throws: `RequestError` where nothing of it can be taken, or it has too much.
    init(_ body: JSONValue, at now: UnixTime, keptDays: Int? = nil, makeUserID: @escaping () -> UserID) throws {
        self.makeUserID = makeUserID
        var events = BackendEventReading(now: now, keptDays: keptDays)
        try read(.attributes, of: body) { object throws(BackendInputError) in
            .attributes(try AttributeReading.read(object))
        }
        try read(.events, of: body) { object throws(BackendInputError) in .event(try events.event(object)) }
        try read(.purchases, of: body) { object throws(BackendInputError) in .event(try events.purchase(object)) }
        guard !changes.isEmpty else {
            throw RequestError.fatal(
                "nothing_to_do",
                "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.",
                errors
            )
        }
    }

    private mutating func read(
        _ array: InputError.Array,
        of body: JSONValue,
        _ makeContent: (JSONValue) throws(BackendInputError) -> TrackedChange.TrackedContent
    ) throws {
        guard let value = body[array.rawValue], !value.isNull else { return }
        // Some clients send the only object without an array around it.
        guard let objects = value.array ?? (value.object != nil ? [value] : nil) else {
            throw RequestError.fatal("field_invalid", "'\(array.rawValue)' has to be an array.")
        }
        guard objects.count <= Self.limit else {
            throw RequestError.fatal(
                "too_many_objects",
                "Max Input Length Exceeded: '\(array.rawValue)' has more than \(Self.limit) objects."
            )
        }
        for (index, object) in objects.enumerated() {
            do throws(BackendInputError) {
                let user = try UserReference(object)
                let content = try makeContent(object)
                changes.append(TrackedChange(user: user, newUser: try newUser(user, object), content: content))
                places.append((array, index))
            } catch {
                errors.append(InputError(type: error.type, array: array, index: index))
            }
        }
    }

    /// The id with which a user is made: an alias makes none unless that is asked for, everything else does unless that
    /// is ruled out.
    private func newUser(_ user: UserReference, _ object: JSONValue) throws(BackendInputError) -> UserID? {
        let isUpdateOnly = try BackendFlag.read("_update_existing_only", in: object)
        switch user {
        case .id(let id):
            let isExternal = object["external_id"].map { !$0.isNull } ?? false
            return isExternal && isUpdateOnly != true ? id : nil
        case .alias: return isUpdateOnly == false ? makeUserID() : nil
        case .email, .phone: return isUpdateOnly == true ? nil : makeUserID()
        }
    }
}
