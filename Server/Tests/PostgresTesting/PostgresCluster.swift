import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// A server of PostgreSQL for the tests of one process, with a folder of its own.
///
/// It ends, and its folder goes, when the process ends in whatever way: a shell waits for the end of its input.
public final class PostgresCluster: Sendable {
    /// What keeps a cluster from being used.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    /// The folder, in which the server's socket and log are.
    public let folder: String
    /// The folder of the server's programs.
    public let programs: String
    // Held for its end to be open: the shell waits for it.
    private let input: Pipe
    private let count = Atomic<Int>(0)
    /// Tests run all at once, and each has several connections, of which the server has not that many.
    private let places = Places(16)
    /// The places of tests with several databases.
    private let pairs = Places(6)
    /// Databases lie in memory, so no more of them than that wait to be dropped.
    private let leftovers = Places(24)
    private let droppers = Places(2)
    private let connections: KeptConnections

    private static let running = Task { try await PostgresCluster.start() }

    /// The cluster of this process, which is started when it is first asked for.
    public static func shared() async throws -> PostgresCluster { try await running.value }

    private init(folder: String, programs: String, input: Pipe) {
        (self.folder, self.programs, self.input) = (folder, programs, input)
        connections = KeptConnections("postgresql://placard@/postgres?host=\(folder)")
    }

    // MARK: Databases

    /// The address of a database.
    public func url(of database: String) -> String { "postgresql://placard@/\(database)?host=\(folder)" }

    /// Runs a test with a database of its own, which is dropped afterwards.
    ///
    /// - Parameters:
    ///   - template: The database that it is a copy of; `template1` by default, which is empty.
    ///   - body: The test, which gets the database's address.
    /// - Throws: An error of the test, or ``Failure`` where the server fails.
    public func withDatabase(
        like template: String = "template1",
        _ body: (_ url: String) async throws -> Void
    ) async throws {
        try await withDatabases(1, like: template) { urls in
            // safe: one was asked for
            try await body(urls[0])
        }
    }

    /// Runs a test with several databases of its own, which are dropped afterwards.
    ///
    /// - Parameters:
    ///   - number: The number of databases.
    ///   - template: The database that they are copies of; `template1` by default, which is empty.
    ///   - body: The test, which gets the databases' addresses.
    /// - Throws: An error of the test, or ``Failure`` where the server fails.
    public func withDatabases(
        _ number: Int,
        like template: String = "template1",
        _ body: (_ urls: [String]) async throws -> Void
    ) async throws {
        try await withDatabases(like: Array(repeating: template, count: number), body)
    }

    /// Runs a test with a copy of each of several databases, which are dropped afterwards.
    ///
    /// - Parameters:
    ///   - templates: The databases that they are copies of.
    ///   - body: The test, which gets the copies' addresses, in the same order.
    /// - Throws: An error of the test, or ``Failure`` where the server fails.
    public func withDatabases(
        like templates: [String],
        _ body: (_ urls: [String]) async throws -> Void
    ) async throws {
        let places = templates.count > 1 ? pairs : places
        await places.enter()
        defer { places.leave() }
        let names = templates.map { _ in "test_\(count.add(1, ordering: .relaxed).newValue)" }
        do {
            // Copies the template's files as they are; the other way also writes each of their pages to the log.
            for (name, template) in zip(names, templates) {
                try await execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
            }
            try await body(names.map(url(of:)))
        } catch {
            await dropLater(names)
            throw error
        }
        await dropLater(names)
    }

    /// Drops databases without waiting for it, unless many wait already; those of the end go with the cluster.
    private func dropLater(_ names: [String]) async {
        for name in names {
            await leftovers.enter()
            Task.detached { [self] in
                await droppers.enter()
                try? await execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
                droppers.leave()
                leftovers.leave()
            }
        }
    }

    /// Runs a statement in a database; in `postgres` on a connection that is kept, so it sets nothing there.
    public func execute(_ sql: String, in database: String = "postgres") async throws {
        let url = url(of: database)
        let connections = connections
        try await Self.onThread {
            if database == "postgres" {
                try connections.execute(sql)
            } else {
                try TestConnection(url).execute(sql)
            }
        }
    }

    /// Stops the server as a crash would, and starts it again.
    public func crashAndRestart() async throws {
        let processes = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let pid = processes.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw Failure(description: "The server's process is unknown.")
        }
        kill(pid, SIGQUIT)
        let folder = folder
        // The shell starts it again as soon as the process has ended.
        try await Self.onThread { try Self.wait(for: folder, butNot: pid) }
    }

    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }

    // MARK: Starting

    private static func start() async throws -> PostgresCluster {
        try await onThread {
            let programs = try findPrograms()
            // Short, since the path of a socket is limited to about a hundred characters.
            let folder = "\(findPlace())/placard-pg-\(UInt32.random(in: .min ... .max))"
            let input = Pipe()
            _ = try ChildProcess(
                ["/bin/sh", "-c", script, "sh", folder, programs],
                input: input.fileHandleForReading.fileDescriptor
            )
            try input.fileHandleForReading.close()
            try wait(for: folder, butNot: 0)
            return PostgresCluster(folder: folder, programs: programs, input: input)
        }
    }

    /// Returns a folder of memory where there is one with room, and the one of temporary files otherwise.
    ///
    /// Containers often have so little of it that the databases of the tests would fill it.
    private static func findPlace() -> String {
        let memory = "/dev/shm"
        var status = statvfs()
        guard access(memory, W_OK | X_OK) == 0, statvfs(memory, &status) == 0 else { return "/tmp" }
        let room = Double(status.f_bavail) * Double(status.f_frsize)
        return room >= 6e9 ? memory : "/tmp"
    }

    static func findPrograms() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        let others = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/opt/postgresql@15/bin"]
        let found = (folders + others).first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        guard let found else { throw Failure(description: "PostgreSQL is missing. Run scripts/install-requirements.") }
        return found
    }

    /// Waits until the server answers.
    private static func wait(for folder: String, butNot old: Int32) throws {
        let end = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < end {
            let lines = (try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)) ?? ""
            let pid = lines.split(separator: "\n").first.flatMap { Int32($0) }
            if let pid, pid != old, PQping("postgresql://placard@/postgres?host=\(folder)") == PQPING_OK { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "no log"
        throw Failure(description: "PostgreSQL did not start: \(log.suffix(1_000))")
    }

    /// PostgreSQL refuses to run as root, so root becomes another user.
    ///
    /// Nothing here has to survive a power failure.
    private static let script = """
        folder=$1; programs=$2
        trap '' HUP INT TERM
        umask 022
        mkdir "$folder" || exit 1
        as=""
        if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; chown postgres "$folder"; fi
        $as "$programs/initdb" -D "$folder/data" -U placard -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1
        run() {
            while [ ! -e "$folder/stop" ]; do
                $as "$programs/postgres" -D "$folder/data" -c listen_addresses= -c unix_socket_directories="$folder" \\
                    -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=600 \\
                    -c shared_buffers=64MB -c max_wal_size=256MB -c deadlock_timeout=200ms \\
                    -c jit=off -c statement_timeout=120s -c idle_in_transaction_session_timeout=120s \\
                    >>"$folder/log" 2>&1 </dev/null
            done
        }
        run &
        cat >/dev/null
        touch "$folder/stop"
        kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")" 2>/dev/null
        wait
        rm -rf "$folder"
        """
}

/// A number of places, of which each has one user at a time.
private final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
