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
        subcommands: [ContentTypesPublish.self, ContentTypesList.self]
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

    func run() async throws {
        let name = file == "-" ? "standard input" : file
        let types: JSONValue
        do {
            types = try JSONValue(yaml: try CampaignFile.read(file))
        } catch let error as YAMLError {
            throw CommandFailure("\(name): \(error)")
        }
        guard types["types"]?.array != nil else { throw CommandFailure("\(name): types has to be a list.") }
        let answer = try await server.client().put("content-types", body: types)
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

    func run() async throws { Console.write(try await server.client().get("content-types")) }
}

/// A file that a command reads.
enum CampaignFile {
    /// Returns the text of a file, or of standard input for `-`.
    static func read(_ file: String) throws -> String {
        if file == "-" { return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("There is no file \(file) that can be read.")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
