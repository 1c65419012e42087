import OrderedCollections
public import WireJSON

/// The extras that one of the app's typed contents expects of a card.
public struct ContentSchema: Sendable, Hashable {
    /// The kinds of texts of one extra.
    public enum SchemaFieldKind: Sendable, Hashable {
        /// Any text.
        case string
        /// A whole number.
        case integer
        /// A number.
        case decimal
        /// `true` or `false`, or what people write for them.
        case boolean
        /// An address.
        case url
        /// Unix seconds, or an ISO 8601 date with or without time.
        case date
        /// One of those texts.
        case choice([String])
        /// JSON, or texts with commas between them.
        case json
    }

    /// One extra.
    public struct SchemaField: Sendable, Hashable {
        /// The key.
        public var name: String
        /// The kind that the text has to be.
        public var kind: SchemaFieldKind
        /// Whether it has to be there.
        public var isRequired: Bool

        /// Creates a field.
        public init(name: String, kind: SchemaFieldKind, isRequired: Bool = true) {
            self.name = name
            self.kind = kind
            self.isRequired = isRequired
        }
    }

    /// The `class_type`; case does not matter.
    public var classType: String
    /// The extras.
    public var fields: [SchemaField]

    /// Creates a schema.
    public init(classType: String, fields: [SchemaField]) {
        self.classType = classType
        self.fields = fields
    }

    /// Reads a schema that was checked when it was published; fields that cannot be read are passed over.
    public init(json: JSONValue) {
        classType = json["class_type"]?.string ?? ""
        fields = (json["fields"]?.array ?? []).compactMap(SchemaField.init)
    }
}

extension ContentSchema.SchemaField {
    fileprivate init?(json: JSONValue) {
        guard let name = json["name"]?.string else { return nil }
        let kind: ContentSchema.SchemaFieldKind
        switch json["type"]?.string {
        case "string": kind = .string
        case "integer": kind = .integer
        case "decimal": kind = .decimal
        case "boolean": kind = .boolean
        case "url": kind = .url
        case "date": kind = .date
        case "enum": kind = .choice(json["values"]?.array?.compactMap(\.string) ?? [])
        case "json": kind = .json
        default: return nil
        }
        self.init(name: name, kind: kind, isRequired: json["required"]?.bool ?? true)
    }
}

// MARK: Checks

extension ContentSchema {
    /// The name of the extra that says which type a card is of.
    static let classTypeKey = "class_type"

    /// Holds extras to the schema of their class type.
    static func checks(
        of extras: StringMap<String>,
        by types: [ContentSchema],
        at path: String
    ) -> [CampaignCheck] {
        guard !types.isEmpty, let classType = extras[classTypeKey], !TemplateEngine.isTemplate(classType) else {
            return []
        }
        let wanted = ByteString(classType.lowercased())
        guard let type = types.first(where: { ByteString($0.classType.lowercased()) == wanted }) else {
            let known = types.map(\.classType).sorted().joined(separator: ", ")
            return [
                CampaignCheck(
                    .warning,
                    "content_type_unknown",
                    at: "\(path).\(classTypeKey)",
                    "No app has published that class type. Published: \(known)."
                )
            ]
        }
        return type.fields.compactMap { $0.check(extras[$0.name], at: "\(path).\($0.name)") }
    }
}

extension ContentSchema.SchemaField {
    fileprivate func check(_ text: String?, at path: String) -> CampaignCheck? {
        guard let text else {
            guard isRequired else { return nil }
            return CampaignCheck(.error, "content_field_missing", at: path, "The app needs this: \(kind.description).")
        }
        guard !TemplateEngine.isTemplate(text), !kind.accepts(text) else { return nil }
        return CampaignCheck(.error, "content_field_invalid", at: path, "The app expects \(kind.description).")
    }
}

extension ContentSchema.SchemaFieldKind {
    /// Whether an app can read the text as that; as forgiving as the SDK is.
    func accepts(_ text: String) -> Bool {
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        switch self {
        case .string: return true
        // As a double, the largest whole number would be one more.
        case .integer: return Int64(trimmed) != nil || Self.number(trimmed).flatMap { Int64(exactly: $0) } != nil
        case .decimal: return Self.number(trimmed) != nil
        case .boolean: return Self.truths.contains(trimmed.lowercased())
        case .url: return !trimmed.isEmpty
        case .date: return Self.number(trimmed) != nil || Timestamp.unixTime(of: trimmed) != nil
        case .choice(let values): return values.contains(text)
        case .json:
            guard trimmed.hasPrefix("{") || trimmed.hasPrefix("[") else { return true }
            return (try? JSONValue(parsing: trimmed)) != nil
        }
    }

    private static let truths: Set<String> = ["true", "1", "yes", "on", "false", "0", "no", "off"]
    private static let digits = Set("0123456789+-.eE")

    private static func number(_ text: String) -> Double? {
        guard text.allSatisfy(digits.contains) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The expected value, in words.
    var description: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .decimal: "a number"
        case .boolean: "true or false"
        case .url: "an address"
        case .date: "Unix seconds or an ISO 8601 date"
        case .choice(let values): "one of " + values.joined(separator: ", ")
        case .json: "JSON"
        }
    }
}
