import Mustache

/// Makes pages of templates.
struct Templates: Sendable {
    /// Says which template cannot be used.
    struct Failure: Error {
        let name: String
    }

    private let files: AssetFiles
    /// The templates in each language, by its tag.
    private let libraries: [String: MustacheLibrary]

    init(_ files: AssetFiles, in catalogs: [TextCatalog] = TextCatalog.all) throws {
        self.files = files
        // safe: languages of ours
        libraries = Dictionary(uniqueKeysWithValues: try catalogs.map { ($0.tag, try Self.library(files, $0)) })
    }

    private static func library(_ files: AssetFiles, _ catalog: TextCatalog) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for name in embedded.keys.sorted() {
            guard let text = files.template(name) else { throw Failure(name: name) }
            let translated = catalog.isEnglish ? text : TemplateText(text: text).translated(catalog.segment)
            try library.register(translated, named: name)
        }
        return library
    }

    /// Fills a template in the language of the request.
    func render(_ name: String, _ view: Any) throws -> String {
        let catalog = TextCatalog.current
        let library = files.isChanging ? try Self.library(files, catalog) : libraries[catalog.tag]
        guard let text = library?.render(view, withTemplate: name) else { throw Failure(name: name) }
        return text
    }
}
