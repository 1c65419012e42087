import CardModel
import WireJSON

/// Decides which events of a request can be counted, and when they happened.
struct EventValidator {
    /// The age that an event can have at most, in seconds: 400 days.
    static let oldest = 400.0 * 86_400
    /// The time that an event can be ahead of the server at most, in seconds: a day.
    static let furthest = 86_400.0
    /// The difference of a device's clock from which its times are corrected, in seconds.
    static let tolerance = 60.0

    let now: UnixTime
    private let correction: Double
    private let oldest: Double

    /// - Parameters:
    ///   - now: The server's clock.
    ///   - sentAt: The device's clock when it sent the request, or `nil` where it did not say.
    ///   - keptDays: For how many days events are kept, or `nil` for ever: whether an older one was counted is not
    ///     known.
    init(now: UnixTime, sentAt: UnixTime?, keptDays: Int? = nil) {
        self.now = now
        oldest = min(Self.oldest, keptDays.map { Double($0) * 86_400 } ?? .infinity)
        let error = sentAt.map { now - $0 } ?? 0
        correction = abs(error) > Self.tolerance ? error : 0
    }

    /// Divides drafts into what can be counted and what never will be.
    func validate(_ drafts: [EventDraft]) -> (events: [DeviceEvent], rejected: [EventRejection]) {
        var events: [DeviceEvent] = []
        var rejected: [EventRejection] = []
        events.reserveCapacity(drafts.count)
        for draft in drafts {
            do throws(EventError) {
                events.append(try validate(draft))
            } catch {
                rejected.append(
                    EventRejection(id: draft.id?.description ?? draft.idText, code: error.code, message: error.message)
                )
            }
        }
        return (events, rejected)
    }

    private struct EventError: Error {
        let code: EventRejection.Code
        let message: String

        static func missing(_ name: String) -> EventError {
            EventError(code: .fieldMissing, message: "\(name) is required.")
        }
        static func invalid(_ name: String) -> EventError {
            EventError(code: .fieldInvalid, message: "\(name) has to be \(expected(of: name)).")
        }

        /// Returns what a field has to be.
        private static func expected(of name: String) -> String {
            switch name {
            case "card_id", "name", "product_id": Expected.bytes(upTo: 255)
            case "currency": "a code of ISO 4217"
            case "price": "a number from -\(Amount.largestPrice) to \(Amount.largestPrice)"
            case "quantity": "a whole number from 1 to 1000000"
            case "at": "a number"
            case "properties", "attributes", "event": Expected.object
            default: Expected.text
            }
        }
    }

    private func validate(_ draft: EventDraft) throws(EventError) -> DeviceEvent {
        guard draft.size <= UserLimits.eventBytes else {
            throw EventError(code: .tooLarge, message: "An event is at most \(UserLimits.eventBytes) bytes of JSON.")
        }
        guard let id = draft.id else { throw EventError(code: .idInvalid, message: "id has to be a UUID.") }
        if let field = draft.repeated {
            throw EventError(code: .fieldRepeated, message: "A name stands twice in an object of \(field).")
        }
        let kind = try kind(of: draft)
        guard let at = draft.at.map({ $0 + correction }), at >= now - oldest, at <= now + Self.furthest else {
            throw EventError(
                code: .timeInvalid,
                message: "at has to be Unix seconds of the last \(Int(oldest / 86_400)) days."
            )
        }
        if let wrong = draft.wrong { throw .invalid(wrong) }
        // Within the tolerance it is the clock that is ahead, and not the event.
        let time = at - now <= Self.tolerance ? min(at, now) : at
        return DeviceEvent(id: id, kind: kind, at: time, properties: draft.properties)
    }

    private func kind(of draft: EventDraft) throws(EventError) -> DeviceEvent.EventKind {
        switch draft.type {
        case "impression": .impression(try card(of: draft))
        case "click": .click(try card(of: draft))
        case "dismissal": .dismissal(try card(of: draft))
        case "session_start": .sessionStart
        case "custom": .custom(name: ByteString(try text(draft.name, "name", draft)))
        case "purchase": .purchase(try purchase(draft))
        case "content_error": .contentError(try contentError(draft))
        case "attributes": .attributes(try attributes(draft))
        case "": throw draft.wrong == nil ? .missing("type") : .invalid("type")
        default: throw EventError(code: .typeUnknown, message: "There is no such event type.")
        }
    }

    private func card(of draft: EventDraft) throws(EventError) -> CardID {
        CardID(rawValue: try text(draft.card, "card_id", draft))
    }

    /// A required name of 1 to 255 bytes.
    private func text(_ value: String?, _ name: String, _ draft: EventDraft) throws(EventError) -> String {
        guard let value else { throw draft.wrong == name ? .invalid(name) : .missing(name) }
        guard IdentityText.isValid(value) else { throw .invalid(name) }
        return value
    }

    private func purchase(_ draft: EventDraft) throws(EventError) -> DeviceEvent.Purchase {
        let product = try text(draft.product, "product_id", draft)
        guard let currency = CurrencyCode.reading(try text(draft.currency, "currency", draft)) else {
            throw .invalid("currency")
        }
        guard let price = draft.price else { throw draft.wrong == "price" ? .invalid("price") : .missing("price") }
        guard price.isPrice else { throw .invalid("price") }
        let quantity = draft.quantity ?? 1
        guard (1...1_000_000).contains(quantity) else { throw .invalid("quantity") }
        return DeviceEvent.Purchase(productID: product, currency: currency, price: price, quantity: quantity)
    }

    private func contentError(_ draft: EventDraft) throws(EventError) -> DeviceEvent.ContentError {
        DeviceEvent.ContentError(
            card: try card(of: draft),
            classType: draft.classType.flatMap { IdentityText.isValid($0) ? $0 : nil },
            field: draft.field.flatMap { IdentityText.isValid($0) ? $0 : nil },
            // Whoever reads it does so on a page or in a terminal, which a device must not steer.
            message: IdentityText.spacing(String((draft.message ?? "").prefix(1000)))
        )
    }
    private func attributes(_ draft: EventDraft) throws(EventError) -> AttributeChanges {
        guard let object = draft.attributes else {
            throw draft.wrong == "attributes" ? .invalid("attributes") : .missing("attributes")
        }
        let changes: AttributeChanges
        do throws(BackendInputError) {
            changes = try AttributeReading.read(object)
        } catch {
            throw EventError(code: .fieldInvalid, message: error.type + ".")
        }
        guard changes.custom.count(where: \.value.readsWholeValue) <= Self.editLimit else {
            throw EventError(
                code: .fieldInvalid,
                message: "An event changes at most \(Self.editLimit) arrays and objects. Send several events."
            )
        }
        return changes
    }

    /// The number of arrays and objects that an event may add to, remove from or merge into.
    ///
    /// Each may be as large as all attributes of a user, and a request has hundreds of events.
    static let editLimit = 10
}
