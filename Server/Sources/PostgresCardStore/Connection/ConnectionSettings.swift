/// The settings with which connections are made.
struct ConnectionSettings: Sendable {
    /// A URL or a list of keywords, as libpq takes it: several hosts, TLS, passwords and service files included.
    var url: String
    /// The time that the server can work on one statement, in milliseconds.
    var statementTimeout = 30_000
    /// The time that a statement can wait for another transaction, in milliseconds.
    var lockTimeout = 5_000

    /// The name of the connection in the server's list of sessions.
    var applicationName = ConnectionSettings.serverName

    /// The name of connections of servers.
    static let serverName = "placard"

    init(url: String) { self.url = url }

    /// The keywords for libpq.
    ///
    /// What the URL says comes last and so takes precedence, but for the encoding: texts are sent in UTF-8 whatever it
    /// says.
    var parameters: [(keyword: String, value: String)] {
        [
            ("application_name", applicationName), ("connect_timeout", "5"),
            ("target_session_attrs", "read-write"),
            // A network that swallows packets is noticed within seconds, and not when TCP gives up.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
    }

    /// Statements that set what a session of its own is set to.
    ///
    /// Behind a pooler it would go to whoever gets the connection next.
    ///
    /// - Parameter options: libpq's `options`; what it sets stays as it is.
    /// - Returns: The statements, or an empty text for none.
    func sessionSettings(besides options: String) -> String {
        let names = Self.names(in: options)
        return Self.statements("SET", timeouts.filter { !names.contains($0.name) })
    }

    /// The names of the settings that libpq's `options` set, as the server reads them.
    ///
    /// Each is one of `-c name=value`, `-cname=value` and `--name=value`, in any case, where `-` can stand for `_`.
    private static func names(in options: String) -> Set<String> {
        let names = options.split(whereSeparator: \.isWhitespace).compactMap { word -> String? in
            guard let end = word.firstIndex(of: "=") else { return nil }
            let name = word[..<end]
            let isOption = name.hasPrefix("--") || name.hasPrefix("-c")
            return (isOption ? name.dropFirst(2) : name).lowercased().replacing("-", with: "_")
        }
        return Set(names)
    }

    /// The statement that begins a transaction that writes.
    ///
    /// Whatever the database's default is: a statement that has waited for a lock has to see what others did in the
    /// meantime, which one of a stricter transaction doesn't where they have only locked the row.
    static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

    /// The settings of a transaction.
    var transactionSettings: String { Self.statements("SET LOCAL", timeouts) }

    /// The statements of ``transactionSettings``, one by one.
    var transactionStatements: [String] { timeouts.map { Self.statements("SET LOCAL", [$0]) } }

    /// The statement that sets how long a transaction waits for all groups that are being done: all groups after it
    /// wait behind it, so that isn't as long as one of them would.
    // safe: a positive number that is made smaller
    var exclusiveStatement: String { "SET LOCAL lock_timeout = \(max(1, lockTimeout / 5 * 2))" }

    /// The time that the server waits for this node between two statements of a transaction, in milliseconds.
    ///
    /// Nothing waits for anybody there, so only a node that is stopped in the middle takes so long.
    private static let idleTimeout = 60_000

    private var timeouts: [(name: String, milliseconds: Int)] {
        [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", Self.idleTimeout),
        ]
    }

    private static func statements(_ verb: String, _ timeouts: [(name: String, milliseconds: Int)]) -> String {
        timeouts.map { "\(verb) \($0.name) = \($0.milliseconds)" }.joined(separator: "; ")
    }
}
