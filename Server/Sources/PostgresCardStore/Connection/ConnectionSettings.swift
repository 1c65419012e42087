/// How connections are made.
struct ConnectionSettings: Sendable {
    /// A URL or a list of keywords, as libpq takes it: several hosts, TLS, passwords and service files included.
    var url: String
    /// How long the server may work on one statement, in milliseconds.
    var statementTimeout = 30_000
    /// How long a statement may wait for another transaction, in milliseconds.
    var lockTimeout = 5_000

    /// What the server's list of sessions calls the connection.
    var applicationName = ConnectionSettings.serverName

    /// What connections of servers are called.
    static let serverName = "placard"

    init(url: String) { self.url = url }

    /// The keywords for libpq.
    ///
    /// What the URL says comes last and so takes precedence.
    var parameters: [(keyword: String, value: String)] {
        [
            ("application_name", applicationName), ("connect_timeout", "5"), ("client_encoding", "UTF8"),
            ("target_session_attrs", "read-write"),
            // A network that swallows packets is noticed within seconds, and not when TCP gives up.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"),
            ("dbname", url),
        ]
    }

    /// What a session of its own is set to.
    ///
    /// Behind a pooler it would go to whoever gets the connection next.
    var sessionSettings: String { settings("SET") }

    /// What a transaction is set to.
    var transactionSettings: String { settings("SET LOCAL") }

    private func settings(_ verb: String) -> String {
        """
        \(verb) statement_timeout = \(statementTimeout); \(verb) lock_timeout = \(lockTimeout); \
        \(verb) idle_in_transaction_session_timeout = 60000
        """
    }
}
