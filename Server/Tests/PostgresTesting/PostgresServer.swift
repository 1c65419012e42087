import CPostgreSQL
import Dispatch
import Foundation

/// A server of PostgreSQL that a test has for itself: with settings of its own, to be killed, copied and promoted.
///
/// It listens at a socket in its folder, and at a port of this machine. A shell ends it when it is closed, and when the
/// process of the tests ends in whatever way.
public final class PostgresServer: Sendable {
    /// The folder, in which the socket, the log and certificates are.
    public let folder: String
    /// The port.
    public let port: Int

    private init(folder: String, port: Int) { (self.folder, self.port) = (folder, port) }

    deinit { try? "".write(toFile: folder + "/stop", atomically: false, encoding: .utf8) }

    // MARK: Starting

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - settings: Lines for `postgresql.conf`.
    ///   - access: Lines for `pg_hba.conf` before the ones that let everybody in at the socket.
    ///   - prepare: Commands of a shell in the server's folder, before it is started.
    /// - Returns: The server.
    /// - Throws: ``PostgresCluster/Failure`` where it doesn't start.
    public static func start(
        settings: [String] = [],
        access: [String] = [],
        prepare: String = ""
    ) async throws -> PostgresServer {
        let server = try await make()
        try await server.run(
            """
            $as "$programs/initdb" -D data -U placard -A trust -E UTF8 --locale=C --no-sync >log 2>&1
            \(prepare)
            cat >>data/postgresql.conf <<'END'
            \(settings.joined(separator: "\n"))
            END
            { cat <<'END'
            \(access.joined(separator: "\n"))
            local all all trust
            local replication all trust
            END
            } >data/pg_hba.conf
            \(startScript)
            """
        )
        return server
    }

    /// Starts a standby of this server, which follows it from now on.
    public func startStandby() async throws -> PostgresServer {
        let standby = try await Self.make()
        try await standby.run(
            """
            $as "$programs/pg_basebackup" -D data -R -c fast --no-sync -d "host=\(folder) port=\(port) user=placard"
            \(Self.startScript)
            """
        )
        return standby
    }

    private static func make() async throws -> PostgresServer {
        // Short, since the path of a socket is limited to about a hundred characters.
        let folder = "/tmp/placard-pg-\(UInt32.random(in: .min ... .max))"
        let server = PostgresServer(folder: folder, port: try LocalPort.free())
        try await server.run(
            """
            mkdir "$folder"
            if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
            """,
            in: "/"
        )
        let script = "exec </dev/null >/dev/null 2>&1\n(\(guardScript)) &"
        let arguments = [folder, "\(ProcessInfo.processInfo.processIdentifier)"]
        try ChildProcess(["/bin/sh", "-c", script, "sh"] + arguments).wait()
        return server
    }

    // MARK: Life

    /// Kills the server as a crash would.
    public func kill() async throws {
        try await run(
            """
            pid=$(head -n 1 data/postmaster.pid)
            kill -QUIT "$pid"
            while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
            """
        )
    }

    /// Starts the server again.
    public func restart() async throws { try await run(Self.startScript) }

    /// Makes a standby the primary server.
    public func promote() async throws {
        try await run(#"$as "$programs/pg_ctl" -D data -w -t 600 -s promote"#)
    }

    /// Waits for commits until a standby has them, from now on.
    public func awaitStandby() async throws {
        try await run(
            """
            sql() { "$programs/psql" -X -q -t -A -h "$folder" -p "$port" -U placard -d postgres -c "$1"; }
            sql "ALTER SYSTEM SET synchronous_standby_names = '*'"
            sql "SELECT pg_reload_conf()" >/dev/null
            count="SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            until [ "$(sql "$count")" = 1 ]; do sleep 0.05; done
            """
        )
    }

    /// Runs a statement in a database, through the socket.
    public func execute(_ sql: String, in database: String = "postgres") async throws {
        try await run(
            """
            "$programs/psql" -X -q -v ON_ERROR_STOP=1 -h "$folder" -p "$port" -U placard -d \(database) <<'END'
            \(sql);
            END
            """
        )
    }

    /// Runs commands of a shell in the server's folder, as the server's account where they begin with `$as`.
    public func run(_ script: String, in directory: String? = nil) async throws {
        let (folder, port) = (folder, port)
        let programs = try PostgresCluster.findPrograms()
        try await PostgresCluster.onThread {
            let errors = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: errors) }
            let arguments = [folder, "\(port)", programs, errors, directory ?? folder]
            let shell = ["/bin/sh", "-c", Self.prologue + script, "sh"]
            guard try ChildProcess(shell + arguments).wait() == 0 else {
                let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
                let log = (try? String(contentsOfFile: folder + "/server.log", encoding: .utf8)) ?? ""
                throw PostgresCluster.Failure(description: "\(text.suffix(1_000)) \(log.suffix(1_000))")
            }
        }
    }

    /// PostgreSQL refuses to run as root, so root becomes another user.
    private static let prologue = """
        exec </dev/null >/dev/null 2>"$4"
        set -e
        cd "$5"
        umask 022
        folder=$1; port=$2; programs=$3
        as=""
        if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; fi

        """

    /// Nothing here has to survive a power failure.
    private static let startScript = """
        options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$folder"
        options="$options -c fsync=off -c full_page_writes=off -c shared_buffers=32MB"
        $as "$programs/pg_ctl" -D data -w -t 600 -s -l "$folder/server.log" -o "$options" start \\
            >/dev/null 2>>"$folder/log"
        """

    private static let guardScript = """
        trap '' HUP INT TERM
        while [ ! -e "$1/stop" ] && kill -0 "$2" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$2/status" 2>/dev/null
        do sleep 0.5; done
        kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")" 2>/dev/null
        if [ -e "$1/pgbouncer.pid" ]; then kill -TERM "$(cat "$1/pgbouncer.pid")"; fi
        rm -rf "$1" || { sleep 1; rm -rf "$1"; }
        """
}

/// Ports of this machine.
enum LocalPort {
    /// Returns a port that nothing uses now.
    static func free() throws -> Int {
        #if canImport(Darwin)
        let socket = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let status = bind(socket, pointer, length)
                return status == 0 ? getsockname(socket, pointer, &length) : status
            }
        }
        guard status == 0 else { throw PostgresCluster.Failure(description: String(cString: strerror(errno))) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
