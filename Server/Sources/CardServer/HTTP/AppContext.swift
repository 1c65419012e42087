import Hummingbird

/// What is known of one request while it is answered.
struct AppContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
