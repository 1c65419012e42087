import CardStore

/// The error of PostgreSQL instead of doing what it was asked.
struct PostgresError: Error, Hashable {
    /// The SQLSTATE, or an empty text where the connection failed.
    let state: String
    /// Whether the connection is lost, so that a new one is needed.
    let isConnectionLost: Bool
    /// The reason why no connection could be made, where that is known.
    let problem: ConnectionProblem?
    /// Whether a statement that the connection has prepared gives other columns since a table was changed, as by a node
    /// of a newer version: the connection never runs it again.
    let isPlanOutdated: Bool

    /// A connection that could not be made, or was lost.
    static let lost = PostgresError(state: "", isConnectionLost: true)

    init(state: String, isConnectionLost: Bool = false, isPlanOutdated: Bool = false) {
        self.state = state
        self.isConnectionLost = isConnectionLost
        self.isPlanOutdated = isPlanOutdated
        problem = nil
    }

    /// A connection that could not be made.
    init(_ problem: ConnectionProblem) {
        state = problem.state
        isConnectionLost = problem.isTransient
        isPlanOutdated = false
        self.problem = problem
    }

    /// Whether the same transaction may succeed if it is tried again: it was the victim of another one.
    var isTransient: Bool {
        switch state {
        // Serialization failure, deadlock, a row that another transaction inserted at the same time, and one whose
        // partition was created at the same time.
        case "40001", "40P01", "23505", "23514": true
        default: false
        }
    }

    /// Whether the transaction was ended for another one that it would have waited for without end.
    var isVictim: Bool { state == "40001" || state == "40P01" }

    /// The reason for which a transaction that fails so is tried again.
    var retry: StoreTraffic.Retry {
        switch state {
        case "40P01": .deadlock
        case "23505": .duplicate
        default: .serialization
        }
    }

    /// Whether a new connection is needed: the server is about to go, or only reads, so that another one has to be
    /// looked for, or the connection has a statement that it never runs again.
    var endsConnection: Bool {
        isConnectionLost || isPlanOutdated || state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
            || state == "25P03" || state == "25P04"
    }
}

extension StoreError {
    /// Says in the store's words what went wrong below it.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let failure as PostgresError: self.init(failure)
        case is CancellationError: self.init(.unavailable, "The caller gave up before the store had answered.")
        default: self.init(.unavailable, "The store failed in a way it does not know; see the log, then try again.")
        }
    }

    // The server's own words can quote rows, so only the SQLSTATE is passed on.
    private init(_ failure: PostgresError) {
        if let problem = failure.problem {
            self.init(.unavailable, problem.message)
            return
        }
        let reason = "SQLSTATE \(failure.state)"
        if failure.isConnectionLost {
            self.init(.unavailable, "The database can't be reached. Check that PostgreSQL runs; a server tries again.")
            return
        }
        switch failure.state {
        case "53100":
            self.init(.diskFull, "The database's disk is full (\(reason)). Free some space; no restart is needed.")
        case "55P03", "57014", "40001", "40P01":
            self.init(.unavailable, "The database is busy (\(reason)). Try again in a moment.")
        case "53300":
            self.init(
                .unavailable,
                "The database has no connection left (\(reason)). Raise max_connections, or the limit of the role."
            )
        case "25006":
            self.init(.unavailable, "The database only reads (\(reason)). Connect to the primary server.")
        case "XX001", "XX002":
            self.init(.corrupt, "The database is damaged (\(reason)). `placard doctor` says what helps.")
        case let state where state.hasPrefix("28") || state == "42501":
            self.init(.unavailable, "The database refused the user (\(reason)). Check the user and its permissions.")
        case let state where state.hasPrefix("23"):
            self.init(.conflict, "The change contradicts what is stored (\(reason)). Read again, then try again.")
        case let state where state.hasPrefix("42"):
            self.init(.incompatible, "The database is not as this version needs it (\(reason)). Run `placard migrate`.")
        default:
            self.init(.unavailable, "The database did not answer (\(reason)). Try again; see `doctor` if it persists.")
        }
    }
}

/// Runs a body and turns whatever it throws into a `StoreError`.
func translatingErrors<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw StoreError(error) }
}
