import WireJSON

/// The kind of object that an answer of Braze's public REST API describes, as its fields show it.
///
/// Most answers don't say what they are: a file has the name that an operator gave it.
enum ExportDocument {
    /// An answer of `/campaigns/details`.
    case campaign(JSONObject)
    /// An answer of `/segments/details`.
    case segment(JSONObject)
    /// An answer of `/content_blocks/info`.
    case contentBlock(JSONObject)
    /// A user's profile: a line of a segment's export.
    case user(JSONObject)
    /// An answer of `/campaigns/list`, `/segments/list` or `/content_blocks/list`.
    case list(ExportedKind, [JSONValue])
    /// Several documents: an array of answers, or the users of `/users/export/ids`.
    case several([JSONValue])
    /// Something else, with what it seems to be.
    case other(String)

    /// Recognises an answer by its fields.
    init(_ json: JSONValue) {
        switch json {
        case .array(let elements): self = .several(elements)
        case .object(let members): self.init(members)
        default: self = .other("no answer of the API")
        }
    }

    private init(_ members: JSONObject) {
        if let users = members["users"]?.array {
            self = .several(users)
        } else if let (kind, elements) = Self.list(in: members) {
            self = .list(kind, elements)
        } else if members["content_block_id"]?.string != nil, members["content"]?.string != nil {
            self = .contentBlock(members)
        } else if members["steps"]?.array != nil || members["variants"]?.array != nil {
            self = .other("a Canvas")
        } else if members["email_template_id"] != nil {
            self = .other("an e-mail template")
        } else if members["messages"] != nil || members["schedule_type"] != nil {
            self = .campaign(members)
        } else if ["external_id", "braze_id", "user_aliases"].contains(where: { members[$0] != nil }) {
            self = .user(members)
        } else if members["name"]?.string != nil, members["created_at"] != nil {
            self = .segment(members)
        } else if members["errors"] != nil || members["message"].map({ $0 != "success" }) == true {
            self = .other("an error that the API answered")
        } else {
            self = .other("no answer of the API that is known here")
        }
    }

    private static func list(in members: JSONObject) -> (ExportedKind, [JSONValue])? {
        for kind in ExportedKind.allCases {
            if let elements = members[kind.listName]?.array { return (kind, elements) }
        }
        return nil
    }
}

/// A kind of object that a workspace takes over.
package enum ExportedKind: String, Sendable, CaseIterable {
    /// A campaign.
    case campaign
    /// A segment.
    case segment
    /// A content block.
    case contentBlock = "content block"

    /// The field of a list that has them.
    var listName: String {
        switch self {
        case .campaign: "campaigns"
        case .segment: "segments"
        case .contentBlock: "content_blocks"
        }
    }

    /// The names that an object's id goes by.
    var idNames: [String] {
        switch self {
        case .campaign: ["campaign_id", "campaign_api_id", "id"]
        case .segment: ["segment_id", "id"]
        case .contentBlock: ["content_block_id"]
        }
    }
}

/// An object of an export, and where it was found.
struct ExportedObject {
    /// Its fields.
    let members: JSONObject
    /// The file, and the line of one that has many.
    let source: String
    /// The ID at Braze, where the export says so.
    var originalID: String?

    /// Creates an object; its id is a field, or the name of its file.
    init(_ kind: ExportedKind, _ members: JSONObject, source: String, fileName: String) {
        self.members = members
        self.source = source
        let field = kind.idNames.lazy.compactMap { members[$0]?.string }.first { !$0.isEmpty }
        originalID = field ?? Self.identifier(in: fileName)
    }

    /// The display name of the object.
    var name: String { members["name"]?.string ?? "" }

    /// The UUID that a file's name has before its end, as of `3bbc4555-8fa0-4c9b-a5c0-4505edf3e064.json`.
    private static func identifier(in fileName: String) -> String? {
        let base = String(fileName.split(at: ".").first ?? "")
        let parts = base.split(at: "-", omittingEmptySubsequences: false)
        let isHexadecimal = base.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit }
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && isHexadecimal ? base.lowercased() : nil
    }
}
