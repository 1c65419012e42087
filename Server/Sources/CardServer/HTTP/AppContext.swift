import Hummingbird
import NIOCore

/// What is known of one request while it is answered.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The address at the other end of the connection, which may be a proxy's.
    package var peerAddress: String { channel.remoteAddress?.ipAddress ?? "unknown" }
}
