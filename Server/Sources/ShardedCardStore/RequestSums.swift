import CardModel
import CardStore
import Synchronization

/// The sum of what several databases say of a send.
final class ReceiptSum: Sendable {
    private let sum = Mutex(TriggerReceipt())

    var value: TriggerReceipt { sum.withLock { $0 } }

    func add(_ receipt: TriggerReceipt) {
        sum.withLock {
            // safe: counts of recipients, of which there are few
            $0.accepted += receipt.accepted
            // safe: counts that wrap around, or of few events
            $0.duplicate += receipt.duplicate
            $0.unknown += receipt.unknown
        }
    }
}

/// The answers of several databases about the parts of a list, each at its place.
final class PlacedValues<Value: Sendable>: Sendable {
    private let values: Mutex<[Value]>

    init(_ value: Value, count: Int) { values = Mutex(Array(repeating: value, count: count)) }

    var value: [Value] { values.withLock { $0 } }

    /// Puts values at their places.
    func set(_ new: [Value], at places: [Int]) {
        values.withLock { values in
            // safe: places of the list
            for (value, place) in zip(new, places) { values[place] = value }
        }
    }
}

/// The answers of several databases to a backend's request.
final class TrackSum: Sendable {
    private let outcome: Mutex<TrackOutcome>

    init(count: Int) { outcome = Mutex(TrackOutcome(users: Array(repeating: nil, count: count))) }

    var value: TrackOutcome { outcome.withLock { $0 } }

    /// Adds the outcome of some of the changes.
    func add(_ part: TrackOutcome, at places: [Int]) {
        outcome.withLock { outcome in
            // safe: places of the changes
            for (user, place) in zip(part.users, places) { outcome.users[place] = user }
            for (index, excess) in part.excesses where places.indices.contains(index) {
                outcome.excesses[places[index]] = excess
            }
            outcome.duplicates += part.duplicates
        }
    }
}

/// Whether a database has refused a part of a request since a user was on the way to another one.
final class RefusalNote: Sendable {
    private let isSet = Mutex(false)

    var value: Bool { isSet.withLock { $0 } }

    func set() { isSet.withLock { $0 = true } }
}
