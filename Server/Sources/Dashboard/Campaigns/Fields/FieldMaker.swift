import CardModel
import CardServer
import WireJSON

/// The API's error for a place in a campaign.
struct FieldProblem: Sendable {
    let path: String
    let code: String
    let message: String
    let isWarning: Bool
    var line: Int?
    var column: Int?
}

extension FieldProblem {
    init(_ check: CampaignCheck) {
        path = check.path
        code = check.code
        message = localized(sentence: check.message)
        isWarning = check.severity == .warning
    }

    init(_ draft: DraftCheck) {
        self.init(draft.check)
        guard let problem = draft.problem, problem.line > 0 else { return }
        (line, column) = (problem.line, problem.column)
    }

    init(_ refusal: ServiceError) {
        self.init(
            path: refusal.path,
            code: refusal.code,
            message: localized(sentence: refusal.message),
            isWarning: false
        )
    }
}

/// Makes the fields of a form: it gives each what is wrong in it, and remembers where each path of the campaign is
/// shown.
final class FieldMaker {
    /// A field as people name it, with what it says.
    struct NamedField {
        let path: String
        let fieldID: String
        /// The path with names in place of numbers, so that a variant is found again where it has moved.
        let key: String
        let group: String
        let label: String
        let text: String
    }

    private(set) var entries: [NamedField] = []
    /// The fields in which something is wrong.
    private(set) var noted: [(fieldID: String, notes: [FieldView.Note])] = []
    /// The group that the next fields belong to, such as `Variant A`.
    var group = ""
    /// The problems by every path that leads to them: a form may have as many problems as fields.
    private let problems: [String: [FieldProblem]]
    private var keys: [(path: String, key: String)] = []

    init(_ problems: [FieldProblem] = []) {
        var byPath: [String: [FieldProblem]] = [:]
        for problem in problems {
            for path in Self.paths(to: problem.path) { byPath[path, default: []].append(problem) }
        }
        self.problems = byPath
    }

    /// A path, and what comes before each of its parts.
    private static func paths(to path: String) -> [String] {
        let ends = path.indices.dropFirst().filter { path[$0] == "." || path[$0] == "[" }
        return ends.prefix(60).map { String(path[..<$0]) } + [path]
    }

    /// Says that what is at a path is found again by a key.
    func name(_ path: String, _ key: String) { keys.append((path, key)) }

