import ArgumentParser
import CardModel
import Foundation
import Terminal
import WireJSON
import WireYAML

/// The command `placard audience`.
struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Checks an audience, estimates its reach, and explains it.",
        discussion: """
            all:
              - {attribute: country, value: JP}
              - {event: {name: added_to_cart, within_days: 7}}
              - {none: [{purchase: {within_days: 7}}]}

            The file has the audience by itself, or a campaign or segment with its audience.
            """,
        subcommands: [AudienceCheck.self, AudienceReachCommand.self, AudienceExplain.self]
    )
}

/// The file with an audience.
struct AudienceFile: ParsableArguments {
    @Argument(
        help: "The file, JSON or YAML; - for standard input.",
        completion: .file(extensions: ["json", "yaml", "yml"])
    )
    var file: String

    func audience() throws -> Audience {
        let name = file == "-" ? "standard input" : file
        do {
            let json = try JSONValue(yaml: try TextFile.read(file))
            return try Audience(json: json["audience"] ?? json)
        } catch let error as ModelError {
            throw CommandError("\(name): \(error)")
        } catch let error as YAMLError {
            throw CommandError("\(name): \(error)")
        }
    }
}

/// The command `placard audience check`.
struct AudienceCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Validates an audience.",
        discussion: "No server is asked, so whether its segments are there is not known."
    )

    @OptionGroup var file: AudienceFile

    @Flag(help: "Writes the audience as JSON, as a server would keep it.")
    var json = false

    func run() async throws {
        let audience = try file.audience()
        if json { return Console.write(audience.json) }
        Console.write("The audience means: \(audience.summary).")
    }
}

/// The command `placard audience reach`.
struct AudienceReachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "Counts the users in an audience.",
        discussion: """
            Of many users a sample is asked, and the margin told; --exact asks every user.

            Needs a key with the permission `read`, and `users` where the audience names users.
            """
    )

    @OptionGroup var file: AudienceFile

    @OptionGroup var server: ServerOptions

    @Flag(help: "Asks every user, however long it takes.")
    var exact = false

    @Flag(help: "Writes the answer as JSON.")
    var json = false

    func run() async throws {
        let body: JSONValue = ["audience": try file.audience().json, "exact": .bool(exact)]
        let reach = try await server.client().post("audience", "reach", body: body)
        if json { return Console.write(reach) }
        Console.write(Self.line(reach))
    }

    static func line(_ reach: JSONValue) -> String {
        func count(_ name: String) -> Int64 { reach[name]?.integer ?? 0 }
        let share = ReportTable.rate(count("users"), of: count("total"))
        let all = Quantity.text(count("total"), "user")
        if reach["exact"]?.bool == true { return "\(count("users")) of \(all) (\(share))" }
        return """
            about \(count("users")) of \(all) (\(share)), between \(count("low")) and \
            \(count("high")) 95 times in 100; \(count("asked")) were asked
            """
    }
}

/// The command `placard audience explain`.
struct AudienceExplain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains clause by clause why a user is in an audience or isn't.",
        discussion: "Needs a key with the permission `users`."
    )

    @OptionGroup var file: AudienceFile

    @Option(help: "The user's id.")
    var user: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes the explanation as JSON.")
    var json = false

    func run() async throws {
        let body: JSONValue = ["audience": try file.audience().json, "user_id": .string(user)]
        let answer = try await server.client().post("audience", "explain", body: body)
        if json { return Console.write(answer) }
        Console.write("\(user) is \(answer["matches"]?.bool == true ? "" : "not ")meant.")
        if let explanation = answer["explanation"] { Self.write(explanation, indent: 0) }
    }

    private static func write(_ node: JSONValue, indent: Int) {
        let sign = node["matches"]?.bool == true ? "yes" : "no "
        var line = "\(sign)  \(String(repeating: "  ", count: indent))"
        if let clause = node["clause"] {
            line += "\(clause.text)  found: \((node["found"] ?? .null).text)".printableJSON
        } else {
            line += (node["condition"]?.string ?? "").printableLine
        }
        if let note = node["note"]?.string { line += " (\(note.printableLine))" }
        Console.write(line)
        for branch in node["branches"]?.array ?? [] { write(branch, indent: indent + 1) }
    }
}
