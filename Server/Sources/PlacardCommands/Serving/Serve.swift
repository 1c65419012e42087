import ArgumentParser
import CardServer
import CommandSettings
import Logging

/// The command `placard serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the server.",
        discussion: """
            placard serve --database sqlite:cards.sqlite --host 0.0.0.0 --port 8080

            Brings the database up to date, prints the address and serves until it gets SIGTERM or SIGINT. At SIGTERM \
            it isn't ready any more, and tells live streams to reconnect, over --reconnect-spread. Then it answers \
            what it has accepted, within --shutdown-timeout, closes the database and ends with status 0; a second \
            signal ends it at once. At SIGHUP it reads the log level and the certificate again. \
            Only this machine can reach \
            it unless --host says otherwise; put a proxy that speaks HTTPS before it, or give it a certificate.

            With --socket only processes of this machine can connect, such as a proxy; \
            name it in --trusted-proxies as unix. \
            It tells systemd when it is ready, and takes the place of --host and --port from a socket \
            that systemd hands it.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option("The address to listen on (default: 127.0.0.1).", value: "address")
    var host: String?

    @Option("The port to listen on; 0 takes a free one (default: 8080).", value: "port")
    var port: String?

    @Option("trace, debug, info, notice, warning, error or critical (default: info).", value: "level")
    var logLevel: String?

    @Option("json or text (default: text).", value: "format")
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "A file to which a line of JSON is added for each request; - for standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var accessLog: String?

    @Flag(
        help: """
            Starts although the clock is before the newest event that is kept or this version, or differs from \
            PostgreSQL's.
            """
    )
    var acceptClock = false

    @Flag(help: "Lets templates ask hosts of private networks, where the settings list them.")
    var privateContent = false

    @Flag(help: "Lets webhooks be sent to hosts of private networks and of this machine.")
    var privateWebhooks = false

    @OptionGroup var local: SocketOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var media: MediaOptions
    @OptionGroup var proxies: ProxyOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var traces: TraceOptions

    func validate() throws {
        guard local.socket != nil, host ?? port != nil else { return }
        throw ValidationError("Give either --socket, or --host and --port.")
    }

    func run() async throws {
        let values = try database.configuration.values()
        let location = try database.location()
        var options = PlacardServer.Options()
        options.host = try values.value(of: .host, flag: host)?.text ?? options.host
        options.port = try values.value(of: .port, flag: port).map(Port.number) ?? options.port
        options.trustedProxies = try proxies.proxies(values)
        options.limits = try limits.limits(values)
        try media.apply(to: &options, values)
        options.accessLog = try values.value(of: .accessLog, flag: accessLog).map(Self.openAccessLog)
        let acceptsClock = try values.value(of: .acceptClock, flag: acceptClock ? "true" : nil)
        options.acceptsClock = try acceptsClock.map(Self.flag) ?? false
        let asksPrivateHosts = try values.value(of: .privateContent, flag: privateContent ? "true" : nil)
        options.allowsPrivateContentHosts = try asksPrivateHosts.map(Self.flag) ?? false
        let sendsToPrivateHosts = try values.value(of: .privateWebhooks, flag: privateWebhooks ? "true" : nil)
        options.allowsPrivateWebhookHosts = try sendsToPrivateHosts.map(Self.flag) ?? false
        options.mail = try MailOptions.settings(values)
        options.openID = try OpenIDOptions.settings(values)
        options.bucket = try BucketOptions.settings(values)
        options.traces = try traces.settings(values)
        if let folder = try values.value(of: .backups)?.text, case .sqlite(let path) = location {
            let backups = BackupFolder(folder, of: path)
            let newest = NewestBackup { (try? backups.newest(at: $0)) ?? nil }
            options.newestBackup = { [clock = options.clock] in newest.time(at: clock()) }
        }
        options.certificate = try tls.certificate(values)
        let manager = ServiceManager.current()
        let place = try listeningPlace(manager, values, &options)
        let logger = try ServerLogging.start(
            level: values.value(of: .logLevel, flag: logLevel),
            format: values.value(of: .logFormat, flag: logFormat)
        )
        ServerLogging.noteUnknownVariables(values, logger)
        if let validity = options.certificate?.validity { CertificateLog.note(validity, at: options.clock(), logger) }
        if place.isOpenToAll, options.trustedProxies.includesSocket {
            logger.warning("Every account of this machine can connect to the socket, and is believed like a proxy")
        }
        let isJSON = try values.value(of: .logFormat, flag: logFormat)?.text == LineLogHandler.Format.json.rawValue
        let isLogged = isJSON || LineLogHandler.writesToJournal
        do {
            try await place.kept(logger) { try await serve(location, options, values, manager, logger) }
        } catch let error where isLogged && !(error is ExitCode) {
            // What reads the log reads no lines in plain text, and the journal gives these no priority.
            logger.critical("The server couldn't start, or has ended", metadata: ["error": "\(error)"])
            throw Placard.status(of: error)
        }
    }

    /// Finds where to listen: on a socket that was handed down, on a Unix socket, or at an address.
    private func listeningPlace(
        _ manager: ServiceManager,
        _ values: SettingValues,
        _ options: inout PlacardServer.Options
    ) throws -> ListeningPlace {
        if let socket = try manager.listeningSocket() {
            return ListeningPlace(socket, &options)
        }
        if let socket = try local.socket(values) { return try ListeningPlace(socket, &options) }
        if options.port != 0 { try PortProbe.check(options.host, port: options.port) }
        return ListeningPlace()
    }

    private func serve(
        _ location: DatabaseLocation,
        _ options: PlacardServer.Options,
        _ values: SettingValues,
        _ manager: ServiceManager,
        _ logger: Logger
    ) async throws {
        let reload = ServerReload(
            values: { [configuration = database.configuration] in try configuration.values() },
            started: values,
            logLevel: logLevel,
            tls: tls,
            certificate: options.certificate,
            accessLog: options.accessLog,
            logger: logger
        )
        let run = ServerRun(
            location: location,
            secretsKey: try database.secretsKey(),
            options: options,
            logger: logger,
            manager: manager,
            reload: { reload() }
        )
        try await run.run { port, dashboard in
            let address = ServerRun.address(options, port)
            let isLocal = options.socket?.path != nil
            let page = isLocal ? "\(dashboard) at the address of your proxy" : address + dashboard
            Console.announce("Placard listens on \(address). Dashboard: \(page)")
        }
    }

    private static func openAccessLog(_ value: SettingValues.Value) throws -> AccessLog {
        guard let log = AccessLog(path: value.text) else {
            throw CommandError("\(value.origin): \(value.text) can't be written. Check that its folder exists.")
        }
        return log
    }

    private static func flag(_ value: SettingValues.Value) throws -> Bool { try TruthValue.read(value) }
}
