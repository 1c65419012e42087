import ArgumentParser
import Foundation
import Liquid
import Terminal

/// The command `placard liquid`.
struct LiquidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "liquid",
        abstract: "Renders a template.",
        discussion: """
            placard liquid card.liquid --data user.json
            echo 'Hello {{ ${first_name} | default: "you" }}' | placard liquid -

            The language is that of campaigns: Liquid with attributes as ${name}. With --standard it is Liquid alone.

            With --batch, standard input holds one JSON object a line, {"template": "...", "data": {...}, \
            "templates": {"name": "..."}}, and each is answered by one line, in order: {"result": "..."} or {"error": \
            "...", "line": n, "column": n}. A batch is in the standard language.
            """
    )

    @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["liquid"]))
    var file: String?

    @Option(help: ArgumentHelp("A file with the data, a JSON object.", valueName: "file"))
    var data: String?

    @Flag(help: "Renders the standard language alone.")
    var standard = false

    @Flag(help: "Answers lines of JSON from standard input.")
    var batch = false

    func validate() throws {
        if batch == (file != nil) { throw ValidationError("Give either a file or --batch.") }
        if batch, data != nil { throw ValidationError("In a batch, each line has its own data.") }
    }

    func run() throws {
        guard let file else { return try answerLines() }
        let environment = standard ? LiquidEnvironment(dialect: .standard) : LiquidEnvironment()
        let source = try TextFile.read(file)
        var context = LiquidContext()
        if let values = try values() { context.data = values }
        switch try Self.locating(
            in: file,
            { () throws(LiquidError) in try environment.compile(source).render(context) }
        ) {
        case .rendered(let text): Console.writeText(text)
        case .aborted(let reason, _):
            throw CommandError(["The template gave up", reason].compactMap(\.self).joined(separator: ": ") + ".")
        }
    }

    private func answerLines() throws {
        while let line = readLine() { try Self.answer(line) }
    }

    /// Answers a line of a batch; what would change a terminal is escaped, and the value stays the same.
    static func answer(_ line: String) throws { try Console.deliver(LiquidBatch.answer(line: line).printableJSON) }

    private func values() throws -> LiquidHash? {
        guard let data else { return nil }
        let text = try TextFile.read(data)
        let value = try Self.locating(in: data) { () throws(LiquidError) in try LiquidValue(json: text.utf8) }
        guard case .hash(let hash) = value else { throw CommandError("\(data): An object is expected.") }
        return hash
    }

    private static func locating<Value>(in file: String, _ body: () throws(LiquidError) -> Value) throws -> Value {
        do throws(LiquidError) {
            return try body()
        } catch {
            throw CommandError("\(file):\(error.line):\(error.column): \(error.message)")
        }
    }
}
