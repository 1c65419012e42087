import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

/// The notice of a change on the page that it leads to, and what can be undone of it for a moment.
///
/// It travels in the address, signed with the session's key: nobody else can make a page say or offer anything.
struct ChangeNotice: Sendable, Equatable {
    /// The time in which a change can be undone, in seconds; pages offer it for ten.
    static let lifetime: Int64 = 60
    /// The bytes that an address has room for: the head of an answer has to fit the 4 KB that nginx keeps for it, which
    /// refuses it otherwise, when the change is made already.
    static let longest = 2_800

    /// The result; empty where the address names it.
    var done = ""
    /// The items that were left out, with the reasons.
    var problems: [String] = []
    /// The changes that can be undone.
    var undo: [UndoableChange] = []
}

extension ChangeNotice {
    /// The bytes of a notice, at most; beyond them none is read.
    fileprivate static let limit = 1 << 18
    private static let codeSize = 32
    private static let expirySize = 8

    /// Reads what ``text(key:at:)`` returns, or returns `nil` where it was not signed with the key or is over.
    init?(_ text: String, key: [UInt8], at now: UnixTime) {
        guard text.utf8.count <= Self.limit, let bytes = SecretBytes.bytes(text),
            bytes.count > Self.codeSize + Self.expirySize
        else { return nil }
        let (code, signed) = (Array(bytes.prefix(Self.codeSize)), Array(bytes.dropFirst(Self.codeSize)))
        guard ConstantTime.areEqual(code, Self.code(of: signed, key)),
            let expiry = SignedExpiry(bytes: signed.prefix(Self.expirySize)),
            expiry.state(at: now, lifetime: Self.lifetime) == .valid,
            let json = try? JSONValue(parsing: String(decoding: signed.dropFirst(Self.expirySize), as: UTF8.self)),
            let parts = json.array, parts.count == 3, let done = parts[0].string, let problems = parts[1].array,
            let changes = parts[2].array
        else { return nil }
        self.init(
            done: done,
            problems: problems.compactMap(\.string),
            undo: changes.compactMap(UndoableChange.init)
        )
    }

    /// Returns the notice as it travels.
    func text(key: [UInt8], at now: UnixTime) -> String {
        let json: JSONValue = [
            .string(done), .array(problems.map(JSONValue.string)), .array(undo.map(\.json)),
        ]
        let signed = SignedExpiry(Self.lifetime, after: now).bytes + Array(json.text.utf8)
        return SecretBytes.text(Self.code(of: signed, key) + signed)
    }

    /// The key signs form tokens, too, none of which begins like this.
    private static func code(of signed: [UInt8], _ key: [UInt8]) -> [UInt8] {
        SecretBytes.code(of: Array("change notice".utf8) + signed, key: key)
    }
}

/// A change that can be undone.
enum UndoableChange: Sendable, Equatable {
    /// A change of a campaign, by the version that it has made.
    case campaign(String, version: Int64)
    /// A segment that was archived or restored.
    case segment(String, wasArchived: Bool)
    /// A saved filter that was deleted.
    case filter(SavedFilter)
    /// A content block that was deleted.
    case contentBlock(ContentBlock)
    /// A picture that was deleted, with its name.
    case picture(String, name: String)
}

extension UndoableChange {
    fileprivate var json: JSONValue {
        switch self {
        case .campaign(let id, let version): ["campaign", .string(id), .integer(version)]
        case .segment(let id, let wasArchived): ["segment", .string(id), .bool(wasArchived)]
        case .filter(let filter):
            [
                "filter", .string(filter.id), .string(filter.list.rawValue), .string(filter.owner),
                .string(filter.name), .string(filter.query), .bool(filter.isShared), .number(filter.createdAt),
            ]
        case .contentBlock(let block):
            [
                "content-block", .string(block.name), .string(block.content), .string(block.description),
                .number(block.updatedAt),
            ]
        case .picture(let id, let name): ["picture", .string(id), .string(name)]
        }
    }

