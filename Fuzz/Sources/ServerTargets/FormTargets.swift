import CardModel
import WireJSON

@testable import Dashboard

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What the dashboard's pages send.
extension FuzzTarget {
    /// A form as it is sent.
    static let form = FuzzTarget("form", maximumLength: 1_024) { input in
        let form = FormData(urlEncoded: String(decoding: input, as: UTF8.self))
        try requireSame(FormData(urlEncoded: form.encoded), form, "What was read is written and read again")
        try? FormBounds.check(encoded: input)
        guard (try? FormBounds.check(form)) != nil else { return }
        let tree = FormTree.json(form)
        try requireSame(try JSONValue(parsing: tree.bytes), tree, "A form can be written as JSON")
        for (name, value) in form.fields {
            let text = JSONValue.guessing(value).fieldText
            try requireSame(JSONValue.guessing(text).fieldText, text, "A value is read back from its field")
            _ = (form.text(name), form.all(name))
        }
    }

    /// A campaign in the editor: as JSON, and after zero bytes a form and what its button says.
    static let editor = FuzzTarget("editor", maximumLength: 2_048, slowness: 10) { input in
        let parts = Parts(input, count: 3)
        if let json = try? JSONValue(parsing: parts[0]), let content = try? Campaign.Content(json: json) {
            let draft = CampaignDraft(campaign: .object(content.json), timeZone: "UTC")
            try requireSame(
                try Campaign.Content(json: draft.campaign),
                content,
                "A campaign that nobody has edited stays as it is"
            )
        }
        var form = FormData(urlEncoded: parts.text(1))
        form.fields.append(("base", parts.text(0)))
        guard (try? FormBounds.check(form)) != nil else { return }
        var draft = CampaignDraft(form: form, timeZone: "Asia/Tokyo")
        _ = draft.reshape(parts.text(2).split(separator: " ", maxSplits: 2).map(String.init))
        let campaign = draft.campaign
        _ = try JSONValue(parsing: campaign.bytes)
        _ = try? Campaign.Content(json: campaign)
        _ = (draft.rebased(on: draft.base).campaign, AudienceForm(form: form, timeZone: "UTC").audience)
    }

    /// The text of a QR code.
    static let qr = FuzzTarget("qr", maximumLength: 80, slowness: 100) { input in
        let text = String(decoding: input, as: UTF8.self)
        guard let code = QRCode(text) else {
            try require(text.utf8.count > 213, "A text of \(text.utf8.count) bytes fits")
            return
        }
        try require((code.size - 17) % 4 == 0, "A code is a square")
        for (row, column) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            let isFinder = (0..<7).allSatisfy { code.isDark(row, column + $0) && code.isDark(row + 6, column + $0) }
            try require(isFinder, "Three corners have a finder pattern")
        }
    }
}
