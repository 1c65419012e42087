import Logging

extension OpenIDProvider {
    /// The maximum number of requests to the provider that are under way: whoever begins to sign in makes some.
    private static let requestLimit = 16

    /// Creates the provider of a server, or returns `nil` where none is set.
    init?(_ options: PlacardServer.Options, tracer: Tracer?, logger: Logger) {
        guard let settings = options.openID, let address = options.publicURL else { return nil }
        let isOfThisMachine = OutboundURL(settings.issuer)?.isOfThisMachine ?? false
        self.init(
            settings,
            publicURL: address,
            client: OutboundClient(
                allowsPrivateHosts: settings.allowsPrivateHosts || isOfThisMachine,
                load: WorkLimit(Self.requestLimit),
                tracer: tracer
            ),
            clock: options.clock,
            uptime: options.uptime,
            logger: logger
        )
    }
}
