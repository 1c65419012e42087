import Foundation

/// Reports something that an app or its developer may want to know, and that is not the answer to a call.
///
/// Later versions may add cases: a `switch` needs a `default`.
public enum Diagnostic: Sendable, Equatable {
    /// The endpoint cannot be used, so no request is ever made.
    case invalidEndpoint(String)
    /// A user id was refused: it must have 1 to 512 UTF-8 bytes and no control or directional characters.
    case invalidUserID
    /// The files cannot be used, so everything is kept in memory and lost with the process.
    case storageUnavailable(reason: String)
    /// A damaged file was renamed; what could be read was kept.
    case fileSetAside(name: String, lostRecords: Int)
    /// Events could not be written to the disk; they are kept in memory and will be written with the next one.
    case eventsNotDurable(reason: String)
    /// The queue was full, so the oldest events were dropped.
    case eventsDropped(count: Int)
    /// An event was not accepted into the queue.
    case eventRefused(type: String, reason: String)
    /// The server refused an event for good.
    case eventRejected(id: String, code: String)
    /// The server failed three times on an event that was sent alone; it is not sent again, and the others go on.
    case eventSetAside(id: String, type: String)
    /// The server sent cards that could not be used.
    case cardsSkipped(count: Int)
    /// A card's extras did not decode as the app's type; it was skipped.
    case contentError(cardID: String, classType: String, field: String?, message: String)
    /// A card that the user clicked is to open inside the app, and its address is not http or https: what opens it is
    /// the system.
    case webViewImpossible(cardID: String)
    /// The token provider failed, or the server refused the token.
    case tokenFailed(consecutiveFailures: Int)
    /// Requests are paused until the next session or a new token.
    case tokenPaused
    /// A request failed.
    case requestFailed(ContentCardsError)
    /// The app called something that exists for its source's sake and does nothing.
    case notSupported(name: String)
}

extension Diagnostic: CustomStringConvertible {
    /// A sentence for the log.
    ///
    /// It holds ids of cards and events, and no user ids, tokens or texts.
    public var description: String {
        switch self {
        case .invalidEndpoint: "The endpoint is not an http or https address with a host; no request is made."
        case .invalidUserID: "The user id must have 1 to 512 UTF-8 bytes and no control or directional characters."
        case .storageUnavailable(let reason): "Files cannot be used, everything stays in memory: \(reason)"
        case .fileSetAside(let name, let lost): "The damaged file \(name) was set aside; \(lost) records were lost."
        case .eventsNotDurable(let reason): "Events are not on the disk yet: \(reason)"
        case .eventsDropped(let count): "The event queue is full; the \(count) oldest were dropped."
        case .eventRefused(let type, let reason): "The event \(type) was not logged: \(reason)"
        case .eventRejected(let id, let code): "The server rejected the event \(id): \(code)"
        case .eventSetAside(let id, let type): "The server failed on the event \(id) (\(type)): it was set aside."
        case .cardsSkipped(let count): "\(count) unusable cards were skipped."
        case .contentError(let card, let type, let field, _):
            "The card \(card) is no \(type)\(field.map { " (\($0))" } ?? "")."
        case .webViewImpossible(let card):
            "The card \(card) can't open inside the app: its address is not http or https."
        case .tokenFailed(let failures): "The user token was not accepted (\(failures) in a row)."
        case .tokenPaused: "Requests are paused until the next session or a new token."
        case .requestFailed(let error): error.description
        case .notSupported(let name): "\(name) does nothing: there are content cards alone."
        }
    }
}

extension Diagnostic {
    /// The part of a report that may quote what was written to a user: never for a log that others can read.
    var privateDetail: String? {
        if case .contentError(_, _, _, let message) = self { message } else { nil }
    }
}
