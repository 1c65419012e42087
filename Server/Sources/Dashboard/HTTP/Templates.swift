import Mustache
import Synchronization

/// Makes pages of templates.
///
/// A language's templates are read when a page first needs them, and then kept.
final class Templates: Sendable {
    /// Says which template cannot be used.
    struct TemplateError: Error {
        let name: String
    }

    /// Every template by its name.
    static let embedded: [String: [UInt8]] = PageDescriptor.all.reduce(into: [:]) { templates, page in
        templates.merge(page.templates) { first, _ in first }
    }

    /// The templates of the program, or of the folder that `PLACARD_DASHBOARD_ASSETS` names.
    static let standard = Templates(AssetFiles())

    let files: AssetFiles
    /// The templates in each language, by its tag.
    private let libraries = Mutex<[String: MustacheLibrary]>([:])

    init(_ files: AssetFiles) { self.files = files }

    /// Fills a template in the language of the request.
    func render(_ name: String, _ view: Any) throws -> String {
        guard let text = try library(TextCatalog.current).render(view, withTemplate: name) else {
            throw TemplateError(name: name)
        }
        return text
    }

    /// The templates in a language.
    ///
    /// - Throws: ``TemplateError`` for one that is missing, and what a parser says of one that can't be read.
    func library(_ catalog: TextCatalog) throws -> MustacheLibrary {
        if files.isChanging { return try read(catalog) }
        return try libraries.withLock { known in
            if let library = known[catalog.tag] { return library }
            let library = try read(catalog)
            known[catalog.tag] = library
            return library
        }
    }

    private func read(_ catalog: TextCatalog) throws -> MustacheLibrary {
        HTMLText.register()
        var library = MustacheLibrary()
        for name in Self.embedded.keys.sorted() {
            guard let text = files.template(name) else { throw TemplateError(name: name) }
            let translated = catalog.isEnglish ? text : TemplateText(text: text).translated(catalog.segment)
            try library.register(HTMLText.pragma + translated, named: name)
        }
        return library
    }
}
