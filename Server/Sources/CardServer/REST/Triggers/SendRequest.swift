import CardModel
import CardStore
import WireJSON

/// The body of `POST /campaigns/trigger/send` and `/campaigns/trigger/schedule/create`, read.
struct SendRequest {
    /// One of those who are to get the card.
    struct SendRecipient {
        let user: UserReference
        /// The place among the recipients.
        let index: Int
        let properties: JSONValue?
        /// The changes of the user's attributes that come first, or `nil` for none.
        let attributes: AttributeChanges?
        /// The id with which the user is made where there is none, or `nil` for existing users only.
        let newUser: UserID?
    }

    let campaign: CampaignID
    let sendID: TriggerID?
    let properties: JSONValue?
    /// Whether everybody in the audience gets it.
    let isBroadcast: Bool
    /// The part of the campaign's audience that is meant, or `nil` for all of it.
    let audience: Audience?
    private(set) var recipients: [SendRecipient] = []
    private(set) var errors: [InputError] = []

    /// Reads a body.
    ///
    /// - Throws: `RequestError` or `ModelError` where nobody can be sent anything.
    init(_ body: JSONValue) throws {
        do throws(BackendInputError) {
            sendID = try Self.sendID(body)
            properties = try Self.properties(body)
            // Never implied: a backend whose list of recipients came out empty doesn't mean everybody.
            isBroadcast = try BackendFlag.read("broadcast", in: body) ?? false
        } catch {
            throw RequestError.fatal("field_invalid", "\(error.type).")
        }
        guard let id = body["campaign_id"]?.string, let campaign = CampaignID(checking: id) else {
            throw RequestError.invalidCampaign
        }
        self.campaign = campaign
        if let audience = body["audience"], !audience.isNull {
            self.audience = try Audience(json: audience)
        } else {
            audience = nil
        }
        try readRecipients(body)
    }

    private static func sendID(_ body: JSONValue) throws(BackendInputError) -> TriggerID? {
        guard let value = body["send_id"], !value.isNull, value != "" else { return nil }
        guard let id = value.string.flatMap(TriggerID.init(checking:)) else {
            throw BackendInputError("'send_id' has to be 1 to 128 bytes without control characters")
        }
        return id
    }

    /// Reads `trigger_properties`; the documented examples have an empty string for none.
    private static func properties(_ object: JSONValue) throws(BackendInputError) -> JSONValue? {
        guard let value = object["trigger_properties"], !value.isNull, value != "" else { return nil }
        guard value.object != nil else { throw BackendInputError("'trigger_properties' has to be an object") }
        return value
    }

    // MARK: Recipients

    private mutating func readRecipients(_ body: JSONValue) throws(RequestError) {
        let value = body["recipients"] ?? []
        guard let elements = value.isNull ? [] : value.array else {
            throw .fatal("field_invalid", "'recipients' has to be an array.")
        }
        if isBroadcast {
            guard elements.isEmpty else {
                throw .fatal("field_invalid", "'recipients' cannot be sent to where 'broadcast' is true.")
            }
            return
        }
        guard elements.count <= TriggerSend.recipientLimit else {
            throw .fatal(
                "too_many_recipients",
                "The max number of ids per request was exceeded: \(TriggerSend.recipientLimit) recipients are possible."
            )
        }
        for (index, element) in elements.enumerated() {
            do throws(BackendInputError) {
                recipients.append(try Self.recipient(element, at: index))
            } catch {
                errors.append(InputError(type: error.type, array: .recipients, index: index))
            }
        }
        guard !recipients.isEmpty else {
            throw .fatal(
                "no_recipients",
                "No Recipients: name some, or set 'broadcast' to true for the whole audience.",
                errors
            )
        }
    }

    private static func recipient(_ object: JSONValue, at index: Int) throws(BackendInputError) -> SendRecipient {
        let user = try UserReference(object, idName: "external_user_id")
        let isExistingOnly = try BackendFlag.read("send_to_existing_only", in: object) ?? true
        var attributes: AttributeChanges?
        if let value = object["attributes"], !value.isNull { attributes = try AttributeReading.read(value) }
        var newUser: UserID?
        if !isExistingOnly {
            guard case .id(let id) = user else {
                throw BackendInputError("'send_to_existing_only' can be false for an 'external_user_id' only")
            }
            guard attributes != nil else {
                throw BackendInputError("'attributes' are required where 'send_to_existing_only' is false")
            }
            newUser = id
        }
        return SendRecipient(
            user: user,
            index: index,
            properties: try properties(object),
            attributes: attributes,
            newUser: newUser
        )
    }
}

extension RequestError {
    static let invalidCampaign = RequestError.fatal("campaign_unknown", "Invalid Campaign ID.")
}
