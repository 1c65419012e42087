import ArgumentParser
import Foundation
import WireJSON
import WireYAML

/// The command `placard content-types`.
struct ContentTypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content-types",
        abstract: "Publishes what the app's typed contents expect of cards.",
        discussion: """
            Apps propose their content types, which a member of the team accepts in the dashboard. A build step \
            publishes them with a secret key:

            placard content-types publish types.json --key sk_...
            """,
        subcommands: [ContentTypesPublish.self, ContentTypesList.self, ContentTypesDelete.self]
    )
}

/// The command `placard content-types publish`.
struct ContentTypesPublish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes the content types of a file; launches are checked by them.",
        discussion: """
            types:
              - class_type: coupon_code
                fields:
                  - {name: discount_percentage, type: decimal, required: true}

            Needs a key with the permission `campaigns`.
            """
    )

    @Argument(
        help: "The file, JSON or YAML; - for standard input.",
        completion: .file(extensions: ["json", "yaml", "yml"])
    )
    var file: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let name = file == "-" ? "standard input" : file
        let types: JSONValue
        do {
            types = try JSONValue(yaml: try TextFile.read(file))
        } catch let error as YAMLError {
            throw CommandError("\(name): \(error)")
        }
        guard types["types"]?.array != nil else { throw CommandError("\(name): types has to be a list.") }
        let answer = try await server.client().put("content-types", body: types)
        if json { return Console.write(answer) }
        Console.write("Published \(answer["types"]?.integer ?? 0) content types.")
    }
}

/// The command `placard content-types list`.
struct ContentTypesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Writes the content types, and what apps propose, as JSON.",
        discussion: "Needs a key with the permission `read`."
    )

    @OptionGroup var server: ServerOptions

    // The same as without it, for programs that give it to every command.
    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws { Console.write(try await server.client().get("content-types")) }
}

/// The command `placard content-types delete`.
struct ContentTypesDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a content type; launches are no longer checked by it.",
        discussion: "Cards keep what they have. Needs a key with the permission `campaigns`."
    )

    @Argument(help: "The content type: its class_type.")
    var classType: String

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        _ = try await server.client().send("DELETE", ["content-types", classType])
        if json { return Console.write(["class_type": .string(classType), "deleted": true]) }
        Console.write("Deleted the content type \(classType.printableLine).")
    }
}
