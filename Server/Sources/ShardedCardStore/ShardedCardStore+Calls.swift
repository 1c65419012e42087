import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Returns a database by its number.
    ///
    /// - Throws: `StoreError.unavailable` where it couldn't be opened yet; `StoreError.conflict` for one that was added
    ///   since this store was opened, which the home may already name.
    func database(_ place: Int) throws(StoreError) -> PostgresCardStore {
        guard slots.indices.contains(place) else {
            throw StoreError(.conflict, "This process doesn't know shard \(place). Restart it.")
        }
        return try slots[place].database()
    }

    /// Returns all databases with their numbers, in their order.
    ///
    /// - Throws: `StoreError.unavailable` where one of them couldn't be opened yet.
    func databases() throws(StoreError) -> [(place: Int, store: PostgresCardStore)] {
        var stores: [(place: Int, store: PostgresCardStore)] = []
        for slot in slots where !slot.isRemoved { stores.append((place: slot.place, store: try slot.database())) }
        return stores
    }

    /// Returns whether an answer is missing of a database that wasn't removed.
    func isPartial<Value>(_ answers: [Value?]) -> Bool {
        zip(slots, answers).contains { slot, answer in answer == nil && !slot.isRemoved }
    }

    /// Calls all databases at once, and returns what each of them says, in the order of their numbers.
    func onAll<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresCardStore) async throws -> Value
    ) async throws -> [Value] {
        try await onAll(with: slots.map(\.place)) { store, _ in try await body(store) }
    }

    /// Calls all databases at once, and returns what each of them says, by their numbers; a value stands for each that
    /// was removed.
    func onAll<Value: Sendable>(
        removed value: Value,
        _ body: @escaping @Sendable (PostgresCardStore) async throws -> Value
    ) async throws -> [Value] {
        let isSkipped = { (_: Int) in false }
        return try await onAll(with: slots.map(\.place), skipping: isSkipped, as: value) { store, _ in
            try await body(store)
        }
    }

    /// Calls all databases at once, each with a value of its own, by their numbers, and returns what each of them says,
    /// in the same order.
    func onAll<Argument: Sendable, Value: Sendable>(
        with arguments: [Argument],
        _ body: @escaping @Sendable (PostgresCardStore, Argument) async throws -> Value
    ) async throws -> [Value] {
        let stores = try databases()
        let values = try await call(stores) { store, place in
            // safe: there is a value for each database
            try await body(store, arguments[place])
        }
        return stores.compactMap { values[$0.place] }
    }

    /// Calls the databases that a call concerns at once, each with a value of its own: no other one has to answer.
    ///
    /// - Parameters:
    ///   - arguments: The value of each database, by their numbers.
    ///   - isSkipped: Whether the database with that value isn't called; one that was removed never is.
    ///   - skipped: What counts as its answer then.
    ///   - body: Calls a database.
    /// - Returns: What each of them says, by their numbers.
    /// - Throws: What the first of them says.
    func onAll<Argument: Sendable, Value: Sendable>(
        with arguments: [Argument],
        skipping isSkipped: (Argument) -> Bool,
        as skipped: Value,
        _ body: @escaping @Sendable (PostgresCardStore, Argument) async throws -> Value
    ) async throws -> [Value] {
        var called: [(place: Int, store: PostgresCardStore)] = []
        for (place, argument) in arguments.enumerated() where !isSkipped(argument) && !slots[place].isRemoved {
            called.append((place: place, store: try database(place)))
        }
        let values = try await call(called) { store, place in try await body(store, arguments[place]) }
        return arguments.indices.map { values[$0] ?? skipped }
    }

    /// Calls all databases at once, and returns what each of them says, by their numbers; `nil` for a shard that
    /// doesn't answer, or was removed.
    ///
    /// - Throws: What the home says, and what isn't over in a while.
    func onAnswering<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresCardStore, Int) async throws -> Value
    ) async throws -> [Value?] {
        try await withThrowingTaskGroup(of: (Int, Value?).self) { group in
            for slot in slots where !slot.isRemoved {
                group.addTask {
                    do {
                        return (slot.place, try await body(try slot.database(), slot.place))
                    } catch let error as StoreError
                        where slot.place > 0 && (error.code == .unavailable || slot.isRemoved)
                    {
                        return (slot.place, nil)
                    }
                }
            }
            var values = [Value?](repeating: nil, count: slots.count)
            for try await (place, value) in group { values[place] = value }
            return values
        }
    }

    /// Calls all databases at once, and returns what each of them says that answers, to be added up.
    ///
    /// - Throws: What isn't over in a while, and what the home says; also what a shard says that doesn't answer, unless
    ///   ``PartialReads`` permits that it is missing.
    func onAllToSum<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresCardStore) async throws -> Value
    ) async throws -> [Value] {
        guard let partial = PartialReads.current else { return try await onAll(body) }
        let answers = try await onAnswering { store, _ in try await body(store) }
        for (place, answer) in answers.enumerated() where answer == nil && !slots[place].isRemoved {
            partial.note(place)
        }
        return answers.compactMap { $0 }
    }

    /// Calls the databases that are open at once, and returns what each of them says, by its number.
    func onOpened<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresCardStore, Int) async throws -> Value
    ) async throws -> [Int: Value] {
        try await call(slots.compactMap { slot in slot.opened.map { (place: slot.place, store: $0) } }, body)
    }

    /// Calls databases at once; the error of one that doesn't answer has its number.
    private func call<Value: Sendable>(
        _ stores: [(place: Int, store: PostgresCardStore)],
        _ body: @escaping @Sendable (PostgresCardStore, Int) async throws -> Value
    ) async throws -> [Int: Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (place, store) in stores {
                group.addTask {
                    do {
                        return (place, try await body(store, place))
                    } catch let error as StoreError {
                        guard place > 0, error.code == .unavailable, !error.isMisplaced else { throw error }
                        throw StoreError(error.code, "Shard \(place): \(error.message)")
                    }
                }
            }
            var values: [Int: Value] = [:]
            for try await (place, value) in group { values[place] = value }
            return values
        }
    }
}
