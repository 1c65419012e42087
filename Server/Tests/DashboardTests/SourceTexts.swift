import Foundation

/// The texts that the sources of the dashboard ask catalogs for.
enum SourceTexts {
    /// The keys of every literal in `localized(…)`, of every table of phrases, and of every label of a filter or of a
    /// layout of cards.
    static func keys() throws -> Set<String> {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        var keys: Set<String> = []
        for source in try texts(of: sources.appending(path: "Dashboard")) { keys.formUnion(Self.keys(in: source)) }
        // The rules have audiences in words, of which the dashboard asks for those of a language.
        for source in try texts(of: sources.appending(path: "CardModel/Audience")) {
            keys.formUnion(Self.keys(in: source) + labels(in: source))
        }
        for source in try texts(of: sources.appending(path: "CardModel/Campaigns")) {
            keys.formUnion(labels(in: source))
        }
        return keys
    }

    /// The sources in a folder.
    private static func texts(of folder: URL) throws -> [String] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var texts: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            texts.append(try String(contentsOf: file, encoding: .utf8))
        }
        return texts
    }

    /// The labels that a source gives filters and their fields, or layouts.
    static func labels(in source: String) -> [String] {
        let code = code(of: source)
        return code.matches(of: /\blabel: "/).map { literal(code[$0.range.upperBound...]).key }
    }

    /// The keys of every literal in some modules, those that are added up as one.
    static func literals(of modules: [String]) throws -> Set<String> {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        var found: Set<String> = []
        for module in modules {
            for source in try texts(of: sources.appending(path: module)) {
                found.formUnion(literals(in: code(of: source)))
            }
        }
        return found
    }

    private static func literals(in code: String) -> [String] {
        let code = code.replacing(/"\s*\+ "/, with: "")
        var found: [String] = []
        var index = code.startIndex
        while let quote = code[index...].firstIndex(of: "\"") {
            let (key, end) = literal(code[code.index(after: quote)...])
            found.append(key)
            index = end
        }
        return found
    }

    /// A source without lines that are comments.
    private static func code(of source: String) -> String {
        source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    }

    /// The keys in a source file.
    static func keys(in source: String) -> [String] {
        let code = code(of: source)
        return calls(in: code) + tables(in: code)
    }

    private static func calls(in code: String) -> [String] {
        // A point between letters is no boundary of words.
        code.matches(of: /(?:\b|\.)localized\(\s*"/).map { match in
            let (key, end) = literal(code[match.range.upperBound...])
            let meaning = code[end...].prefixMatch(of: /, in: "([a-z]+)"\)/)
            return meaning.map { "\(key) [\($0.1)]" } ?? key
        }
    }

    private static func tables(in code: String) -> [String] {
        code.matches(of: /Phrase\] = \[\n/).flatMap { match in
            let rest = code[match.range.upperBound...]
            let table = rest[..<(rest.firstRange(of: "\n    ]")?.lowerBound ?? rest.endIndex)]
            return table.matches(of: /: "/).map { literal(table[$0.range.upperBound...]).key }
        }
    }

    /// The key of a literal whose text begins a part of a source, and where the literal ends.
    private static func literal(_ rest: Substring) -> (key: String, end: String.Index) {
        var (key, values, index) = ("", 0, rest.startIndex)
        while index < rest.endIndex, rest[index] != "\"" {
            if rest[index...].hasPrefix("\\(") {
                values += 1
                key += "{\(values)}"
                index = endOfValue(rest[rest.index(index, offsetBy: 2)...])
            } else if rest[index] == "\\" {
                index = rest.index(after: index)
                key.append(rest[index])
                index = rest.index(after: index)
            } else {
                key.append(rest[index])
                index = rest.index(after: index)
            }
        }
        return (key, index < rest.endIndex ? rest.index(after: index) : index)
    }

    /// Where the parentheses of a value end, which may have literals in it.
    private static func endOfValue(_ rest: Substring) -> String.Index {
        var (depth, index) = (1, rest.startIndex)
        while index < rest.endIndex, depth > 0 {
            let character = rest[index]
            index = rest.index(after: index)
            if character == "\"" { index = literal(rest[index...]).end }
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
        }
        return index
    }
}
