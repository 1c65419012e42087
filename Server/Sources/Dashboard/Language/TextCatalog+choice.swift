import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

extension TextCatalog {
    /// The cookie that keeps a member's choice.
    static let cookie = "placard_language"

    /// The longest header that is read, in bytes, and the most languages in it: browsers send less.
    private static let longestHeader = 1_000
    private static let mostLanguages = 20

    /// The language of a request: what a member has chosen, else what the browser prefers, else the first.
    static func chosen(by request: Request, of catalogs: [TextCatalog]) -> TextCatalog {
        if let tag = request.cookies[cookie]?.value, let own = catalogs.first(where: { $0.tag == tag }) { return own }
        let accepted = request.headers[.acceptLanguage].flatMap { Self.preferred($0, of: catalogs) }
        return accepted ?? catalogs.first ?? english
    }

    /// Does something in the language of a member: the one of the account, or that of the request.
    static func inLanguage<Value>(
        of member: TeamMember,
        _ catalogs: [TextCatalog],
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let own = catalogs.first { $0.tag == member.language }
        return try await $current.withValue(own ?? current) { try await body() }
    }

    /// The first of the languages that a header accepts most, such as `ja` of `fr, ja-JP;q=0.8, en;q=0.5`.
    ///
    /// - Returns: `nil` where it names none of them.
    static func preferred(_ header: String, of catalogs: [TextCatalog]) -> TextCatalog? {
        guard header.utf8.count <= longestHeader else { return nil }
        var best: (catalog: TextCatalog, quality: Double)?
        for part in header.split(at: ",").prefix(mostLanguages) {
            let fields = part.split(at: ";").map { $0.split(atAnyOf: " \t").joined().lowercased() }
            let language = fields.first?.split(at: "-").first.map(String.init)
            guard let catalog = catalogs.first(where: { $0.tag == language }) else { continue }
            let quality = fields.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if (0...1).contains(quality), quality > best?.quality ?? 0 { best = (catalog, quality) }
        }
        return best?.catalog
    }
}
