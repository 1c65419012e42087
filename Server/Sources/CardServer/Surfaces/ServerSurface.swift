import CardModel
import CardStore
import Hummingbird
import Logging

/// A set of pages that the server answers for beside its API.
package protocol ServerSurface: Sendable {
    /// Whether the pages at that path are its own.
    func answers(_ path: String) -> Bool

    /// Answers; every failure is an answer too.
    func respond(to request: Request, _ context: AppContext) async -> Response

    /// Returns what a message to a member says, or `nil` where it doesn't know.
    func text(of mail: Mail) -> MailText?
}

extension ServerSurface {
    package func text(of mail: Mail) -> MailText? { nil }
}

/// The parts of the server that a surface that belongs to it can use.
package struct ServerInside: Sendable {
    /// The store.
    package let store: any CardStore
    /// The time now, in Unix seconds.
    package let clock: @Sendable () -> UnixTime
    /// The settings as they are now.
    package let settings: @Sendable () -> Settings
    /// The campaigns whose status is active, those whose start is still to come included.
    package let activeCampaigns: @Sendable () -> [Campaign]
    /// Notes who reads personal data.
    package let reads: ReadAudit
    /// The number of open live streams.
    package let liveCount: @Sendable () -> Int
    /// The live streams of pages.
    package let pageStreams: PageStreams
    /// Does what goes on after a request was answered.
    package let afterAnswers: AfterAnswers
    /// The media library.
    package let media: MediaService
    /// Loads the images of campaigns to see whether apps can.
    package let images: ImageCheckService
    /// Creates, edits, checks and launches campaigns.
    package let campaigns: CampaignService
    /// Asks for approvals of campaigns, gives and refuses them.
    package let approvals: ApprovalService
    /// Creates and edits segments, and counts the users of audiences.
    package let segments: SegmentService
    /// Reads and deletes users.
    package let users: UserService
    /// Says why users see what they see.
    package let explanations: ExplainService
    /// Renders cards that need not exist.
    package let previews: PreviewService
    /// Sends cards to a few users to try.
    package let tests: TestSendService
    /// Saves, checks and deletes content blocks.
    package let contentBlocks: ContentBlockService
    /// Finds the names that an editor offers.
    package let templateNames: TemplateNamesService
    /// Creates, edits and revokes API keys.
    package let keys: KeyService
    /// Reads and saves the settings of the workspace.
    package let workspace: SettingsService
    /// Leaves messages for members.
    package let mail: MailService
    /// The address at which devices reach the server.
    package let publicAddress: PublicAddress
    /// The OpenID provider with which members sign in, or `nil` for none.
    package let provider: OpenIDProvider?
    package let logger: Logger
}
