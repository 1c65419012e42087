import Foundation

/// One message of the message centre.
protocol Message: ContentCardable {
    /// The title in the bar of its page.
    var messageHeader: String { get }
    /// The headline.
    var messageTitle: String { get }
    /// The text, or its beginning.
    var cardDescription: String { get }
    /// The name of a picture of the app, or an address.
    var image: String? { get }
    /// Whether the user has opened it.
    var isOpened: Bool { get }
}

extension Message {
    var id: String { contentCardData?.contentCardId ?? "" }
    var date: Date { Date(timeIntervalSince1970: contentCardData?.createdAt ?? 0) }
    var isControl: Bool { contentCardData?.isControl ?? false }
    var canBeDismissed: Bool { contentCardData?.isDismissible ?? false }
}

/// A message that opens as a page of the app.
struct FullPageMessage: Message {
    let contentCardData: ContentCardData?
    let messageHeader: String
    let messageTitle: String
    let cardDescription: String
    let image: String?
    let isOpened: Bool

    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let fields = CardFields(metaData, contentCardClassType) else { return nil }
        contentCardData = fields.data
        messageHeader = fields.extra(.messageHeader) ?? "Message"
        messageTitle = fields.extra(.messageTitle) ?? fields.text(.title) ?? ""
        cardDescription = fields.text(.cardDescription) ?? ""
        image = fields.extra("message_image") ?? fields.text(.image)
        isOpened = fields.flag(.clicked)
    }
}

/// A message that opens as a web page.
struct WebViewMessage: Message {
    /// The content of the page.
    enum Content: Equatable {
        case url(URL)
        case html(String)
        case nothing
    }

    let contentCardData: ContentCardData?
    let messageHeader: String
    let messageTitle: String
    let cardDescription: String
    let image: String?
    let isOpened: Bool
    let content: Content

    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let fields = CardFields(metaData, contentCardClassType) else { return nil }
        contentCardData = fields.data
        messageHeader = fields.extra(.messageHeader) ?? "Message"
        messageTitle = fields.extra(.messageTitle) ?? fields.text(.title) ?? ""
        cardDescription = fields.text(.cardDescription) ?? ""
        image = fields.extra("message_image") ?? fields.text(.image)
        isOpened = fields.flag(.clicked)
        content = Self.content(of: fields)
    }

    /// The address of the card comes first; only web pages are shown.
    ///
    /// The documented sample fetches `content_block_id` with a key of the REST API, which no app may carry: here the
    /// server puts content blocks into `html` when it renders the card.
    private static func content(of fields: CardFields) -> Content {
        if let url = fields.text(.urlString).flatMap(URL.init(string:)),
            ["http", "https"].contains(url.scheme?.lowercased() ?? "")
        {
            return .url(url)
        }
        return fields.extra(.html).map(Content.html) ?? .nothing
    }
}

/// The message centre: what is listed, and what control groups would have seen.
struct MessageList {
    private(set) var messages: [any Message]
    private var controls: [(index: Int, message: any Message)] = []

    init(_ all: [any Message]) {
        messages = []
        for message in all {
            if message.isControl { controls.append((messages.count, message)) } else { messages.append(message) }
        }
    }

    var unreadCount: Int { messages.count { !$0.isOpened } }

    /// The messages at some rows, and the slots of control groups that would be seen with them: each stands with the
    /// row that took its place, after all rows with the last one, and alone in an empty list.
    func seen(at rows: [Int]) -> [any Message] {
        let last = messages.count - 1
        let slots = controls.filter { messages.isEmpty || rows.contains(min($0.index, last)) }.map(\.message)
        return rows.filter(messages.indices.contains).map { messages[$0] } + slots
    }

    mutating func remove(at row: Int) -> any Message {
        controls = controls.map { ($0.index > row ? $0.index - 1 : $0.index, $0.message) }
        return messages.remove(at: row)
    }
}