    static func fieldID(_ place: String) -> String {
        "f-" + place.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? String($0) : "-" }.joined()
    }

    func make(
        _ kind: FieldView.Kind,
        _ label: String,
        at place: String,
        path: String,
        value: String,
        options: [FieldOption] = [],
        _ style: FieldView.Style = .init()
    ) -> FieldView {
        let id = Self.fieldID(place)
        let chosen = options.first { $0.isChosen }
        let isChecked = value == "on"
        let shown: String =
            switch kind {
            case .choice, .radio: chosen.map { $0.value.isEmpty ? "" : $0.name } ?? value
            case .check: isChecked ? localized("yes") : ""
            case .moment: value.replacing("T", with: " ")
            default: value
            }
        note(label, path, id, style.isPart ? "" : style.compared ?? shown)
        let notes = notes(at: path, id: id, text: value, label: label)
        if !notes.isEmpty { noted.append((id, notes)) }
        let describing = (style.hint == nil ? [] : ["\(id)-hint"]) + notes.map(\.noteID)
        var rows = 1
        if case .text(let count) = kind { rows = count }
        func kinds(_ name: String) -> Bool { kind.name == name }
        return FieldView(
            fieldID: id,
            place: place,
            label: label,
            value: value,
            options: options,
            isChecked: isChecked,
            isLine: kinds("line"),
            isText: kinds("text"),
            isChoice: kinds("choice"),
            isRadio: kinds("radio"),
            isCheck: kinds("check"),
            isMoment: kinds("moment"),
            rows: rows,
            maximum: FieldLimits.limit(of: place),
            fieldHint: style.hint,
            placeholder: style.placeholder,
            inputMode: style.inputMode,
            names: style.names,
            mark: style.mark,
            suffix: style.suffix,
            isLiquid: style.isLiquid,
            isBare: style.isBare,
            notes: notes,
            isWrong: notes.contains { !$0.isWarning },
            describedBy: describing.isEmpty ? nil : describing.joined(separator: " ")
        )
    }

    /// Remembers a field, or what several fields say together.
    func note(_ label: String, _ path: String, _ id: String, _ text: String) {
        let key = keys.reversed().first { path.hasPrefix($0.path) }.map { $0.key + path.dropFirst($0.path.count) }
        entries.append(
            NamedField(path: path, fieldID: id, key: key ?? path, group: group, label: label, text: text)
        )
    }

    // MARK: What is wrong

    private func notes(at path: String, id: String, text: String, label: String) -> [FieldView.Note] {
        (problems[path] ?? []).enumerated().map { number, problem in
            let line = problem.line.flatMap { Self.line($0, of: text) }
            let place = problem.line.map { localized("Line \($0), column \(problem.column ?? 1): ") } ?? ""
            // A list of problems names the field beside the sentence.
            let isMissing = problem.code == "field_missing"
            return FieldView.Note(
                noteID: "\(id)-note-\(number)",
                text: isMissing ? localized("\(label) is required.") : place + problem.message,
                isWarning: problem.isWarning,
                excerpt: line.map { Self.excerpt($0, column: problem.column ?? 1) },
                line: problem.line,
                column: problem.column
            )
        }
    }

    /// A line with a mark under a column.
    private static func excerpt(_ line: String, column: Int) -> String {
        // safe: from 0 to the length of the line
        "\(line)\n\(String(repeating: " ", count: min(max(1, column), line.count + 1) - 1))^"
    }

    private static func line(_ number: Int, of text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // safe: a line that a problem names, from 1
        return lines.indices.contains(number - 1) ? String(lines[number - 1]) : nil
    }

    /// Whether a path is that of a field, or leads into what the field holds.
    private static func isWithin(_ path: String, _ field: String) -> Bool {
        guard path.hasPrefix(field) else { return false }
        let rest = path.dropFirst(field.count)
        return rest.isEmpty || rest.hasPrefix("[") || rest.hasPrefix(".")
    }

    /// The field that shows a path, or the nearest one.
    func entry(for path: String) -> NamedField? { Self.entry(for: path, among: entries) }

    static func entry(for path: String, among entries: [NamedField]) -> NamedField? {
        var path = path
        while !path.isEmpty {
            // The nearest: a condition as a whole and its parts have paths, one within the other.
            let around = entries.filter { isWithin(path, $0.path) }
            if let longest = around.map(\.path.count).max() { return around.first { $0.path.count == longest } }
            if let entry = entries.first(where: { isWithin($0.path, path) }) { return entry }
            guard let end = path.utf8.lastIndex(of: UInt8(ascii: ".")), path[..<end].contains(bytesOf: "[") else {
                return nil
            }
            path = String(path[..<end])
        }
        return nil
    }
}

/// Finds the fields of many paths, as ``FieldMaker/entry(for:among:)`` finds that of one.
struct FieldIndex {
    private var exact: [String: FieldMaker.NamedField] = [:]
    /// The first field that is at a path or within it.
    private var within: [String: FieldMaker.NamedField] = [:]

    init(_ entries: [FieldMaker.NamedField]) {
        for entry in entries where !entry.path.isEmpty {
            if exact[entry.path] == nil { exact[entry.path] = entry }
            for path in Self.around(entry.path) where within[path] == nil { within[path] = entry }
        }
    }

    /// The field that shows a path, or the nearest one.
    subscript(path: String) -> FieldMaker.NamedField? {
        var path = path
        while !path.isEmpty {
            if let entry = Self.around(path).lazy.compactMap({ exact[$0] }).first ?? within[path] { return entry }
            guard let end = path.utf8.lastIndex(of: UInt8(ascii: ".")), path[..<end].contains(bytesOf: "[") else {
                return nil
            }
            path = String(path[..<end])
        }
        return nil
    }

    /// A path and those that it is within, the longest first.
    private static func around(_ path: String) -> [String] {
        let ends = path.indices.filter { path[$0] == "." || path[$0] == "[" }
        return [path] + ends.reversed().map { String(path[..<$0]) }
    }
}

extension FieldView.Kind {
    fileprivate var name: String {
        switch self {
        case .line: "line"
        case .text: "text"
        case .choice: "choice"
        case .radio: "radio"
        case .check: "check"
        case .moment: "moment"
        }
    }
}
