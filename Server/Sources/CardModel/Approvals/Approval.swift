import Foundation
import WireJSON

/// A request to launch a campaign, or to edit one that users have, which another member approves or rejects.
///
/// It is about one version of the campaign: once the campaign is changed in any way, the request is outdated, and can't
/// be approved any more. What is approved is exactly what stands in the request.
public struct Approval: Sendable, Hashable {
    /// The change that a request asks for.
    public enum Change: Sendable, Hashable {
        /// The launch of the campaign as it is in the request's version.
        case launch
        /// Another content for the campaign.
        case edit(Campaign.Content)

        /// The name on the wire: `launch` or `edit`.
        public var name: String {
            switch self {
            case .launch: "launch"
            case .edit: "edit"
            }
        }
    }

    /// The state of a request in its life.
    public enum ApprovalStatus: String, Sendable, CaseIterable {
        /// It waits for a decision.
        case pending
        /// The change was made.
        case approved
        /// Another member decided against it.
        case rejected
        /// Whoever asked took it back.
        case withdrawn
        /// Another request came in its place.
        case replaced
    }

    /// Something that was said about a request.
    public struct Comment: Sendable, Hashable {
        /// The maximum number of bytes of a comment.
        public static let maximumSize = 2_000
        /// The maximum number of comments of a request.
        public static let limit = 100

        /// The author's name; see ``Actor/name``.
        @Bytewise public var author: String
        /// The time at which it was said, in Unix seconds.
        public var at: UnixTime
        /// The text of the comment.
        @Bytewise public var text: String

        /// Creates a comment.
        public init(author: String, at time: UnixTime, text: String) {
            self.author = author
            self.at = time
            self.text = text
        }

        /// Returns a comment's text from what was typed, or `nil` where nothing is left of it.
        ///
        /// Line breaks become U+000A, and spaces around the text are taken away.
        ///
        /// - Throws: `ModelError` where it is too long, or has other control characters.
        public static func text(of typed: String?) throws(ModelError) -> String? {
            let lines = (typed ?? "").replacing("\r\n", with: "\n").replacing("\r", with: "\n")
                // characters: a tab is no part of another character
                .replacing("\t", with: " ").trimmingCharacters(in: .whitespacesAndNewlines)
            guard !lines.isEmpty else { return nil }
            let isPlain = lines.split(at: "\n").allSatisfy {
                IdentityText.isValid(String($0), maximumBytes: maximumSize)
            }
            guard lines.utf8.count <= maximumSize, isPlain else {
                throw ModelError(
                    .fieldInvalid,
                    at: "comment",
                    "At most \(maximumSize) bytes without control characters are expected."
                )
            }
            return lines
        }
    }

    /// The number of requests of a campaign that are kept; the oldest are removed beyond that.
    public static let kept = 50

    /// The id: `apr_` and 22 letters and digits.
    @Bytewise public var id: String
    /// The campaign.
    public var campaign: CampaignID
    /// The version of the campaign that the request is about.
    public var version: Int64
    /// The change that is asked for.
    public var change: Change
    /// The name of the member or key that asked; see ``Actor/name``.
    @Bytewise public var requester: String
    /// The kind of actor that asked; see ``Actor/kind``.
    @Bytewise public var requesterKind: String
    /// The time of the request, in Unix seconds.
    public var requestedAt: UnixTime
    /// The state of the request in its life.
    public var status: ApprovalStatus
    /// The name of the actor that decided or took it back, or `nil` where nobody has; see ``Actor/name``.
    @Bytewise public var decider: String?
    /// The time at which it was decided, taken back or replaced.
    public var decidedAt: UnixTime?
    /// The comments on the request, the oldest first.
    public var comments: [Comment]

    /// Creates a request that waits.
    public init(
        id: String,
        campaign: CampaignID,
        version: Int64,
        change: Change,
        by actor: Actor,
        at time: UnixTime,
        comment: String? = nil
    ) {
        self.id = id
        self.campaign = campaign
        self.version = version
        self.change = change
        requester = actor.name
        requesterKind = actor.kind.rawValue
        requestedAt = time
        status = .pending
        comments = comment.map { [Comment(author: actor.name, at: time, text: $0)] } ?? []
    }

    /// Returns whether an actor is the one who asked.
    public func isRequested(by actor: Actor) -> Bool {
        requester.hasSameBytes(as: actor.name) && requesterKind.hasSameBytes(as: actor.kind.rawValue)
    }

    /// Returns whether the request can still be approved of a campaign.
    public func isCurrent(for campaign: Campaign) -> Bool {
        status == .pending && self.campaign == campaign.id && version == campaign.version
    }

    /// Returns the campaign as it would be once the request is approved.
    ///
    /// - Throws: `ModelError` where the campaign's status or its cards don't allow the change.
    public func applied(to campaign: Campaign, at now: UnixTime) throws(ModelError) -> Campaign {
        switch change {
        case .launch: try campaign.applying(.launch, at: now)
        case .edit(let content): try campaign.updating(content, at: now)
        }
    }
}

extension Campaign {
    /// Whether users have cards of the campaign, which an edit changes: it was launched, and its cards were not
    /// removed.
    public var hasReachedUsers: Bool { launchedAt != nil && !isWithdrawn }
}
