public import CardStore
import Foundation
public import WireJSON

/// The form in which events are written for others: one line each, beginning with the position.
public enum EventFormat: String, Sendable, CaseIterable {
    /// An object a line.
    case jsonl
    /// Comma-separated values, RFC 4180, with a line of names first. A text that a spreadsheet would take for a formula
    /// has an apostrophe in front.
    case csv

    private static let objectStart = #"{"position":"#
    private static let columns = [
        "position", "id", "user_id", "type", "at", "received_at", "card_id", "campaign_id", "variant_id", "name",
        "product_id", "currency", "price", "quantity", "properties", "message",
    ]

    /// The line before the first event, or `nil` where there is none.
    public var heading: String? {
        switch self {
        case .jsonl: nil
        case .csv: Self.columns.joined(separator: ",") + "\r\n"
        }
    }

    /// The text that every export which isn't empty begins with.
    public var beginning: String { heading ?? Self.objectStart }

    /// Appends the line of an event.
    public func write(_ event: StoredEvent, to writer: inout JSONWriter) {
        switch self {
        case .jsonl:
            writer.write(event.exported)
            writer.raw("\n")
        case .csv:
            writer.bytes.append(contentsOf: Self.csv(event).utf8)
            writer.raw("\r\n")
        }
    }

    /// The position that a line begins with, or `nil` where it isn't from this server.
    public func position(of line: some StringProtocol) -> Int64? {
        let prefix = self == .jsonl ? Self.objectStart : ""
        guard line.hasPrefix(prefix) else { return nil }
        return Int64(line.dropFirst(prefix.count).prefix(before: ","))
    }

    private static func csv(_ event: StoredEvent) -> String {
        let json = event.exported
        let values = columns.map { name in
            switch json[name] ?? event.details[name] ?? .null {
            case .null: ""
            case .string(let text): CSVField.text(text)
            case let value: CSVField.literal(value.text)
            }
        }
        return values.joined(separator: ",")
    }
}

extension StoredEvent {
    /// The event as others read it; times are ISO 8601.
    var exported: JSONValue {
        [
            "position": .integer(position), "id": .string(id.description), "user_id": .string(user.rawValue),
            "type": .string(type), "at": .string(BackendTime.text(at)),
            "received_at": .string(BackendTime.text(receivedAt)), "card_id": card.map { .string($0.rawValue) } ?? .null,
            "campaign_id": campaign.map { .string($0.rawValue) } ?? .null,
            "variant_id": variant.map { .string($0.rawValue) } ?? .null, "details": details,
        ]
    }
}
