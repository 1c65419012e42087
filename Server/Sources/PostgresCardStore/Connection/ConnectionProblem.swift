/// The reason why a connection could not be made.
///
/// libpq says so in texts, which can quote what the server sent and, for an address that can't be read, a piece of a
/// password. So the kind is taken from them, and is put into our own words.
struct ConnectionProblem: Hashable, Sendable {
    /// The kinds of problem that an operator does something different about.
    ///
    /// In the order in which one is reported where several servers have different ones.
    enum Kind: CaseIterable, Sendable {
        case address
        case password
        case noPassword
        case certificate
        case hostName
        case rootCertificate
        case clientCertificate
        case noTLS
        case refused
        case user
        case database
        case tooManyOfUser
        case tooManyOfDatabase
        case tooMany
        case standby
        case readOnly
        case starting
        case silent
        case unknownHost
        case timeout
        case foreign
        case unreachable
    }

    let kind: Kind
    /// The server's host and port, or the socket's path; empty where it isn't known.
    let server: String
    /// The name of the user; empty where it isn't known.
    let user: String

    /// Creates a problem.
    ///
    /// An @ in a password that isn't written as %40 ends it, and what is left of it is taken for a part of the host's
    /// name. Such a name is in no message.
    init(_ kind: Kind, server: String = "", user: String = "") {
        let isMisread = !server.hasPrefix("/") && server.utf8.dropFirst().contains(UInt8(ascii: "@"))
        self.kind = isMisread ? .address : kind
        (self.server, self.user) = isMisread ? ("", "") : (Self.line(server), Self.line(user))
    }

    /// Reads what libpq said: the problem that comes first in the order of kinds, or `nil` where none is known by its
    /// text.
    ///
    /// - Parameters:
    ///   - message: The text, in which every server that was tried has a part.
    ///   - user: The name of the user.
    init?(message: String, user: String) {
        let parts = Self.parts(of: message)
        for kind in Kind.allCases {
            for part in parts where kind.isSaid(in: part) {
                self.init(kind, server: Self.server(in: part, kind), user: user)
                return
            }
        }
        return nil
    }

    /// Whether the problem may be gone soon without anybody's help.
    var isTransient: Bool {
        switch kind {
        case .standby, .readOnly, .starting, .silent, .unknownHost, .timeout, .foreign, .unreachable: true
        default: false
        }
    }

    /// The SQLSTATE that a server gives for it, or an empty text.
    var state: String {
        switch kind {
        case .password, .noPassword: "28P01"
        case .user, .refused: "28000"
        case .database: "3D000"
        case .tooMany, .tooManyOfUser, .tooManyOfDatabase: "53300"
        default: ""
        }
    }

    /// A server's message begins with this for every server that was tried.
    private static let beginning: Substring = "connection to server "

    private static func parts(of message: String) -> [Substring] {
        let starts = message.ranges(of: beginning).map(\.lowerBound)
        guard let first = starts.first else { return [message[...]] }
        let bounds = starts + [message.endIndex]
        let others = first > message.startIndex ? [message[..<first]] : []
        // safe: beginnings as they follow each other, and then the end
        return others + zip(bounds, bounds.dropFirst()).map { message[$0..<$1] }
    }

    /// The server of `at "host" (address), port 5432 failed: …` or of `on socket "path" failed: …`.
    private static func server(in part: Substring, _ kind: Kind) -> String {
        let quoted = part.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard part.hasPrefix(beginning) || kind == .unknownHost, quoted.count == 3 else { return "" }
        guard let port = part.firstRange(of: ", port ") else { return String(quoted[1]) }
        return "\(quoted[1]):\(part[port.upperBound...].prefix { $0.isNumber })"
    }

    /// A text without what would begin another line.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

extension ConnectionProblem.Kind {
    /// Whether what libpq said of one server, or of the address, is of this kind.
    fileprivate func isSaid(in part: Substring) -> Bool {
        // What something else than PostgreSQL answers is called invalid, too, and is nothing of the address.
        if self == .address, Self.foreign.isSaid(in: part) { return false }
        // A role that has as many connections as it may is named as one that there isn't.
        if self == .user, Self.tooMany.isSaid(in: part) { return false }
        return texts.contains { part.contains($0) }
    }

