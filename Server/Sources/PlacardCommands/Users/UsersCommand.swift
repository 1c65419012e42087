import ArgumentParser
import CardModel
import CommandSettings
import Foundation
import UserImport
import WireJSON

/// The command `placard users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Imports users and their attributes.",
        subcommands: [UsersImport.self]
    )
}

extension ImportFormat: ExpressibleByArgument {}

/// The command `placard users import`.
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports users from a file of any size.",
        discussion: """
            placard users import users.jsonl
            placard users import users.csv --database sqlite:cards.sqlite

            A line of JSON is as the API has it:
              {"user_id":"u1","attributes":{"country":"JP"},
               "custom_attributes":{"plan":"pro"}}
            or flat, {"external_id":"u1","country":"JP","plan":"pro"}.

            A CSV file has a heading with user_id (or external_id) and one column an attribute, named as a standard \
            attribute (country, language, first_name, ...) or as your own. true, false and numbers are taken as such \
            unless they stand in quotes or --strings is given; ISO 8601 dates stay text, which audiences compare as \
            times. An empty field changes nothing.

            A bad line is named, written to FILE.rejected.jsonl and passed over. An interrupted import goes on where \
            it was (--restart starts over); how far it is stands in FILE.import-state.json. Ends with status 0 also \
            where lines were rejected.
            """
    )

    @Argument(help: "The file.", completion: .file(extensions: ["jsonl", "csv"]))
    var file: String

    @OptionGroup var database: DatabaseOptions

    @Option(help: "How the file is written (default: as its name says).")
    var format: ImportFormat?

    @Flag(help: "Leaves values of CSV fields as text.")
    var strings = false

    @Flag(help: "Starts over although an earlier import was interrupted.")
    var restart = false

    @Flag(help: "Writes the result as JSON.")
    var json = false

    func run() async throws {
        guard let format = format ?? ImportFormat(fileName: file) else {
            throw ValidationError("\(file): the name does not say how it is written. Give --format jsonl or csv.")
        }
        let state = try await database.withStore(for: .writing) { store in
            let run = ImportRun(file: file, format: format, keepsStrings: strings, store: store)
            return try await run.run(restart: restart)
        }
        if json {
            // safe: a count
            Console.write(["imported": .integer(Int64(state.imported)), "rejected": .integer(Int64(state.rejected))])
        } else {
            let were = state.rejected == 1 ? "was" : "were"
            let lines = Quantity.text(state.rejected, "line")
            let rejected = state.rejected == 0 ? "" : " \(lines) \(were) rejected: see \(file).rejected.jsonl."
            Console.write("Imported \(Quantity.text(state.imported, "user")).\(rejected)")
        }
    }
}
