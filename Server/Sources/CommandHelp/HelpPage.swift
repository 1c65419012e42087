/// A page of help as the command's parser writes it, taken apart.
///
/// The page has to be written for lines of any length, so that each paragraph is one.
package struct HelpPage: Sendable, Equatable {
    /// The columns that stand before what is said of an argument or a subcommand.
    static let labelColumns = 26

    /// An argument or a subcommand.
    struct Element: Sendable, Equatable {
        /// The label in the form in which it is written.
        var label: String
        /// The description of what it does, with the values that the parser adds.
        var abstract = ""
        /// More about it, a paragraph each.
        var details: [String] = []
    }

    /// The arguments or subcommands below a heading.
    struct Section: Sendable, Equatable {
        var heading: String
        var elements: [Element] = []
    }

    /// The description of what the command does, a paragraph each.
    var overview: [String]
    /// The line that says how the command is called.
    var usage: String
    /// The sections of the arguments and options that it takes.
    var sections: [Section] = []
    /// The command that shows the help of a subcommand.
    var subcommandHelp: String?

    /// Takes a page apart; `nil` for what is none, such as a version, or has a form that isn't known.
    package init?(_ text: String) {
        let blocks = text.split(separator: "\n\n").map(Self.trimmed)
        let isUsage = { (block: String) in block.hasPrefix("USAGE: ") }
        let overview = blocks.prefix { !isUsage($0) }
        var rest = blocks.drop { !isUsage($0) }
        guard let usage = rest.popFirst(), overview.first?.hasPrefix("OVERVIEW: ") ?? true else { return nil }
        self.overview = [overview.first.map { String($0.dropFirst("OVERVIEW: ".count)) }].compactMap(\.self)
        self.overview += overview.dropFirst()
        self.usage = String(usage.dropFirst("USAGE: ".count))
        for block in rest {
            if let match = block.wholeMatch(of: #/ +See '(.+)' for detailed help\./#) {
                subcommandHelp = String(match.1)
            } else if let section = Section(block) {
                sections.append(section)
            } else {
                return nil
            }
        }
    }

    /// A text without the line breaks around it.
    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
    }
}

extension HelpPage.Section {
    /// Takes a section apart; `nil` for what is none.
    fileprivate init?(_ block: String) {
        let lines = block.split(separator: "\n")
        guard let heading = lines.first, heading.hasSuffix(":"), !heading.hasPrefix(" ") else { return nil }
        self.init(heading: String(heading))
        // The line of the last element, for a label that reaches into the column of texts.
        var label = ""
        for line in lines.dropFirst() {
            let text = String(line.drop { $0 == " " })
            switch line.prefix(while: { $0 == " " }).count {
            case 2:
                label = text
                elements.append(HelpPage.Element(line))
            case HelpPage.labelColumns:
                guard var element = elements.popLast() else { return nil }
                (element.label, element.abstract) = (label, text)
                elements.append(element)
            default:
                guard var element = elements.popLast() else { return nil }
                element.details.append(text)
                elements.append(element)
            }
        }
    }
}

extension HelpPage.Element {
    /// Reads the line of an element: a label, and a text in its column where the label ends before it.
    fileprivate init(_ line: Substring) {
        let label = line.prefix(HelpPage.labelColumns)
        guard label.last == " " else {
            self.init(label: String(line.drop { $0 == " " }))
            return
        }
        let words = label.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        self.init(label: String(words), abstract: String(line.dropFirst(HelpPage.labelColumns)))
    }
}