    /// The texts by which libpq's own messages, and those of servers and poolers in English, name it.
    ///
    /// A server that speaks another language is asked for its SQLSTATE.
    fileprivate var texts: [String] {
        switch self {
        case .address:
            [
                "invalid ", "could not match ", "unsupported startup parameter", "missing \"=\"", " in URI",
                "percent-encoded", " in connection info string", "definition of service ", "service file ",
                "is too long (maximum ",
            ]
        case .password: ["password authentication failed", "SASL authentication failed", "28P01"]
        case .noPassword: ["no password supplied"]
        case .certificate: ["certificate verify failed"]
        case .hostName: ["does not match host name"]
        case .rootCertificate: ["root certificate file", "root certificate store"]
        case .clientCertificate:
            [
                "private key file", "could not read certificate", "could not open certificate", "certificate required",
                "requires a valid client certificate", "alert unknown ca", "alert bad certificate",
                "alert certificate expired", "alert certificate revoked", "alert certificate unknown",
            ]
        case .noTLS: ["does not support SSL"]
        case .user: ["role \""]
        case .database: ["\" does not exist", "no such database", "3D000"]
        case .refused:
            [
                "no pg_hba.conf entry", "pg_hba.conf rejects", "28000", "42501", "channel binding",
                "permission denied for database", "is not currently accepting connections",
                "is not permitted to log in",
            ]
        case .tooManyOfUser: ["too many connections for role"]
        case .tooManyOfDatabase: ["too many connections for database"]
        case .tooMany: ["too many clients", "remaining connection slots", "too many connections", "53300"]
        case .standby: ["server is in hot standby mode", "server is not in hot standby mode"]
        // Said of a standby as well as of a primary whose default_transaction_read_only is on.
        case .readOnly: ["session is read-only"]
        case .starting: ["the database system is ", "57P03", "57P01", "57P02"]
        case .silent: []
        case .unknownHost: ["could not translate host name"]
        case .timeout: ["timeout expired", "Connection timed out"]
        case .foreign:
            ["received invalid response", "expected authentication request", "received unencrypted data after"]
        case .unreachable: ["Connection refused", "No such file or directory", "No route to host", "unreachable"]
        }
    }
}

extension ConnectionProblem {
    /// The message that says what happened and what to do, in one line without a password.
    var message: String {
        let place = server.isEmpty ? "PostgreSQL" : "PostgreSQL at \(server)"
        let name = user.isEmpty ? "the user" : user
        return switch kind {
        case .address:
            "The database's address can't be read. Write postgresql://USER@HOST/NAME, "
                + "and %40 for @ within a part of it."
        case .password:
            "\(place) refused the password of \(name). Check PGPASSWORD, the password file or the address."
        case .noPassword:
            "\(place) asks for a password of \(name). Set PGPASSWORD, or write it into a password file."
        case .certificate:
            "The certificate of \(place) isn't signed by an authority of sslrootcert, or is out of date."
        case .hostName:
            "The certificate of \(place) is for another host name. Use that name in the address, "
                + "or change the certificate."
        case .rootCertificate:
            "The file of sslrootcert can't be read, so nobody can tell who answers. Give the file of the authority."
        case .clientCertificate:
            "\(place) asks for a certificate that it trusts. Set sslcert and sslkey to files that only this account "
                + "can read."
        case .noTLS:
            "\(place) doesn't speak TLS, which sslmode asks for. Set ssl = on in postgresql.conf."
        case .user: "\(place) doesn't know \(name). Create the role with createuser, or check the address."
        case .database: "\(place) has no such database. Create it with createdb, or check the address."
        case .refused:
            "\(place) doesn't let \(name) in from here. Check pg_hba.conf, LOGIN of the role, "
                + "CONNECT on the database, and sslmode of the address."
        case .tooManyOfUser:
            "\(name) has as many connections as it may at \(place) (SQLSTATE 53300). Raise its CONNECTION LIMIT."
        case .tooManyOfDatabase:
            "The database has as many connections as it may at \(place) (SQLSTATE 53300). Raise its CONNECTION LIMIT."
        case .tooMany: "\(place) has no connection left (SQLSTATE 53300). Raise max_connections."
        case .standby: "No server of the address accepts writes; \(place) is a standby. Promote one."
        case .readOnly:
            """
            No server of the address accepts writes; \(place) is a standby. Promote one, or, where it is the primary, \
            switch default_transaction_read_only off.
            """
        case .starting: "\(place) is starting or stopping. A server tries again by itself, a command doesn't."
        case .silent:
            "\(place) takes connections and answers nothing. Behind a pooler, check that PostgreSQL itself runs."
        case .unknownHost: "The host \(server) isn't known. Check the address and the name server."
        case .timeout: "\(place) doesn't answer in time. Check the network, and that nothing drops packets on the way."
        case .foreign:
            "What answers\(server.isEmpty ? "" : " at \(server)") isn't PostgreSQL. Check host and port of the address."
        case .unreachable:
            "\(place) can't be reached. Check that it runs; a server tries again by itself, a command doesn't."
        }
    }
}
