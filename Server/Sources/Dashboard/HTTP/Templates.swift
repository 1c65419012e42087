import Mustache

/// Makes pages of templates.
struct Templates: Sendable {
    /// Says which template cannot be used.
    struct Failure: Error {
        let name: String
    }

    private let files: AssetFiles
    private let library: MustacheLibrary

    init(_ files: AssetFiles) throws {
        self.files = files
        library = try Self.library(files)
    }

    private static func library(_ files: AssetFiles) throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for name in embedded.keys.sorted() {
            guard let text = files.template(name) else { throw Failure(name: name) }
            try library.register(text, named: name)
        }
        return library
    }

    /// Fills a template.
    func render(_ name: String, _ view: Any) throws -> String {
        let library = files.isChanging ? try Self.library(files) : library
        guard let text = library.render(view, withTemplate: name) else { throw Failure(name: name) }
        return text
    }
}
