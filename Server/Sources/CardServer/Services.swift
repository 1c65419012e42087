import CardModel
import CardStore
import Logging
import NIOCore

/// The services that the controllers share.
struct Services: Sendable {
    let store: any CardStore
    let catalog: CatalogCache
    let authenticator: Authenticator
    let hub: LiveHub
    let metrics: ServerMetrics
    /// Notes who reads personal data.
    var reads: ReadAudit { authenticator.reads }
    /// The time now, in Unix seconds.
    let clock: @Sendable () -> UnixTime
    /// Gives each new card its id.
    let makeCardID: @Sendable () -> CardID
    /// Creates an ID for a user of which only another name is known.
    var makeUserID: @Sendable () -> UserID = {
        UserID(rawValue: UserID.unidentifiedPrefix + RandomText.letters(22))
    }
    /// Makes the code that a device shows for tests.
    var makeTestCode: @Sendable () -> TestCode = {
        var random = SystemRandomNumberGenerator()
        return TestCode(using: &random)
    }
    /// Fetches what templates ask for.
    let content: ContentSource
    /// Fetches the keys of user tokens.
    let keySets: KeySetSource
    /// Reads large bodies.
    let bodies = BodyReader()
    /// Answers backends apart from devices.
    var requests = RequestExecutor.shared
    /// Answers members apart from backends: a page may take seconds to make.
    var pages = RequestExecutor.pages
    /// The media library.
    let media: MediaService
    /// Admits pieces of files of users; one of 50 MiB has fifty.
    let importUploads = UploadLimiter(DeviceLimits.Rate(burst: 200, perSecond: 5))
    /// Counts the imports that members begin: each is kept for some time, also one that is canceled at once.
    let importStarts = UploadLimiter(DeviceLimits.Rate(burst: 30, perSecond: 0.1))
    /// The pictures that are being sent.
    let pictures: PictureFiles
    /// The address at which devices reach the server.
    var publicAddress = PublicAddress(nil)
    /// Whether messages to members are sent.
    var sendsMail = false
    /// Says which requests for approval are told by e-mail.
    var approvalMail = ApprovalMailLimiter(uptime: { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 })
    /// Renders cards.
    let rendering = FeedRenderer()
    /// The open connections.
    var connections = ConnectionTable(total: 1, perAddress: 1)
    /// The proxies that say where requests come from.
    var proxies = TrustedProxies.none
    /// The certificate that encrypts connections, or `nil` where a proxy does or nothing.
    var certificate: ServerCertificate?
    /// Counts the requests of backends.
    let limiter = RequestLimiter()
    /// Counts the requests of devices.
    var deviceLimiter = DeviceLimiter(uptime: { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 })
    /// The maximum numbers of open live streams; the settings have the number of one user's.
    var liveLimits = LiveHub.LiveLimits()
    /// The live streams of the dashboard's pages.
    var pageStreams = PageStreams()
    /// The links for new passwords that are still to be sent.
    let afterAnswers = AfterAnswers(limit: 32)
    /// Whether the server was asked to stop.
    let drain = DrainState()
    /// Whether devices can be served.
    let readiness: Readiness
    /// The log in which every request is written down, if there is one.
    var accessLog: AccessLog?
    /// Traces requests, or `nil` where nothing is traced.
    var tracer: Tracer?
    /// The newest time that is known to have been.
    let newestTime: NewestTime
    /// Logs when that changes.
    let readinessLog = ReadinessLog()
    let logger: Logger
}

/// The actions that the management API and the dashboard share.
extension Services {
    var campaigns: CampaignService { CampaignService(services: self) }
    var approvals: ApprovalService { ApprovalService(services: self) }
    var segments: SegmentService { SegmentService(services: self) }
    var users: UserService { UserService(services: self) }
    var explanations: ExplainService { ExplainService(services: self) }
    var previews: PreviewService { PreviewService(services: self) }
    var tests: TestSendService { TestSendService(services: self) }
    var contentBlocks: ContentBlockService { ContentBlockService(services: self) }
    var templateNames: TemplateNamesService { TemplateNamesService(services: self) }
    var mail: MailService {
        MailService(
            store: store,
            clock: clock,
            publicURL: sendsMail ? publicAddress.base : nil,
            metrics: metrics,
            logger: logger
        )
    }
    var keys: KeyService { KeyService(services: self) }
    var workspace: SettingsService { SettingsService(services: self) }
}
