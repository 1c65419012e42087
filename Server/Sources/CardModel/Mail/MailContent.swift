public import WireJSON

/// The content of a message to a member.
public enum MailContent: Sendable, Hashable {
    /// Another member has invited them: the link lets them choose a password.
    case invitation(PasswordLetter, from: String)
    /// Their password can be replaced by the link.
    case passwordReset(PasswordLetter)
    /// Their account was changed: what the audit log calls it, and the address of the page of the account.
    case accountChanged(action: String, link: String)
    /// A launch or an edit waits for their approval.
    case approvalRequested(ApprovalLetter)
    /// A change that the member asked for was approved.
    case approvalApproved(ApprovalLetter)
    /// A change that the member asked for was rejected.
    case approvalRejected(ApprovalLetter)

    /// The kind, as stores and metrics name it.
    public var kind: String {
        switch self {
        case .invitation: "invitation"
        case .passwordReset: "password-reset"
        case .accountChanged: "account-changed"
        case .approvalRequested: "approval-requested"
        case .approvalApproved: "approval-approved"
        case .approvalRejected: "approval-rejected"
        }
    }

    /// Whether it has a link to choose a password; a member has one at a time, so a newer message replaces an older
    /// one.
    public var hasPasswordLink: Bool { Self.passwordKinds.contains(kind) }

    /// The kinds of messages that have a link to choose a password.
    public static let passwordKinds = ["invitation", "password-reset"]
}

/// A link to choose a password.
public struct PasswordLetter: Sendable, Hashable {
    /// The address of the page.
    @Bytewise public var link: String
    /// The time at which the link expires.
    public var expiresAt: UnixTime

    /// Creates a letter.
    public init(link: String, expiresAt: UnixTime) {
        self.link = link
        self.expiresAt = expiresAt
    }
}

/// A request for approval, and what was said last.
public struct ApprovalLetter: Sendable, Hashable {
    /// The name of the campaign.
    @Bytewise public var campaign: String
    /// The address of the page on which it is decided.
    @Bytewise public var link: String
    /// Whether it is about an edit, and not a launch.
    public var isEdit: Bool
    /// The name of the member who asked or decided.
    @Bytewise public var author: String
    /// The comment that they wrote, or `nil`.
    @Bytewise public var comment: String?

    /// Creates a letter.
    public init(campaign: String, link: String, isEdit: Bool, author: String, comment: String?) {
        self.campaign = campaign
        self.link = link
        self.isEdit = isEdit
        self.author = author
        self.comment = comment
    }
}

extension MailContent {
    /// The content as stores keep it.
    public var json: JSONValue {
        var members: JSONObject =
            switch self {
            case .invitation(let letter, let author): letter.json.merging(["author": .string(author)]) { $1 }
            case .passwordReset(let letter): letter.json
            case .accountChanged(let action, let link): ["action": .string(action), "link": .string(link)]
            case .approvalRequested(let letter), .approvalApproved(let letter), .approvalRejected(let letter):
                letter.json
            }
        members["kind"] = .string(kind)
        return .object(members)
    }

    /// Reads a content as a store kept it, or returns `nil` for anything else.
    public init?(json: JSONValue) {
        switch json["kind"]?.string {
        case "invitation":
            guard let letter = PasswordLetter(json: json), let author = json["author"]?.string else { return nil }
            self = .invitation(letter, from: author)
        case "password-reset":
            guard let letter = PasswordLetter(json: json) else { return nil }
            self = .passwordReset(letter)
        case "account-changed":
            guard let action = json["action"]?.string, let link = json["link"]?.string else { return nil }
            self = .accountChanged(action: action, link: link)
        case "approval-requested", "approval-approved", "approval-rejected":
            guard let letter = ApprovalLetter(json: json) else { return nil }
            switch json["kind"]?.string {
            case "approval-requested": self = .approvalRequested(letter)
            case "approval-approved": self = .approvalApproved(letter)
            default: self = .approvalRejected(letter)
            }
        default: return nil
        }
    }
}

extension PasswordLetter {
    fileprivate var json: JSONObject { ["link": .string(link), "expires_at": .number(expiresAt)] }

    fileprivate init?(json: JSONValue) {
        guard let link = json["link"]?.string, let expiry = json["expires_at"]?.double else { return nil }
        self.init(link: link, expiresAt: expiry)
    }
}

extension ApprovalLetter {
    fileprivate var json: JSONObject {
        [
            "campaign": .string(campaign), "link": .string(link), "is_edit": .bool(isEdit), "author": .string(author),
            "comment": comment.map(JSONValue.string) ?? .null,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let campaign = json["campaign"]?.string, let link = json["link"]?.string,
            let isEdit = json["is_edit"]?.bool, let author = json["author"]?.string
        else { return nil }
        self.init(
            campaign: campaign,
            link: link,
            isEdit: isEdit,
            author: author,
            comment: json["comment"]?.string
        )
    }
}
