/// The values that a template sees while it renders.
public struct LiquidContext: Sendable {
    /// The data: each variable that the template does not set itself is a property of this object.
    public var data: any LiquidObject
    /// Finds the templates of `include` and `render`; without it every one is missing.
    public var partials: (any LiquidTemplateProviding)?
    /// Finds content blocks; without it every one is missing.
    public var contentBlocks: (any LiquidTemplateProviding)?
    /// Fetches for `connected_content`; without it the tag fails.
    public var connectedContent: (any ConnectedContentProviding)?
    /// The moment that `now` means, and the time zones that filters may name.
    public var calendar: LiquidCalendar
    /// Measures how long rendering takes.
    ///
    /// Any monotonic reading will do.
    public var elapsed: @Sendable () -> Duration

    /// Creates a context; what is left out is absent, and time is that of the system.
    public init(
        data: any LiquidObject = LiquidHash([]),
        partials: (any LiquidTemplateProviding)? = nil,
        contentBlocks: (any LiquidTemplateProviding)? = nil,
        connectedContent: (any ConnectedContentProviding)? = nil,
        calendar: LiquidCalendar = LiquidCalendar(),
        elapsed: @escaping @Sendable () -> Duration = LiquidContext.systemUptime
    ) {
        self.data = data
        self.partials = partials
        self.contentBlocks = contentBlocks
        self.connectedContent = connectedContent
        self.calendar = calendar
        self.elapsed = elapsed
    }

    private static let start = ContinuousClock.now

    /// The time since the process first rendered, which only grows.
    @Sendable
    public static func systemUptime() -> Duration {
        start.duration(to: .now)
    }
}

/// Finds compiled templates by name.
public protocol LiquidTemplateProviding: Sendable {
    /// The template of a name; `nil` when there is none. Throws when it does not compile.
    func template(named name: String) throws(LiquidError) -> LiquidTemplate?
}

/// A fixed set of templates, compiled once.
public struct LiquidLibrary: LiquidTemplateProviding {
    private let templates: [ByteText: Result<LiquidTemplate, LiquidError>]

    /// Compiles sources by name; one that does not compile fails when it is asked for.
    public init(_ sources: [String: String], environment: LiquidEnvironment) {
        var templates: [ByteText: Result<LiquidTemplate, LiquidError>] = [:]
        for (name, source) in sources {
            do throws(LiquidError) {
                templates[ByteText(name)] = .success(try environment.compile(source, name: name))
            } catch {
                templates[ByteText(name)] = .failure(error)
            }
        }
        self.templates = templates
    }

    /// The template of a name; `nil` when there is none.
    public func template(named name: String) throws(LiquidError) -> LiquidTemplate? {
        try templates[ByteText(name)]?.get()
    }
}

/// A request that a template makes with `connected_content`.
public struct ConnectedContentRequest: Sendable, Equatable {
    /// The address, its Liquid rendered.
    ///
    /// Nothing about it has been checked.
    public var address: String
    /// The options by name without the colon, such as `method` or `cache_max_age`; one without a value is empty.
    public var options: [String: String]

    /// Creates a request.
    public init(address: String, options: [String: String] = [:]) {
        self.address = address
        self.options = options
    }
}

/// The answer to a request of a template.
public struct ConnectedContentResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The body in UTF-8.
    public var body: String

    /// Creates an answer.
    public init(status: Int = 200, body: String) {
        self.status = status
        self.body = body
    }
}

/// Answers `connected_content` from what has been fetched; the engine itself never touches a network.
public protocol ConnectedContentProviding: Sendable {
    /// The answer to a request. Throws to fail the render.
    func response(to request: ConnectedContentRequest) throws(LiquidError) -> ConnectedContentResponse
}
