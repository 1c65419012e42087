import CardModel
public import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle

/// The HTTP server over a store.
public struct PlacardServer: Service {
    /// The name of the server in its answers.
    static let name = "placard"

    /// The time by which the clock can be before the newest event, in seconds.
    public static let clockTolerance = NewestTime.tolerance

    private let options: Options
    let services: Services
    private let logger: Logger
    private let surfaces: [@Sendable (ServerInside) -> any ServerSurface]

    /// Prepares a server; it listens from ``run(onReady:)`` on.
    ///
    /// - Throws: What the store throws when the campaigns cannot be read.
    public init(store: any CardStore, options: Options, logger: Logger) async throws {
        try await self.init(store: store, options: options, logger: logger, surfaces: [])
    }

    /// Prepares a server with pages beside its API.
    ///
    /// - Throws: What the store throws when the campaigns cannot be read.
    package init(
        store: any CardStore,
        options: Options,
        logger: Logger,
        surfaces: [@Sendable (ServerInside) -> any ServerSurface]
    ) async throws {
        self.surfaces = surfaces
        self.options = options
        self.logger = logger
        let catalog = try await CatalogCache(store: store)
        catalog.current.source.logUnreadable(logger)
        let metrics = ServerMetrics(startedAt: options.clock(), newestBackup: options.newestBackup)
        let tracer = options.traces.map { Tracer($0, metrics.traces).noting(groupsOf: store.groupCommits) }
        let hub = LiveHub()
        let storage = Self.pictureStorage(store, options, metrics, tracer, logger)
        services = Services(
            store: store,
            catalog: catalog,
            authenticator: Authenticator(catalog: catalog, store: store, clock: options.clock),
            hub: hub,
            metrics: metrics,
            clock: options.clock,
            makeCardID: { CardID(rawValue: RandomText.uuid()) },
            content: ContentSource(
                fetcher: OutboundContentFetcher(
                    client: OutboundClient(allowsPrivateHosts: options.allowsPrivateContentHosts, tracer: tracer),
                    timeout: options.contentTimeout,
                    logger: logger
                ),
                // safe: an option of seconds
                patience: .seconds(2 * options.contentTimeout),
                clock: options.clock
            ),
            keySets: KeySetSource(
                client: OutboundClient(allowsPrivateHosts: options.allowsPrivateWebhookHosts, tracer: tracer),
                logger: logger,
                timeout: options.keySetTimeout
            ),
            requests: options.requests,
            pages: options.pages,
            media: Self.mediaService(store, storage, options, logger),
            pictures: PictureFiles(storage),
            publicAddress: PublicAddress(options.publicURL),
            sendsMail: options.mail != nil && options.publicURL != nil,
            connections: ConnectionTable(
                total: options.limits.connections,
                perAddress: options.limits.connectionsPerAddress,
                onEviction: { metrics.noteEviction($0, in: logger) }
            ),
            proxies: options.trustedProxies,
            certificate: options.certificate,
            deviceLimiter: DeviceLimiter(uptime: options.uptime),
            liveLimits: .init(perAddress: options.limits.liveStreamsPerAddress, total: options.limits.liveStreams),
            pageStreams: PageStreams(store, beside: hub, options.limits),
            readiness: Readiness(uptime: options.uptime, patience: options.readinessPatience) {
                await store.healthChecks() + [catalog.healthCheck()]
            },
            accessLog: options.accessLog,
            tracer: tracer,
            newestTime: NewestTime(try await store.newestEventTime(), acceptsClock: options.acceptsClock),
            logger: logger
        )
    }

    /// Serves until the task is cancelled or the process is asked to stop.
    public func run() async throws {
        try await run(onReady: { _ in })
    }

    /// Serves until the task is cancelled or the process is asked to stop.
    ///
    /// - Parameter onReady: Is told the port once requests are answered.
    /// - Throws: What keeps it from listening, such as a port that is taken.
    public func run(onReady: @escaping @Sendable (Int) async -> Void) async throws {
        try await application(onReady: onReady).run()
    }

