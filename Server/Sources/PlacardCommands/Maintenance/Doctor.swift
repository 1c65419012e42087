import ArgumentParser
import CardServer
import CardStore
import CommandSettings
import Foundation
import WireJSON

/// The command `placard doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks server and database, and says what to do about each problem.",
        discussion: """
            placard doctor --database sqlite:cards.sqlite

            Looks at the database (schema, integrity, space, files), the audit log, the keys, the clock, the \
            certificate, the mail server, the bucket of pictures, and whether a server answers or could start, \
            and names a command for what is wrong. Changes nothing, and may run \
            while the server does. Ends with status 1 where something is bad.

            A database of more than 256 MiB is read in part; --full reads all of it, which takes about a minute for 5 \
            GB.

            With --ready it only asks the server whether it is ready, \
            as a script or a container's health check does: the \
            status is 0 where it is, and 1 where it isn't or none answers. \
            --wait gives it that many seconds to become so.

            Of PostgreSQL it looks at the connection (TLS, version, rights, pooler), the settings that keep data \
            safe, standbys, free connections, open transactions, the schema and the secrets, in a session that can \
            only read.
            """
    )

    /// The number of pictures that are read at a time.
    private static let pageSize = 1_000

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("The address to look for a server at (default: 127.0.0.1).", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port to look for a server at (default: 8080).", valueName: "port"))
    var port: String?

    @Option(help: ArgumentHelp("The Unix socket to look for a server at, in place of an address.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The folder of backups, whose newest one should be of today.", valueName: "folder"),
        completion: .directory
    )
    var backups: String?

    @OptionGroup var tls: TLSOptions

    @Flag(help: "Reads all of a large database, with its indexes and references.")
    var full = false

    @Flag(help: "Only asks whether the server is ready.")
    var ready = false

    @Option(help: ArgumentHelp("With --ready: how long to wait for it (default: 0).", valueName: "seconds"))
    var wait: Int?

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        if let wait, !(0...86_400).contains(wait) { throw ValidationError("--wait is 0 to 86400.") }
        if wait != nil, !ready { throw ValidationError("--wait is for --ready.") }
        if ready, full || backups != nil { throw ValidationError("--ready looks at nothing else.") }
    }

    func run() async throws {
        let values = try database.configuration.values()
        if ready { return try await tellReadiness(values) }
        // Before this command has the database open itself.
        let isInUse = try await database.location().isInUse()
        let settings = try DoctorSettings(values, tls: tls)
        var server = try serverCheck(values, isDatabaseInUse: isInUse)
        var checks = try await databaseChecks(hasBucket: settings.namesBucket)
        checks += settings.checks
        if let files = settings.certificate {
            let now = Date().timeIntervalSince1970
            checks.append(DoctorCheck(certificate: files, at: now))
            server.certificate = try? ServerCertificate(files).validity
        }
        if let mail = settings.mail, let url = try values.value(of: .publicURL)?.text {
            checks.append(DoctorCheck(mailServer: mail, problem: await mail.problem(publicURL: url)))
        }
        if let bucket = settings.bucket { checks.append(DoctorCheck(bucket: bucket, await bucket.probe())) }
        checks.append(await server.check())
        if let check = try backupsCheck(values) { checks.append(check) }
        checks.append(DoctorCheck(secretFiles: secretFiles(values), backups: try backupFiles(values)))
        try tell(checks)
    }

    /// Says what was found, and ends with status 1 where something of it is bad.
    private func tell(_ found: [DoctorCheck]) throws {
        let checks = found.map { $0.naming(place) }
        if json {
            Console.write(["checks": .array(checks.map(\.json))])
        } else {
            for check in checks { Console.write(check.text) }
        }
        if checks.contains(where: { $0.level == .bad }) { throw ExitCode.failure }
    }

    /// The flags by which another command finds the settings and the database that this one was given, but for an
    /// address, which may have a password in it.
    private var place: String {
        let settings = database.configuration.config.map { " --config \($0.shellWord)" } ?? ""
        guard let given = database.database, case .sqlite? = try? database.location() else { return settings }
        return "\(settings) --database \(given.shellWord)"
    }

    /// Returns the check that asks the server, at the place that flags and settings name.
    private func serverCheck(_ values: SettingValues, isDatabaseInUse: Bool) throws -> ServerCheck {
        let address = try values.value(of: .host, flag: host)?.text ?? "127.0.0.1"
        var server = ServerCheck(
            // As it stands in a URL.
            host: address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : address,
            port: try values.value(of: .port, flag: port).map(Port.number) ?? 8080,
            isDatabaseInUse: isDatabaseInUse
        )
        // An address that was asked for comes before a socket of the settings.
        if socket != nil || host ?? port == nil {
            server.socket = try values.value(of: .socket, flag: socket)?.text
        }
        return server
    }

    private func tellReadiness(_ values: SettingValues) async throws {
        var server = try serverCheck(values, isDatabaseInUse: false)
        if let files = try tls.files(values) { server.certificate = try? ServerCertificate(files).validity }
        try tell([await server.readiness(waiting: wait ?? 0)])
    }

    private func backupsCheck(_ values: SettingValues) throws -> DoctorCheck? {
        guard let folder = try values.value(of: .backups, flag: backups)?.text else { return nil }
        guard case .sqlite(let path) = try database.location() else {
            guard backups == nil else {
                throw ConfigurationError("--backups: PostgreSQL is backed up by its own tools. Leave it out.")
            }
            return nil
        }
        let now = Date().timeIntervalSince1970
        do {
            return DoctorCheck(backups: folder, newest: try BackupFolder(folder, of: path).newest(at: now), at: now)
        } catch {
            return DoctorCheck(.bad, "backups", "\(folder) can't be read. Check that it exists, and whose it is.")
        }
    }

    /// The files of the settings that hold secrets.
    private func secretFiles(_ values: SettingValues) -> [String] {
        let settings: [SettingValues.Setting] = [
            .smtpPasswordFile, .oidcClientSecretFile, .mediaBucketSecretKeyFile, .tracesHeadersFile,
        ]
        // One without a value has been found by now.
        return settings.compactMap { (try? values.value(of: $0))?.text }
    }

    private func backupFiles(_ values: SettingValues) throws -> [String] {
        guard let folder = try values.value(of: .backups, flag: backups)?.text,
            case .sqlite(let path) = try database.location()
        else { return [] }
        return BackupFolder(folder, of: path).files
    }

    private func databaseChecks(hasBucket: Bool) async throws(ConfigurationError) -> [DoctorCheck] {
        do {
            let findings = try await database.location().diagnose(secretsKey: database.secretsKey(), isFull: full)
            let checks = findings.map(DoctorCheck.init)
            // What can't be opened at all has been said by now.
            let opens = !findings.contains { finding in
                ["database", "schema", "objects"].contains(finding.subject) && finding.level == .bad
            }
            return opens ? checks + (await storeChecks(hasBucket: hasBucket)) : checks
        } catch let error as ConfigurationError {
            throw error
        } catch {
            return [DoctorCheck(.bad, "database", "\(error)")]
        }
    }

    /// Counts the pictures whose bytes are in a bucket.
    private static func picturesInBucket(_ store: any CardStore) async throws -> Int {
        var (count, offset) = (0, 0)
        while true {
            let page = try await store.mediaItems(offset: offset, limit: pageSize)
            count += page.count { $0.location != .store }
            guard page.count == pageSize else { return count }
            offset += page.count
        }
    }

    /// Checks what needs the whole store.
    private func storeChecks(hasBucket: Bool) async -> [DoctorCheck] {
        do {
            return try await database.withStore(for: .reading) { store in
                let (_, problems) = try await store.verifyAudit()
                let audited = try await store.latestAuditEntries(limit: 1).first?.at
                let latest = [audited, try await store.newestEventTime()]
                let lost = hasBucket ? nil : DoctorCheck(picturesWithoutBucket: try await Self.picturesInBucket(store))
                return (lost.map { [$0] } ?? []) + [
                    DoctorCheck(audit: problems),
                    DoctorCheck(keys: try await store.apiKeys(), at: Date().timeIntervalSince1970),
                    DoctorCheck(mails: try await store.mailQueue(), at: Date().timeIntervalSince1970),
                    DoctorCheck(clock: Date().timeIntervalSince1970, latest: latest.compactMap(\.self).max()),
                ]
            }
        } catch {
            let isDamaged = (error as? StoreError)?.code == .corrupt
            return [DoctorCheck(.bad, "store", "\(error)", command: isDamaged ? "placard restore FILE" : nil)]
        }
    }
}
