import CardModel
import CardServer
import Hummingbird
import NIOCore
import WireJSON

/// The problems of a campaign while it is edited, for a script: at which field, line and column; and the estimated
/// reach.
enum EditorChecks {
    /// Checks that say nothing while a field was not filled in yet.
    private static let untimely: Set<String> = [
        "field_missing", "control_without_conversion", "image_without_text", "control_not_added",
    ]

    @Sendable static func answer(_ context: PageContext) async throws -> Response {
        let draft = CampaignDraft(form: context.form, timeZone: context.formTimeZone)
        let reach = try await ReachText.read(context, draft.audience)
        // Where there is no card, the form is that of a segment.
        var problems = draft.variants.isEmpty ? [] : try await problems(context, draft)
        if let problem = reach.problem, !problems.contains(where: { $0.path == problem.path }) {
            problems.append(problem)
        }
        let view = EditorView(draft, .init(problems: problems.filter { !untimely.contains($0.code) }))
        let others = view.problems.filter { !$0.isAtField }.map {
            JSONValue.string(PageFormatter.labeled($0.spot, $0.text))
        }
        return .json(
            [
                "fields": .array(
                    view.noted.map { ["id": .string($0.fieldID), "notes": .array($0.notes.map(\.json))] }
                ),
                "others": .array(others), "reach": .string(reach.text),
                "has_users": .bool(reach.hasUsers),
                "audience": .string(view.audience.audienceJSON.value),
            ]
        )
    }

    /// Everything that the API says of a draft.
    static func problems(_ context: PageContext, _ draft: CampaignDraft) async throws -> [FieldProblem] {
        let campaign = draft.campaign
        let checks = try await context.ask { server, _ in try await server.campaigns.checks(ofDraft: campaign) }
        return draft.problems + checks.map { FieldProblem($0) }
    }

    /// Returns the errors that keep a draft from being saved, or would keep it from being launched.
    static func errors(_ context: PageContext, _ draft: CampaignDraft) async throws -> [FieldProblem] {
        try await problems(context, draft).filter { !$0.isWarning }
    }

    /// The names that a script offers in fields, as the API tells them.
    @Sendable static func names(_ context: PageContext) async throws -> Response {
        .json(try await context.ask { server, _ in try await server.templateNames.names() })
    }
}

extension CampaignDraft {
    /// The problems that cannot be said to the API at all: one of two things of the same name would be lost, and per
    /// cents that don't add up to 100 would mean others.
    var problems: [FieldProblem] { trafficProblems + repeatedNames }

    /// Two things of the same name, of which one would be lost.
    private var repeatedNames: [FieldProblem] {
        variants.enumerated().flatMap { index, variant in
            let (card, path) = (variant.part(.card), "variants[\(index)].card")
            let translations = card.rows(.translations)
            return repeatedKeys(in: card, at: path)
                + repeated(translations.compactMap { $0.text(.tag) }, at: "\(path).translations")
                + translations.flatMap { repeatedKeys(in: $0, at: "\(path).translations.\($0.text(.tag) ?? "?")") }
        }
    }

    /// The keys of several extras of a card or a translation.
    private func repeatedKeys(in part: JSONValue, at path: String) -> [FieldProblem] {
        repeated(CardFormFields.writtenPairs(part.rows(.extras)).map(\.key), at: "\(path).extras", mark: "#key")
    }

    private func repeated(_ names: [String], at path: String, mark: String = "") -> [FieldProblem] {
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let twice = counts.filter { $0.value > 1 }.keys
        return twice.sorted().map {
            FieldProblem(
                path: "\(path).\($0)\(mark)",
                code: "twice",
                message: localized("“\($0)” is used twice. Remove one."),
                isWarning: false
            )
        }
    }
}

/// An audience that was typed as JSON.
enum AudienceJSON {
    static func read(_ text: String, timeZone: String) -> (fields: JSONValue?, problems: [FieldProblem]) {
        do throws(JSONError) {
            let json = try JSONValue(parsing: text)
            return read(json, timeZone)
        } catch {
            // safe: a place in the text
            let before = text.utf8.prefix(error.offset)
            let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
            let column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
            var problem = FieldProblem(
                path: "#audience",
                code: "json_invalid",
                message: "\(error.message).",
                isWarning: false
            )
            (problem.line, problem.column) = (line, column)
            return (nil, [problem])
        }
    }

    private static func read(_ json: JSONValue, _ timeZone: String) -> (fields: JSONValue?, problems: [FieldProblem]) {
        do throws(ModelError) {
            // What is read back is in the one spelling that the fields know.
            let audience = try Audience(json: json).json
            return (AudienceFields(times: DraftTimes(zone: timeZone)).fields(of: audience), [])
        } catch {
            let message = PageFormatter.labeled(EditorView.fieldName(error.path), localized(sentence: error.message))
            return (
                nil, [FieldProblem(path: "#audience", code: error.code.rawValue, message: message, isWarning: false)]
            )
        }
    }
}

extension JSONValue {
    /// The value over several lines, as people write it.
    var indentedText: String { indented(by: "") }

    private func indented(by margin: String) -> String {
        let inner = margin + "  "
        // What fits on a line stays on it.
        if text.utf8.count + margin.utf8.count <= 72 { return text }
        switch self {
        case .array(let items):
            return "[\n" + items.map { inner + $0.indented(by: inner) }.joined(separator: ",\n") + "\n\(margin)]"
        case .object(let members):
            let lines = members.map { "\(inner)\(JSONValue.string($0.key).text): \($0.value.indented(by: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        default: return text
        }
    }
}

extension Response {
    static func json(_ value: JSONValue) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.bytes))
        )
    }
}
