import Foundation

extension PostgresServer {
    /// Starts pgbouncer before the server, which gives out connections by transaction.
    ///
    /// - Parameter connections: How many connections to the server it has for each database.
    /// - Throws: ``PostgresCluster/Failure`` where it doesn't start.
    public func startPooler(connections: Int) async throws {
        try await run(
            """
            pooler=$(PATH="$PATH:/usr/sbin" command -v pgbouncer) || {
                echo "pgbouncer is missing. Run scripts/install-requirements." >&2
                exit 1
            }
            mkdir pooler
            if [ "$(id -u)" = 0 ]; then chown postgres pooler; fi
            echo '"placard" ""' >users
            cat >pgbouncer.ini <<END
            [databases]
            * = host=$folder port=$port
            [pgbouncer]
            listen_addr =
            listen_port = 6432
            unix_socket_dir = $folder/pooler
            auth_type = trust
            auth_file = $folder/users
            pool_mode = transaction
            default_pool_size = \(connections)
            max_client_conn = 500
            logfile = $folder/pgbouncer.log
            pidfile = $folder/pgbouncer.pid
            END
            if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
            $as "$pooler" -d -q "$folder/pgbouncer.ini" >/dev/null 2>&1 </dev/null
            until [ -S pooler/.s.PGSQL.6432 ]; do sleep 0.02; done
            """
        )
    }

    /// The address of a database at the socket, through pgbouncer.
    public func pooledURL(of database: String) -> String {
        "postgresql://placard@/\(database)?host=\(folder)/pooler&port=6432"
    }

    /// The address of a database at the socket.
    public func url(of database: String) -> String { "postgresql://placard@/\(database)?host=\(folder)&port=\(port)" }
}
