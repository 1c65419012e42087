import WireJSON

/// The ways to write a filter, and how they are read.
protocol FilterSyntax: Sendable {
    /// The ways to write the filter, the usual one first.
    static var shapes: [FilterShape] { get }

    /// Reads what an audience has under the name of a shape.
    ///
    /// - Parameters:
    ///   - json: The value.
    ///   - name: The name of the shape.
    ///   - path: The place of the value.
    /// - Returns: The audience.
    /// - Throws: `ModelError` that names what is wrong.
    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience
}

/// A filter: a condition of audiences that holds no others.
///
/// Everything about one filter stands in its files in this folder, but for values that are compiled elsewhere, which
/// stand in `Clauses`. ``Audience`` has a case for it and lists it among ``Audience/filters``; whatever reads, asks,
/// explains, checks, describes or edits audiences goes by this protocol.
protocol AudienceFilter: FilterSyntax {
    /// The name of the condition on the wire.
    var condition: String { get }
    /// The condition as it is read back, such as `{"users": ["ann"]}`.
    var json: JSONValue { get }
    /// The filter, compiled.
    var test: any FilterTest { get }
    /// The facts that have to be known of a user to ask.
    var needs: AudienceNeeds { get }
    /// Whether the filter is about who a user is.
    var identifiesUsers: Bool { get }
    /// Whether the number of its users follows from when each was first or last there.
    var dependsOnPresence: Bool { get }
    /// The part that was left blank, or `nil` for none.
    var blank: BlankPart? { get }

    /// Returns the filter in words.
    func summary(_ formatter: AudienceFormatter) -> String
}

extension AudienceFilter {
    var needs: AudienceNeeds { AudienceNeeds() }
    var identifiesUsers: Bool { false }
    var dependsOnPresence: Bool { false }
    var blank: BlankPart? { nil }
}

/// A part of a filter that was left blank, so that it means other users than it seems to.
enum BlankPart {
    /// The name of what is asked about.
    case name
    /// The value that the attribute of that name is compared with.
    case value(String)
}

extension String {
    /// Whether there is nothing but spaces.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension JSONValue {
    /// Whether it is a text without a letter, or a list with one.
    var isBlank: Bool {
        switch self {
        case .string(let text): text.isBlank
        case .array(let values): values.contains { $0.string?.isBlank == true }
        default: false
        }
    }

    /// A number as parsing would give it: whole where it is.
    init(number: Double) { self = Int64(exactly: number).map(JSONValue.integer) ?? .number(number) }
}
