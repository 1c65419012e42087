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
        form.append("base", parts.text(0))
        guard (try? FormBounds.check(form)) != nil else { return }
        var draft = CampaignDraft(form: form, timeZone: "Asia/Tokyo")
        _ = draft.reshape(parts.text(2).split(separator: " ", maxSplits: 2).map(String.init))
        let campaign = draft.campaign
        _ = try JSONValue(parsing: campaign.bytes)
        _ = try? Campaign.Content(json: campaign)
        _ = (draft.rebased(on: draft.base).campaign, AudienceForm(form: form, timeZone: "UTC").audience)
    }

    /// The type of a form with a file, and after a zero byte the form.
    static let upload = FuzzTarget("upload", maximumLength: 4_608, slowness: 40) { input in
        let parts = Parts(input, count: 2)
        guard let form = MultipartFile(contentType: parts.text(0)) else { return }
        let body = parts[1]
        let whole = try? read(form, body, inPiecesOf: max(1, body.count))
        for size in [1, 7, 4_096] {
            let pieces = try? read(form, body, inPiecesOf: size)
            try requireSame(pieces?.content, whole?.content, "A file is the same in pieces of \(size) bytes")
            try requireSame(pieces?.form.fileName, whole?.form.fileName, "A name is the same in pieces")
            try requireSame(pieces?.form.isComplete, whole?.form.isComplete, "The end is the same in pieces")
        }
        guard let whole else { return }
        try require(whole.content.isEmpty || whole.form.fileName != nil, "A file has a name")
        try require(whole.content.count <= body.count, "A file is a part of its form")
        let hasFolder = whole.form.fileName?.utf8.contains { "/\\".utf8.contains($0) } ?? false
        try require(!hasFolder, "A name has no folder")
        if whole.form.isComplete {
            let size = whole.form.fileSize(ofBody: body.count)
            try require(size >= 0 && size <= body.count, "A size is a possible one: \(size)")
        }
    }

    private static func read(
        _ form: MultipartFile,
        _ body: [UInt8],
        inPiecesOf size: Int
    ) throws -> (form: MultipartFile, content: [UInt8]) {
        var form = form
        var content: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            content += try form.take(body[start..<min(body.count, start + size)])
        }
        return (form, content)
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
