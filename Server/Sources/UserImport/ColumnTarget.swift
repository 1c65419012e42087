import CardModel

/// The target of a column of a CSV file.
package enum ColumnTarget: Hashable, Sendable {
    /// The type of a custom attribute's values.
    package enum ValueType: String, Sendable, CaseIterable {
        /// Truth values and numbers where they look like it, unless they stand in quotes; otherwise text.
        case automatic
        /// Text, whatever it looks like.
        case text
        /// Numbers.
        case number
        /// `true` and `false`.
        case boolean
        /// Dates and times of ISO 8601, which are kept as text.
        case date
    }

    /// The id of the user.
    case userID
    /// A standard attribute.
    case standard(StandardAttribute)
    /// A custom attribute that has the name of the column.
    case custom(ValueType)
    /// Nothing: the column isn't imported.
    case skipped

    /// Reads a target from its text, or returns `nil` where it is none.
    package init?(text: String) {
        switch text {
        case "user_id": self = .userID
        case "skip": self = .skipped
        default:
            if let name = text.rest(after: "attribute:"), let attribute = StandardAttribute(rawValue: name) {
                self = .standard(attribute)
            } else if let name = text.rest(after: "custom:"), let type = ValueType(rawValue: name) {
                self = .custom(type)
            } else {
                return nil
            }
        }
    }

    /// The target as text, which stays the same.
    package var text: String {
        switch self {
        case .userID: "user_id"
        case .standard(let attribute): "attribute:\(attribute.rawValue)"
        case .custom(let type): "custom:\(type.rawValue)"
        case .skipped: "skip"
        }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

extension ColumnTarget {
    /// The names of the ID in headings of other programs, in order of preference.
    private static let idNames = ["userid", "externalid", "customerid", "memberid", "id", "ユーザーid", "会員id", "顧客id"]
    /// The names of standard attributes in headings of other programs.
    private static let attributeNames: [String: StandardAttribute] = [
        "mail": .email, "emailaddress": .email, "メール": .email, "メールアドレス": .email,
        "givenname": .firstName, "forename": .firstName, "名": .firstName,
        "surname": .lastName, "familyname": .lastName, "姓": .lastName,
        "phonenumber": .phone, "mobile": .phone, "telephone": .phone, "電話": .phone, "電話番号": .phone,
        "countrycode": .country, "国": .country, "lang": .language, "locale": .language, "言語": .language,
        "tz": .timeZone, "タイムゾーン": .timeZone, "sex": .gender, "性別": .gender,
        "dateofbirth": .dateOfBirth, "birthday": .dateOfBirth, "birthdate": .dateOfBirth, "生年月日": .dateOfBirth,
        "city": .homeCity, "市区町村": .homeCity,
    ]

    /// Guesses what the columns of a file become: as the command reads them, and besides that by what other programs
    /// call the same.
    ///
    /// - Parameters:
    ///   - names: The names in the heading.
    ///   - samples: The first rows.
    /// - Returns: A target for each name; at most one column is the id, and no standard attribute has two.
    package static func guesses(for names: [String], samples: [CSVRow]) -> [ColumnTarget] {
        let exact = names.map { name in
            StandardAttribute(rawValue: name).map(ColumnTarget.standard)
        }
        var targets = exact.map { $0 ?? .custom(.automatic) }
        var taken = Set(exact.compactMap(\.self))
        let id = idColumn(names)
        for (place, name) in names.enumerated() where place != id && exact[place] == nil {
            let values = samples.compactMap { $0.fields.indices.contains(place) ? $0.fields[place] : nil }
            let guess = guess(for: name, values, taken)
            if case .standard = guess { taken.insert(guess) }
            targets[place] = guess
        }
        // safe: a place of the names
        if let id { targets[id] = .userID }
        return targets
    }

    private static func idColumn(_ names: [String]) -> Int? {
        if let place = UserUpdate.idNames.lazy.compactMap(names.firstIndex(of:)).first { return place }
        let plain = names.map(plain)
        return idNames.lazy.compactMap(plain.firstIndex(of:)).first
    }

    private static func guess(for name: String, _ values: [CSVRow.Field], _ taken: Set<ColumnTarget>) -> ColumnTarget {
        let plain = plain(name)
        let known = StandardAttribute.allCases.first { Self.plain($0.rawValue) == plain } ?? attributeNames[plain]
        if let known, !taken.contains(.standard(known)) { return .standard(known) }
        let texts = values.map(\.text).filter { !$0.isEmpty }
        // characters: a guess, which people see and change
        let areAddresses = !texts.isEmpty && texts.allSatisfy { $0.contains("@") && $0.contains(".") }
        if areAddresses, !taken.contains(.standard(.email)) { return .standard(.email) }
        // A column with numbers and other texts has codes, such as 12 and 3A, which are one kind of value.
        let kinds = Set(
            values.filter { !$0.text.isEmpty && !$0.isQuoted }.map { CSVValue.inferred($0.text).string == nil }
        )
        return .custom(kinds.count > 1 ? .text : .automatic)
    }

    /// A name without what programs write differently.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