    fileprivate init?(_ json: JSONValue) {
        guard let parts = json.array, parts.count >= 3, let id = parts[1].string else { return nil }
        switch parts[0].string {
        case "campaign":
            guard let version = parts[2].integer else { return nil }
            self = .campaign(id, version: version)
        case "segment":
            guard let wasArchived = parts[2].bool else { return nil }
            self = .segment(id, wasArchived: wasArchived)
        case "filter":
            guard parts.count == 8, let list = parts[2].string.flatMap(SavedFilter.List.init),
                let owner = parts[3].string, let name = parts[4].string, let query = parts[5].string,
                let isShared = parts[6].bool, let created = parts[7].double
            else { return nil }
            var filter = SavedFilter(id: id, of: list, owner: owner, name: name, query: query, at: created)
            filter.isShared = isShared
            self = .filter(filter)
        case "content-block":
            guard parts.count == 5, let content = parts[2].string, let description = parts[3].string,
                let updated = parts[4].double
            else { return nil }
            self = .contentBlock(
                ContentBlock(name: id, content: content, description: description, updatedAt: updated)
            )
        case "picture":
            guard let name = parts[2].string else { return nil }
            self = .picture(id, name: name)
        default: return nil
        }
    }
}

extension PageContext {
    /// The notice that the address or the form brings, or `nil` where there is none that is valid now.
    func changeNotice(in fields: FormData) -> ChangeNotice? {
        fields[.undo].flatMap { ChangeNotice($0, key: session.formKey, at: now) }
    }

    /// Returns the address of a page that says what has changed, or `nil` where that is too long for an address.
    func address(_ path: String, done: String? = nil, _ notice: ChangeNotice) -> String? {
        var parts = FormData()
        if let done { parts.append(FormField.done.rawValue, done) }
        if notice != ChangeNotice() {
            parts.append(FormField.undo.rawValue, notice.text(key: session.formKey, at: now))
        }
        let separator = path.contains(bytesOf: "?") ? "&" : "?"
        let address = [path, parts.encoded].filter { !$0.isEmpty }.joined(separator: separator)
        return address.utf8.count <= ChangeNotice.longest ? address : nil
    }

    /// Leads to a page that says what has changed, and offers to undo it where an address has room for that.
    func leading(to path: String, done: String, undo: [UndoableChange]) -> Response {
        let address = address(path, done: done, ChangeNotice(undo: undo))
        let separator = path.contains(bytesOf: "?") ? "&" : "?"
        return .seeOther(address ?? "\(path)\(separator)\(FormField.done.rawValue)=\(done)")
    }

    /// Leads to a page that says what has changed and offers to undo it, or shows it at once where no address has room
    /// for that.
    ///
    /// - Parameters:
    ///   - path: The address of the page.
    ///   - done: The name of the notice.
    ///   - undo: The changes that can be undone.
    ///   - show: Shows the page.
    /// - Returns: The answer.
    /// - Throws: What keeps the page from being shown.
    func leading(
        to path: String,
        done: String,
        undo: [UndoableChange],
        orShowing show: (PageContext) async throws -> Response
    ) async throws -> Response {
        if let address = address(path, done: done, ChangeNotice(undo: undo)) { return .seeOther(address) }
        var context = self
        var notice = ChangeNotice(done: PageFormatter.shown(Notice.text(of: done)), undo: undo)
        // What the form couldn't restore isn't offered.
        let isTooLarge = notice.text(key: session.formKey, at: now).utf8.count > ChangeNotice.limit
        if isTooLarge { notice.undo = [] }
        context.shownChange = notice
        context.shownAddress = path
        return try await show(context)
    }

    /// The address of the page without what it said of a change.
    var addressWithoutNotice: String {
        if let shownAddress { return shownAddress }
        guard query[.undo] != nil else { return request.uri.description }
        var rest = query
        rest.removeAll { [FormField.undo.rawValue, FormField.done.rawValue].contains($0.name) }
        return rest.fields.isEmpty ? request.uri.path : "\(request.uri.path)?\(rest.encoded)"
    }
}
