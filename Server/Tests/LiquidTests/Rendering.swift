import Liquid
import Testing

/// A template with the text that it renders to.
struct Example: Sendable, CustomTestStringConvertible {
    let source: String
    let expected: String

    init(_ source: String, _ expected: String) {
        self.source = source
        self.expected = expected
    }

    var testDescription: String { source }
}

/// Data that most tests share.
let shop: LiquidHash = {
    let value: LiquidValue = [
        "name": "Ann", "empty_text": "", "spaces": " \t", "count": 3, "price": 9.5, "yes": true, "no": false,
        "nothing": nil,
        "letters": ["b", "a", "C"], "numbers": [3, 1, 2], "none": [],
        "user": ["plan": "gold", "tags": ["x", "y"], "size": 9],
        "items": [
            ["title": "Hat", "price": 5, "kind": "wear"], ["title": "Cup", "price": 2],
            ["title": "Cap", "price": 5, "kind": "wear"],
        ],
        "nested": [[1, 2], [3, [4]]], "hello": "Hello World", "japanese": "日本語",
    ]
    guard case .hash(let hash) = value else { return LiquidHash([]) }
    return hash
}()

let standard = LiquidEnvironment(dialect: .standard)

/// The text of a template in the standard language over the shared data.
func rendered(_ source: String, partials: [String: String] = [:]) throws -> String {
    var context = LiquidContext(data: shop)
    context.partials = LiquidLibrary(partials, environment: standard)
    return try #require(try standard.compile(source).render(context).text)
}

/// The error that compiling or rendering a template ends in.
func failure(
    _ source: String,
    in environment: LiquidEnvironment = standard,
    context: LiquidContext = LiquidContext(data: shop)
) -> LiquidError? {
    do throws(LiquidError) {
        _ = try environment.compile(source).render(context)
        return nil
    } catch {
        return error
    }
}
