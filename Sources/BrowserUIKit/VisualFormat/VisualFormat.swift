/// Says what a format of constraints says: views in a row, with the room between them.
struct VisualFormat: Equatable {
    /// A number or the name of one or of a view, and how it is compared.
    struct Predicate: Equatable {
        enum Value: Equatable {
            case number(CGFloat)
            case name(String)
        }

        var relation = NSLayoutConstraint.Relation.equal
        var value: Value
        var priority: Value?
    }

    /// The room between two views, or between a view and its superview.
    enum Connection: Equatable {
        /// They touch.
        case none
        /// The usual room.
        case standard
        case room([Predicate])
    }

    struct Item: Equatable {
        let name: String
        let lengths: [Predicate]
    }

    var isVertical = false
    /// The room between the start of the superview and the first view; `nil` where the format doesn't begin there.
    var leading: Connection?
    var views: [Item] = []
    /// The room after each view but the last.
    var connections: [Connection] = []
    /// The room between the last view and the end of the superview; `nil` where the format doesn't end there.
    var trailing: Connection?
}

/// Says where a format can't be read, and why.
struct VisualFormatError: Error, Equatable, CustomStringConvertible {
    let format: String
    /// The number of characters before the place.
    let place: Int
    let reason: String

    var description: String {
        "Unable to parse constraint format: \(reason)\n\(format)\n\(String(repeating: " ", count: place))^"
    }
}

/// Reads formats of constraints, by the grammar of Apple's documentation.
struct VisualFormatParser {
    private let format: String
    private let characters: [Character]
    private var place = 0

    init(_ format: String) {
        self.format = format
        characters = Array(format)
    }

    static func parse(_ format: String) throws(VisualFormatError) -> VisualFormat {
        var parser = VisualFormatParser(format)
        return try parser.parse()
    }

    // MARK: Rules

    private mutating func parse() throws(VisualFormatError) -> VisualFormat {
        var result = VisualFormat()
        if take("H") || take("V") {
            result.isVertical = characters[place - 1] == "V"
            try expect(":")
        }
        if take("|") { result.leading = try connection() }
        result.views.append(try view())
        while next != nil {
            let room = try connection()
            if take("|") {
                result.trailing = room
                guard next == nil else { throw failure("Nothing can follow the end of the superview.") }
            } else {
                result.connections.append(room)
                result.views.append(try view())
            }
        }
        return result
    }

    private mutating func connection() throws(VisualFormatError) -> VisualFormat.Connection {
        guard take("-") else { return .none }
        guard let next, next != "[", next != "|" else { return .standard }
        let predicates = try next == "(" ? list(in: "(", ")") : [simplePredicate()]
        try expect("-")
        return .room(predicates)
    }

    private mutating func view() throws(VisualFormatError) -> VisualFormat.Item {
        try expect("[")
        let name = try name("the name of a view")
        let lengths = try next == "(" ? list(in: "(", ")") : []
        try expect("]")
        return VisualFormat.Item(name: name, lengths: lengths)
    }

    private mutating func list(
        in start: Character,
        _ end: Character
    ) throws(VisualFormatError) -> [VisualFormat.Predicate] {
        try expect(start)
        var found = [try predicate()]
        while take(",") { found.append(try predicate()) }
        try expect(end)
        return found
    }

    private mutating func predicate() throws(VisualFormatError) -> VisualFormat.Predicate {
        let relation = try relation()
        var predicate = VisualFormat.Predicate(relation: relation, value: try value(allowsNegative: true))
        if take("@") { predicate.priority = try value(allowsNegative: false) }
        return predicate
    }

    private mutating func simplePredicate() throws(VisualFormatError) -> VisualFormat.Predicate {
        VisualFormat.Predicate(value: try value(allowsNegative: false))
    }

    private mutating func relation() throws(VisualFormatError) -> NSLayoutConstraint.Relation {
        guard let sign = next, "=<>".contains(sign) else { return .equal }
        place += 1
        try expect("=")
        return sign == "=" ? .equal : sign == "<" ? .lessThanOrEqual : .greaterThanOrEqual
    }

    private mutating func value(allowsNegative: Bool) throws(VisualFormatError) -> VisualFormat.Predicate.Value {
        let start = place
        let isNegative = allowsNegative && take("-")
        var digits = ""
        while let next, next.isASCII, next.isNumber || next == "." {
            digits.append(next)
            place += 1
        }
        if digits.isEmpty {
            place = start
            return .name(try name("a number or a name"))
        }
        guard let number = Double(digits) else {
            place = start
            throw failure("\(digits) is not a number.")
        }
        return .number(CGFloat(isNegative ? -number : number))
    }

    private mutating func name(_ what: String) throws(VisualFormatError) -> String {
        var name = ""
        while let next, next == "_" || next.isLetter || (!name.isEmpty && next.isNumber) {
            name.append(next)
            place += 1
        }
        guard !name.isEmpty else { throw failure("Expected \(what).") }
        return name
    }

    // MARK: Characters

    private var next: Character? { place < characters.count ? characters[place] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard next == character else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ character: Character) throws(VisualFormatError) {
        guard take(character) else { throw failure("Expected \"\(character)\".") }
    }

    private func failure(_ reason: String) -> VisualFormatError {
        VisualFormatError(format: format, place: place, reason: reason)
    }
}
