public import CardModel
import Foundation
import NIOCore

/// A listening socket that is bound outside of the server.
package struct SocketSource: Sendable {
    /// The path of a Unix socket, or `nil` for one of a network.
    package let path: String?
    /// Returns the descriptor of the socket, which listens.
    let listen: @Sendable () throws -> Int32
    /// The descriptors of sockets that were made in place of one that is gone.
    let replacements: AsyncStream<Int32>

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - path: The path of a Unix socket, or `nil` for one of a network.
    ///   - replacements: The descriptors of sockets that listen in place of the one before; none by default.
    ///   - listen: Is called once, when requests can be answered.
    package init(
        path: String?,
        replacements: AsyncStream<Int32> = AsyncStream { $0.finish() },
        listen: @escaping @Sendable () throws -> Int32
    ) {
        self.path = path
        self.replacements = replacements
        self.listen = listen
    }
}

extension PlacardServer {
    /// The addresses and options with which it listens.
    public struct Options: Sendable {
        /// The address to listen on; `127.0.0.1` by default, so that nothing is open that nobody opened.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 takes a free one.
        public var port = 8080
        /// A socket in place of the address and port; `nil` for none.
        package var socket: SocketSource?
        /// The time now, in Unix seconds; by default to the millisecond, which is as much as a device is told.
        public var clock: @Sendable () -> UnixTime = { (Date().timeIntervalSince1970 * 1_000).rounded() / 1_000 }

        /// Seconds of a clock that never goes back.
        package var uptime: @Sendable () -> Double = { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }

        /// The proxies that say where requests come from; none by default.
        public var trustedProxies = TrustedProxies.none

        /// The certificate with which the server ends TLS itself; by default it speaks plain HTTP.
        public var certificate: ServerCertificate?

        /// The limits on what the server holds open and in memory at a time.
        public var limits = ServerLimits()

        /// Whether templates may ask hosts of private networks and of this machine; not by default.
        public var allowsPrivateContentHosts = false
        /// Whether webhooks may be sent to hosts of private networks and of this machine; not by default.
        public var allowsPrivateWebhookHosts = false
        /// The time that a host that templates ask has, in seconds; a feed waits twice as long for all of them.
        package var contentTimeout = 2.0
        /// The time that the publisher of the keys of user tokens has, in seconds.
        package var keySetTimeout = 5.0
        /// The time that a probe of the readiness waits for the store.
        package var readinessPatience = Duration.milliseconds(800)
        /// The threads that answer backends.
        var requests = RequestExecutor.shared
        /// The threads that answer members at their pages.
        var pages = RequestExecutor.pages

        /// The log in which every request is written down, if there is one; with it, no request is answered by the
        /// shortcut.
        public var accessLog: AccessLog?
        /// Whether a clock is used that is before the newest event which is kept; not by default.
        ///
        /// Otherwise events are refused, to be sent again, until the clock is right.
        public var acceptsClock = false

        /// The address at which devices reach the server, such as `https://cards.example.com`; by default the one that
        /// a request for a picture's address was sent to.
        public var publicURL: String?
        /// The mail server that messages to members are given to, or `nil` for none; needs ``publicURL``, which they
        /// link to.
        public var mail: MailSettings?
        /// The OpenID provider with which members sign in to the dashboard, or `nil` for none; needs ``publicURL``, to
        /// which the provider sends browsers back.
        public var openID: OpenIDSettings?
        /// The settings of where spans of traces are sent, or `nil` where nothing is traced.
        public var traces: TraceSettings?
        /// The progress of the server once it stops, for what ends it where that takes too long.
        public var stopping = StopProgress()
        /// The bytes that all pictures of the media library may have; 2 GiB by default.
        public var mediaBytes = 2 << 30
        /// The bucket in which pictures are kept from now on, or `nil` for where the store keeps them.
        public var bucket: BucketSettings?
        /// The time and chance for requests to the bucket; by default those of the server.
        var bucketSurroundings: BucketClient.Surroundings?
        /// The recipient of messages in place of the mail server, or `nil` for the mail server.
        package var mailDelivery: (any MailSending)?
        /// Returns when the newest backup was made, 0 where there is none, for the metrics; `nil` where no folder of
        /// backups is known.
        public var newestBackup: (@Sendable () -> UnixTime)?
        /// The processing that makes the sizes of pictures.
        package var images: any ImageProcessing = ImageSubprocess()

        /// Creates the defaults.
        public init() {}
    }
}
