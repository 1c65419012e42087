import CardModel
import CardStore

/// Something to do with a store, the same for any store.
struct StoreOperation: Sendable, CustomStringConvertible {
    typealias Answer = any Hashable & Sendable

    let description: String
    private let body: @Sendable (any CardStore) async throws -> Answer

    init(_ description: String, _ body: @escaping @Sendable (any CardStore) async throws -> Answer) {
        self.description = description
        self.body = body
    }

    /// Returns what a store answers; of an error, its code.
    func answer(of store: any CardStore) async -> Outcome {
        do {
            return .value(try await body(store))
        } catch let error as StoreError {
            return .failure(error.code.rawValue)
        } catch {
            return .failure("\(error)")
        }
    }

    /// The outcome of an operation of a store.
    enum Outcome: Sendable, CustomStringConvertible {
        case value(Answer)
        case failure(String)

        var description: String {
            switch self {
            case .value(let answer): "\(answer)"
            case .failure(let code): "error \(code)"
            }
        }

        func agrees(with other: Outcome) -> Bool {
            switch (self, other) {
            case (.value(let own), .value(let other)): AnyHashable(own) == AnyHashable(other)
            case (.failure(let own), .failure(let other)): own == other
            default: false
            }
        }
    }
}
