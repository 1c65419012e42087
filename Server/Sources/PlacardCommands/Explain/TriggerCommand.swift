import ArgumentParser
import Foundation
import OrderedCollections
import Terminal
import WireJSON

/// The command `placard trigger`.
struct TriggerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Triggers a campaign for users.",
        discussion: """
            placard trigger tile --user user-42 --property id=7 --property title=Shoes
            placard trigger news --broadcast
            placard trigger news --audience '{"attribute":"plan","value":"gold"}'
            placard trigger news --broadcast --at 2027-01-31T09:00:00Z

            Needs a key with the permission `trigger`, and `users` for --user with --audience.
            """
    )

    @Argument(help: "The campaign's id.")
    var campaign: String

    @Option(help: ArgumentHelp("A user who gets the card; may be given up to 50 times.", valueName: "id"))
    var user: [String] = []

    @Flag(help: "Everybody in the campaign's audience gets the card.")
    var broadcast = false

    @Option(help: ArgumentHelp("Who of the campaign's audience gets the card.", valueName: "json"))
    var audience: String?

    @Option(help: ArgumentHelp("What the card's templates read; may be repeated.", valueName: "name=value"))
    var property: [String] = []

    @Option(help: "What templates read, as a JSON object.")
    var properties: String?

    @Option(help: "When, in Unix seconds or ISO 8601; now where it is left out.")
    var at: String?

    @Option(help: "Names the send: repeated with the same name, it gives no second card.")
    var sendID: String?

    @Flag(help: "Makes the users that the server does not know.")
    var createUsers = false

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let answer = try await server.client().post("campaigns", campaign, "trigger", body: .object(try body()))
        if json { return Console.write(answer) }
        let count = { (name: String) in answer[name]?.integer ?? 0 }
        Console.write("\(count("accepted")) accepted, \(count("duplicate")) duplicate")
        for user in (answer["unknown"]?.array ?? []).compactMap(\.string) {
            Console.note("There is no user \(user.printableLine).")
        }
    }

    private func body() throws -> JSONObject {
        var body: JSONObject = ["trigger_properties": .object(try triggerProperties())]
        if !user.isEmpty { body["recipients"] = .array(user.map { ["user_id": .string($0)] }) }
        if broadcast { body["broadcast"] = true }
        if let audience { body["audience"] = try parse(audience, "--audience") }
        if let at { body["at"] = Self.moment(at) }
        if let sendID { body["send_id"] = .string(sendID) }
        if createUsers { body["create_users"] = true }
        return body
    }

    /// Returns a moment as the API takes it.
    ///
    /// What is no number of seconds, such as `nan`, stays a text, which the server refuses: as a number, it would have
    /// no JSON, and everybody would get the card now.
    private static func moment(_ text: String) -> JSONValue {
        guard let seconds = Double(text), seconds.isFinite else { return .string(text) }
        return .number(seconds)
    }

    private func triggerProperties() throws -> JSONObject {
        var members: JSONObject = [:]
        if let properties {
            guard let object = try parse(properties, "--properties").object else {
                throw ValidationError("--properties: a JSON object is expected.")
            }
            members = object
        }
        for pair in property {
            guard let sign = pair.firstIndex(of: "="), sign > pair.startIndex else {
                throw ValidationError("--property \(pair): name=value is expected.")
            }
            members[String(pair[..<sign])] = .string(String(pair[pair.index(after: sign)...]))
        }
        return members
    }

    private func parse(_ text: String, _ option: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw ValidationError("\(option): JSON is expected.")
        }
    }
}
