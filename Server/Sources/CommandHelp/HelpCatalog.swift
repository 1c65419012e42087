import Foundation

/// The texts of the command's help in one language.
///
/// Help is written in English, where the commands are. A catalog has what stands in its place, by the English text; a
/// text that it lacks stays English.
package struct HelpCatalog: Sendable {
    /// The translations, by the English text.
    package let texts: [String: String]

    /// Creates the catalog of a language, or `nil` for English, which needs none.
    package init?(language: HelpLanguage) {
        switch language {
        case .english: return nil
        case .japanese: self.init(json: PackageResources.ja_json)
        }
    }

    /// Reads the file of a catalog; `nil` for what is none.
    init?(json: [UInt8]) {
        struct File: Decodable {
            let texts: [String: String]
        }
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)) else { return nil }
        texts = file.texts
    }

    /// A text of the help in this language.
    package func text(_ english: String) -> String { texts[english] ?? english }
}
