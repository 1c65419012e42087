import Terminal

extension HelpPage {
    /// The fewest columns that texts beside their labels have, however narrow the terminal is.
    private static let fewestColumns = 20

    /// The page for a terminal of so many columns.
    ///
    /// - Parameters:
    ///   - columns: The columns of the terminal.
    ///   - say: Gives each text in the language of the reader. What the parser adds to texts has numbers for its
    ///     values: `(default: {1})`.
    /// - Returns: The page, without a line break at its end.
    package func rendered(columns: Int, say: (String) -> String) -> String {
        let columns = max(columns, Self.fewestColumns)
        var blocks: [String] = []
        for (number, paragraph) in overview.enumerated() {
            let heading = number == 0 ? say("OVERVIEW:") : ""
            blocks.append(TextWrapping.lines(of: heading + say(paragraph), columns: columns).joined(separator: "\n"))
        }
        blocks.append(say("USAGE:") + usage)
        blocks += sections.map { section in
            let elements = section.elements.flatMap { Self.lines(of: $0, columns: columns, say: say) }
            return ([say(section.heading)] + elements).joined(separator: "\n")
        }
        if let subcommandHelp {
            blocks.append("  " + say("See '{1}' for detailed help.").replacing("{1}", with: subcommandHelp))
        }
        return blocks.joined(separator: "\n\n")
    }

    private static func lines(of element: Element, columns: Int, say: (String) -> String) -> [String] {
        let label = "  \(element.label)"
        var abstract = indented(text(of: element.abstract, say: say), by: labelColumns, columns: columns)[...]
        var lines = [label]
        if DisplayWidth.of(label) < labelColumns, let first = abstract.popFirst() {
            lines = [label.padded(toColumns: labelColumns) + first.drop { $0 == " " }]
        }
        lines += abstract
        return lines + element.details.flatMap { indented(say($0), by: 8, columns: columns) }
    }

    /// The lines of a text with spaces before them.
    private static func indented(_ text: String, by indent: Int, columns: Int) -> [String] {
        let (left, _) = columns.subtractingReportingOverflow(indent)
        let space = String(repeating: " ", count: indent)
        return TextWrapping.lines(of: text, columns: max(left, fewestColumns)).map { space + $0 }
    }

    /// An abstract in the language of the reader, with the values that the parser adds to it.
    private static func text(of abstract: String, say: (String) -> String) -> String {
        let added = /(|.* )\((?:values: ([^();]*))?(?:; )?(?:default: ([^()]*))?\)/
        guard let match = abstract.wholeMatch(of: added) else { return abstract.isEmpty ? "" : say(abstract) }
        let words = String(match.1.reversed().drop { $0 == " " }.reversed())
        let values = [match.2, match.3].compactMap { $0.map(String.init) }
        let pattern =
            switch (match.2, match.3) {
            case (_?, _?): "(values: {1}; default: {2})"
            case (_?, nil): "(values: {1})"
            case (nil, _?): "(default: {1})"
            case (nil, nil): abstract
            }
        guard !values.isEmpty else { return say(abstract) }
        var suffix = say(pattern)
        for (number, value) in zip(1..., values) { suffix = suffix.replacing("{\(number)}", with: value) }
        return words.isEmpty ? suffix : "\(say(words))\(suffix)"
    }
}
