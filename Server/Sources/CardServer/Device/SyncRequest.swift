import CardModel
import WireJSON

/// The body of `POST /v1/sync` and, without a cursor and context, of `POST /v1/events`.
struct SyncRequest: Sendable {
    /// The maximum number of events in one request.
    static let maximumEvents = 500

    var user: UserID
    var device: String
    var cursor: FeedCursor?
    /// The cursor as the device sent it.
    var cursorText = ""
    /// The catalog's generation that a live signal told the device of.
    var announced: CatalogGeneration?
    /// The newest generation of the catalog that the device has heard of.
    var knownGeneration: CatalogGeneration { max(cursor?.generation ?? 0, announced ?? 0) }
    var context = DeviceContext()
    /// The platform on which the app runs; a platform that is not known counts as none.
    var platform: CardTemplate.Platform?
    var sentAt: UnixTime?
    var events: [EventDraft] = []
    /// The client that the server counts the request for, or `nil` for none.
    var client: ClientKey?
    /// Whether a signed token says who the user is.
    var isProven = false

    /// Reads a body.
    ///
    /// - Throws: `JSONError` where it is not JSON, `RequestError` where a field is wrong.
    init(_ body: some Sequence<UInt8>) throws {
        let fields = try JSONReader.read(body) { reader throws(JSONError) in try Fields(&reader) }
        if let wrong = fields.wrong {
            throw RequestError.fieldInvalid(wrong, expected: Self.expected(of: wrong))
        }
        guard let user = fields.user else { throw RequestError.fieldMissing("user_id") }
        guard let device = fields.device else { throw RequestError.fieldMissing("device_id") }
        guard let user = UserID(checking: user) else { throw RequestError.userInvalid }
        guard UserID(checking: device) != nil else {
            throw RequestError.fieldInvalid("device_id", expected: Expected.identity)
        }
        guard !fields.hasTooManyEvents else { throw RequestError.tooManyEvents }
        self.user = user
        self.device = device
        cursor = fields.cursor.flatMap(FeedCursor.init)
        cursorText = fields.cursor ?? ""
        // An impossible number is ignored, as an unusable cursor is: the device still gets an answer.
        announced = fields.generation.flatMap(Int64.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
        context = fields.context
        platform = fields.platform.flatMap { CardTemplate.Platform(rawValue: $0.lowercased()) }
        sentAt = fields.sentAt
        events = fields.events
    }

    /// Returns the type of a field, as a refusal names it.
    private static func expected(of field: String) -> String {
        switch field {
        case "events": Expected.array
        case "generation", "sent_at": "a number"
        default: Expected.text
        }
    }

    /// The fields as they stand in the text, before they are judged together.
    private struct Fields: TolerantReading {
        var user: String?
        var device: String?
        /// Whether the names were read: who it is about has to be clear.
        private var hasUser = false
        private var hasDevice = false
        var cursor: String?
        var generation: Double?
        var context = DeviceContext()
        var platform: String?
        var sentAt: UnixTime?
        var events: [EventDraft] = []
        var hasTooManyEvents = false
        /// The first field of the wrong type.
        var wrong: String?

        init(_ reader: inout JSONReader) throws(JSONError) {
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "user_id":
                    if hasUser { throw reader.repeatedName() }
                    user = try string("user_id", &reader)
                    hasUser = true
                case "device_id":
                    if hasDevice { throw reader.repeatedName() }
                    device = try string("device_id", &reader)
                    hasDevice = true
                case "cursor": cursor = try string("cursor", &reader)
                case "generation": generation = try number("generation", &reader)
                case "locale": context.locale = try string("locale", &reader)?.limited
                case "time_zone": context.timeZone = try string("time_zone", &reader)?.limited
                case "app_version": context.appVersion = try string("app_version", &reader)?.limited
                case "platform": platform = try string("platform", &reader)
                case "sent_at": sentAt = try number("sent_at", &reader)
                case "events": try readEvents(&reader)
                default: try reader.skipValue()
                }
            }
        }

        private mutating func readEvents(_ reader: inout JSONReader) throws(JSONError) {
            guard try reader.peek() == .array else { return try passOver("events", &reader) }
            try reader.beginArray()
            while try reader.nextElement() {
                guard events.count < SyncRequest.maximumEvents else {
                    hasTooManyEvents = true
                    try reader.skipValue()
                    continue
                }
                events.append(try EventDraft(&reader))
            }
        }
    }
}

extension String {
    /// The text, or `nil` where it says nothing: what a device says of itself is kept with the user, so it can't be of
    /// any length, nor have characters that end a text elsewhere.
    fileprivate var limited: String? { IdentityText.isValid(self, maximumBytes: 128) ? self : nil }
}

extension RequestError {
    static let userInvalid = RequestError(
        .badRequest,
        "field_invalid",
        "user_id has to be 1 to 512 bytes without control or directional characters.",
        details: [("path", "user_id")]
    )

    static let tooManyEvents = RequestError(
        .badRequest,
        "too_many_events",
        "At most \(SyncRequest.maximumEvents) events fit one request."
    )

    static func fieldMissing(_ name: String) -> RequestError {
        RequestError(.badRequest, "field_missing", "\(name) is required.", details: [("path", .string(name))])
    }

    /// Refuses a field that is something else than what is expected, such as “a whole number from 1 to 9”.
    static func fieldInvalid(_ name: String, expected: String) -> RequestError {
        RequestError(
            .badRequest,
            "field_invalid",
            "\(name) has to be \(expected).",
            details: [("path", .string(name))]
        )
    }
}