    /// Serves until it is asked to stop; live streams are told to reconnect, and requests that are being answered end,
    /// within the limits.
    ///
    /// - Parameters:
    ///   - stop: Returns when the server is to stop.
    ///   - drains: Returns whether streams have the time of the limits then; otherwise they end at once.
    ///   - onDrained: Is called once they have had it, when no connections are accepted any more.
    ///   - onReady: Is told the port once requests are answered.
    /// - Throws: What keeps it from listening, such as a port that is taken.
    public func run(
        until stop: @escaping @Sendable () async -> Void,
        drains: @escaping @Sendable () -> Bool = { true },
        onDrained: @escaping @Sendable () -> Void = {},
        onReady: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let drain = ServerDrain(
            state: services.drain,
            hub: services.hub,
            delaySeconds: options.limits.drainDelaySeconds,
            streamSeconds: options.limits.reconnectSeconds,
            clock: ContinuousClock(),
            logger: logger
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServiceGroupConfiguration.ServiceConfiguration(service: service(onReady: onReady))],
                logger: logger
            )
        )
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                await stop()
                if drains() { await drain.run() }
                onDrained()
                await group.triggerGracefulShutdown()
            }
            // The other one ends first, or is cancelled.
            defer { tasks.cancelAll() }
            try await group.run()
        }
    }

    /// Returns the service that answers, over a socket that listens already or one of its own.
    private func service(onReady: @escaping @Sendable (Int) async -> Void) -> any Service {
        guard let socket = options.socket else { return application(onReady: onReady) }
        let sync = SyncController(services: services)
        let surfaces = openSurfaces
        let (shortcut, connections) = (shortcut(sync), connectionServices)
        return InheritedApplication(
            socket: socket,
            responder: responder(sync, surfaces),
            makeChannel: { responder in
                ShortcutChannel(responder: responder, shortcut: shortcut, services: connections)
            },
            services: companions(surfaces),
            onRunning: running(onReady),
            logger: logger
        )
    }

    /// The application, for tests that call it without a port.
    package func application(onReady: @escaping @Sendable (Int) async -> Void = { _ in }) -> some ApplicationProtocol {
        let sync = SyncController(services: services)
        let surfaces = openSurfaces
        return Application(
            responder: responder(sync, surfaces),
            server: .http1(shortcut: shortcut(sync), services: connectionServices),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                serverName: Self.name,
                backlog: 1024
            ),
            services: companions(surfaces),
            onServerRunning: running(onReady),
            logger: logger
        )
    }

    private func responder(_ sync: SyncController, _ surfaces: [any ServerSurface]) -> AppResponder {
        AppResponder(
            sync: sync,
            router: Router.build(services).buildResponder(),
            services: services,
            surfaces: surfaces
        )
    }

    private var openSurfaces: [any ServerSurface] { surfaces.map { [inside] surface in surface(inside) } }

    private func shortcut(_ sync: SyncController) -> any Shortcut {
        options.accessLog == nil ? sync : NoShortcut(proxies: services.proxies)
    }

    private var connectionServices: ConnectionServices {
        ConnectionServices(
            table: services.connections,
            bodies: BodyBudget(total: options.limits.bodyBytes, perAddress: options.limits.bodyBytesPerAddress),
            answers: BodyBudget(total: options.limits.bodyBytes, perAddress: options.limits.bodyBytesPerAddress),
            times: options.limits.times,
            metrics: services.metrics,
            refusals: earlyRefusals,
            certificate: options.certificate
        )
    }

    private var earlyRefusals: EarlyRefusals {
        guard let log = services.accessLog else { return EarlyRefusals(services.metrics, nil) }
        return EarlyRefusals(services.metrics) { log.write($0) }
    }

    /// Returns the work that is done once connections are accepted.
    private func running(_ onReady: @escaping @Sendable (Int) async -> Void) -> @Sendable (any Channel) async -> Void {
        let drain = ConnectionDrain(
            table: services.connections,
            seconds: options.limits.shutdownSeconds,
            clock: ContinuousClock(),
            logger: logger
        )
        return { [logger, metrics = services.metrics, limit = options.limits.openSockets] channel in
            try? await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.addHandlers(
                    AcceptPause(metrics, logger: logger),
                    AcceptBound(limit, metrics, logger: logger),
                    position: .first
                )
            }.get()
            // It outlives this call, and knows when the server is asked to stop because it is begun here.
            Task { await drain.run() }
            await onReady(channel.localAddress?.port ?? 0)
        }
    }

    // MARK: What runs beside the answers

    private func companions(_ surfaces: [any ServerSurface]) -> [any Service] {
        let all: [(StopProgress.Step, (any Service)?)] = [
            // What is first ends last: spans come until the end.
            (.traces, traceExporter), (.changes, changeListener), (.webhook, webhookWorker),
            (.keySets, keySetRefresher), (.merging, eventMover), (.imports, ImportWorker(services)),
            (.pictures, DeletedPictureRemover(media: services.media, logger: logger)),
            (.pages, services.pageStreams), (.pages, services.afterAnswers), (.mail, mailWorker(surfaces)),
        ]
        return all.compactMap { step, service in service.map { options.stopping.service($0, as: step) } }
    }

    private func mailWorker(_ surfaces: [any ServerSurface]) -> MailWorker? {
        guard services.sendsMail, let settings = options.mail, let address = options.publicURL else { return nil }
        return MailWorker(
            store: services.store,
            sender: options.mailDelivery ?? SMTPClient(settings, publicURL: address),
            compose: { mail in surfaces.lazy.compactMap { $0.text(of: mail) }.first },
            name: RandomText.letters(16),
            clock: services.clock,
            chance: { Double.random(in: 0...1) },
            logger: logger,
            metrics: services.metrics,
            tracer: services.tracer
        )
    }

    private var changeListener: ChangeListener {
        ChangeListener(
            store: services.store,
            catalog: services.catalog,
            hub: services.hub,
            clock: services.clock,
            keyUses: services.authenticator.uses,
            reads: services.reads,
            tracer: services.tracer,
            logger: logger
        )
    }

    private var webhookWorker: WebhookWorker {
        WebhookWorker(
            store: services.store,
            sender: OutboundWebhookSender(
                client: OutboundClient(
                    allowsPrivateHosts: options.allowsPrivateWebhookHosts,
                    tracer: services.tracer
                ),
                logger: logger
            ),
            name: RandomText.letters(16),
            clock: services.clock,
            chance: { Double.random(in: 0...1) },
            logger: logger,
            metrics: services.metrics,
            tracer: services.tracer
        )
    }

    private var keySetRefresher: KeySetRefresher {
        KeySetRefresher(
            store: services.store,
            catalog: services.catalog,
            fetch: { [keySets = services.keySets] in try await keySets.keys(at: $0) },
            clock: services.clock,
            logger: logger
        )
    }

    private var traceExporter: TraceExporter? {
        guard let traces = options.traces, let tracer = services.tracer else { return nil }
        return TraceExporter(traces, tracer.queue, logger: logger)
    }

    private var eventMover: MergedEventMover { MergedEventMover(store: services.store, logger: logger) }

    private var inside: ServerInside {
        let (catalog, hub) = (services.catalog, services.hub)
        return ServerInside(
            store: services.store,
            clock: services.clock,
            settings: { catalog.current.settings },
            activeCampaigns: { catalog.current.catalog.active.map(\.campaign) },
            reads: services.reads,
            liveCount: { hub.count },
            pageStreams: services.pageStreams,
            afterAnswers: services.afterAnswers,
            media: services.media,
            images: ImageCheckService(services, allowsPrivateHosts: options.allowsPrivateContentHosts),
            campaigns: services.campaigns,
            approvals: services.approvals,
            segments: services.segments,
            users: services.users,
            explanations: services.explanations,
            previews: services.previews,
            tests: services.tests,
            contentBlocks: services.contentBlocks,
            templateNames: services.templateNames,
            keys: services.keys,
            workspace: services.workspace,
            mail: services.mail,
            publicAddress: services.publicAddress,
            provider: OpenIDProvider(options, tracer: services.tracer, logger: logger),
            logger: logger
        )
    }
}
