import CardModel
import WireJSON

/// A message of a campaign as a card.
///
/// The API shows the name and the key-value pairs of a content card. What else a card has, as messages that are sent by
/// the API say it, is taken where it is there.
struct CardReading {
    /// The card's fields, as the model reads them.
    private(set) var card: JSONObject = [:]
    /// The work that is to be done by hand.
    private(set) var remarks: [String] = []

    /// More than there are fields.
    private static let maximumRefusals = 20

    private let message: JSONObject

    /// Reads a message.
    init(_ message: JSONObject) {
        self.message = message
        readLayout()
        for (name, field) in [("title", "title"), ("description", "description"), ("image_url", "image")] {
            if let text = text(name) { card[field] = .string(text) }
        }
        if let text = text("uri_text") { card["domain"] = .string(text) }
        readURLs()
        card["extras"] = [message["extras"], message["extra"]].compactMap(\.self).first { !$0.isNull }
        if message["pinned"]?.bool == true { card["pinned"] = true }
        readExpiry()
        requireTexts()
        dropRefused()
    }

    /// A text that keeps a card back from all users until it is replaced.
    static func withheld(_ field: String) -> String { "{% abort_message('\(field) was not imported') %}" }

    /// Puts a text that withholds the card in place of each template that can't be rendered.
    mutating func withholdTemplates(_ engine: TemplateEngine) {
        guard let template = try? CardTemplate(json: .object(card), at: "") else { return }
        for problem in engine.problems(in: template, at: "card") where problem.code != "connected_content" {
            let path = problem.path.split(at: ".", maxSplits: 2).dropFirst().map(String.init)
            guard let field = path.first else { continue }
            remarks.append("\(path.joined(separator: ".")) is no template that can be rendered: \(problem.message)")
            guard let name = path.dropFirst().first else {
                card[field] = .string(Self.withheld(field))
                continue
            }
            var members = card[field]?.object ?? [:]
            members[name] = .string(Self.withheld(field))
            card[field] = .object(members)
        }
    }

    private func text(_ name: String) -> String? { message[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    private mutating func readLayout() {
        let type = (message["type"] ?? message["card_type"])?.string?.lowercased() ?? ""
        let isKnown = CardTemplate.Layout(rawValue: type) != nil
        let layout = isKnown ? type : text("image_url") == nil ? "classic" : "captioned_image"
        card["type"] = .string(layout)
        if !isKnown { remarks.append("The export doesn't say which type of card it is: \(layout) was taken.") }
    }

    private mutating func readURLs() {
        var urls: JSONObject = [:]
        for platform in ["ios", "android", "web"] {
            if let url = text("\(platform)_uri") { urls[platform] = .string(url) }
        }
        if let url = text("url") ?? text("uri") { card["url"] = .string(url) }
        if !urls.isEmpty { card["urls"] = .object(urls) }
        if message["ios_use_webview"]?.bool ?? message["android_use_webview"]?.bool ?? false {
            card["open_url_in_web_view"] = true
        }
    }

    private mutating func readExpiry() {
        // A time in seconds is one too, and what is none is named when it is refused.
        if let time = message["expire_at"], !time.isNull, time != "" {
            card["expires_at"] = time
            if message["expire_in_local_time"]?.bool == true { card["expires_in_local_time"] = true }
        } else if let seconds = message["time_to_live"]?.double {
            card["expires_after"] = .number(seconds)
        }
    }

    /// Gives a card the texts that it has to have, so that it can be kept as a draft.
    private mutating func requireTexts() {
        let layout = card["type"]?.string.flatMap(CardTemplate.Layout.init(rawValue:)) ?? .classic
        let missing = layout.shape.requiredFields.filter { card[$0] == nil }
        for field in missing { card[field] = .string(Self.withheld(field)) }
        guard !missing.isEmpty else { return }
        remarks.append(
            "The export doesn't have its \(missing.joined(separator: ", ")): write them. "
                + "Until then the card is withheld."
        )
    }

    /// Takes away what a card can't have, field by field.
    private mutating func dropRefused() {
        for _ in 0..<Self.maximumRefusals {
            guard let error = refusal(), let field = error.path.split(at: ".").dropFirst().first.map(String.init)
            else { return }
            // A name such as `extras` may be followed by a place in it.
            let name = String(field.split(atAnyOf: "[").first ?? "")
            guard card[name] != nil, name != "type" else { return }
            remarks.append("\(name) was left out: \(error.message)")
            card[name] = ["title", "description", "image"].contains(name) ? .string(Self.withheld(name)) : nil
            if name == "expires_at" { card["expires_in_local_time"] = nil }
        }
    }

    private func refusal() -> ModelError? {
        do throws(ModelError) {
            _ = try CardTemplate(json: .object(card), at: "card")
            return nil
        } catch {
            return error
        }
    }
}
