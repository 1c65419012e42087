import Liquid
public import WireJSON

/// Something in a template that keeps it from being rendered.
public struct TemplateProblem: Sendable, Hashable {
    /// The path of the text, such as `variants[1].card.title`.
    public var path: String
    /// The code of the problem, a word that stays the same, such as `unclosed_block`.
    public var code: String
    /// The message that says what to fix.
    public var message: String
    /// The line in the text, from 1; 0 for the text as a whole.
    public var line: Int
    /// The column in the line, from 1; 0 for the text as a whole.
    public var column: Int

    /// The problem by its names on the wire.
    public var json: JSONValue {
        [
            "path": .string(path), "code": .string(code), "message": .string(message), "line": .integer(Int64(line)),
            "column": .integer(Int64(column)),
        ]
    }
}

extension TemplateEngine {
    /// Everything that is wrong in the templates of a campaign, in their order.
    public func problems(in content: Campaign.Content) -> [TemplateProblem] {
        content.variants.enumerated().flatMap { index, variant in
            variant.card.map { problems(in: $0, at: "variants[\(index)].card") } ?? []
        }
    }

    /// Everything that is wrong in the templates of a card, in their order.
    public func problems(in card: CardTemplate, at path: String) -> [TemplateProblem] {
        card.writtenTexts.flatMap { problems(in: $0.text, at: "\(path).\($0.field)") }
    }

    /// Everything that is wrong in the templates of a campaign's JSON, which need not make sense otherwise.
    public func problems(inCardsOf json: JSONValue) -> [TemplateProblem] {
        (json["variants"]?.array ?? []).enumerated().flatMap { index, variant in
            problems(in: variant["card"] ?? .null, below: "variants[\(index)].card")
        }
    }

    private func problems(in value: JSONValue, below path: String) -> [TemplateProblem] {
        if let text = value.string { return problems(in: text, at: path) }
        return (value.object ?? [:]).flatMap { problems(in: $0.value, below: "\(path).\($0.key)") }
    }

    /// Returns the names of the content blocks that a template includes.
    public static func contentBlocks(namedIn text: String) -> Set<String> {
        guard isTemplate(text) else { return [] }
        return LiquidEnvironment(filters: .messaging, limits: limits).check(text).usage.contentBlocks
    }

    /// Everything that is wrong in one template.
    public func problems(in text: String, at path: String) -> [TemplateProblem] {
        guard Self.isTemplate(text) else { return [] }
        let report = environment.check(text)
        var problems = report.problems.map { error in
            TemplateProblem(
                path: path,
                code: error.code.rawValue,
                message: error.message,
                line: error.line,
                column: error.column
            )
        }
        func add(_ code: String, _ message: String) {
            problems.append(TemplateProblem(path: path, code: code, message: message, line: 0, column: 0))
        }
        for name in report.usage.contentBlocks.sorted() where !blockNames.contains(ByteString(name)) {
            add("missing_content_block", "No content block is called '\(name)'.")
        }
        problems += nestedProblems(of: report.usage.contentBlocks, at: path)
        for name in report.usage.partials.sorted() {
            add("missing_template", "'\(name)' cannot be included here; make it a content block.")
        }
        if connectedContent == nil, report.usage.tags.contains("connected_content") {
            add(
                "connected_content",
                "Templates may ask no host yet: list it under connected_content_hosts in the settings."
            )
        }
        return problems
    }

    /// Returns the problems that keep content blocks from being rendered because of the blocks that they include
    /// themselves.
    private func nestedProblems(of names: Set<String>, at path: String) -> [TemplateProblem] {
        var problems: [TemplateProblem] = []
        func add(_ code: LiquidError.Code, _ message: String) {
            problems.append(TemplateProblem(path: path, code: code.rawValue, message: message, line: 0, column: 0))
        }
        // The blocks that lead to the one that is looked at, each with those that it includes and that are still to
        // come.
        var steps: [(name: String?, rest: [String])] = [(nil, names.sorted(by: >))]
        var (open, finished): (Set<ByteString>, Set<ByteString>) = ([], [])
        while var step = steps.popLast() {
            guard let next = step.rest.popLast() else {
                guard let name = step.name.map({ ByteString($0) }) else { continue }
                open.remove(name)
                finished.insert(name)
                continue
            }
            steps.append(step)
            let block = ByteString(next)
            if !blockNames.contains(block) {
                guard let name = step.name else { continue }
                add(.missingContentBlock, "The content block '\(name)' includes '\(next)', which doesn't exist.")
            } else if open.contains(block) {
                add(.cyclicTemplate, "The content block '\(next)' contains itself.")
            } else if !finished.contains(block) {
                open.insert(block)
                steps.append((next, (blockIncludes[block] ?? []).sorted(by: >)))
            }
        }
        return problems
    }
}

extension TemplateEngine {
    /// Returns the number of placeholders and tags in a text: what its compiled form takes of the memory, some 150
    /// bytes for each.
    public static func tags(in text: String) -> Int {
        var count = 0
        var isOpen = false
        for byte in text.utf8 {
            if isOpen, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "%") {
                count += 1
                isOpen = false
            } else {
                isOpen = byte == UInt8(ascii: "{")
            }
        }
        return count
    }
}

extension Campaign.Content {
    /// The number of placeholders and tags in the texts of its cards.
    public var templateTags: Int {
        variants.reduce(0) { sum, variant in
            // safe: counts bytes
            (variant.card?.writtenTexts ?? []).reduce(sum) { $0 + TemplateEngine.tags(in: $1.text) }
        }
    }

    /// The names of the content blocks that the texts of its cards include, without those that these include.
    public var contentBlocks: Set<String> {
        let texts = variants.flatMap { $0.card?.writtenTexts ?? [] }.filter { TemplateEngine.includesBlocks($0.text) }
        return texts.reduce(into: []) { $0.formUnion(TemplateEngine.contentBlocks(namedIn: $1.text)) }
    }
}

extension CardTemplate {
    /// Whether any of its texts is rendered for each user.
    public var isTemplate: Bool { writtenTexts.contains { TemplateEngine.isTemplate($0.text) } }

    /// Every text that may be a template, with its place.
    var writtenTexts: [(field: String, text: String)] {
        let own = [
            ("title", title), ("description", description), ("image", image), ("image_alt", imageAlt),
            ("domain", domain), ("url", url),
        ]
        var texts = own.compactMap { field, text in text.map { (field: field, text: $0) } }
        texts += platformURLs.map { (field: "urls.\($0.key.rawValue)", text: $0.value.text) }
        texts += extras.map { (field: "extras.\($0.key)", text: $0.value) }
        for (tag, translation) in translations {
            let place = "translations.\(tag)"
            let own = [
                ("title", translation.title), ("description", translation.description), ("image", translation.image),
                ("image_alt", translation.imageAlt), ("domain", translation.domain), ("url", translation.url),
            ]
            texts += own.compactMap { field, text in text.map { (field: "\(place).\(field)", text: $0) } }
            texts += translation.extras.map { (field: "\(place).extras.\($0.key)", text: $0.value) }
        }
        return texts
    }
}
