import ArgumentParser
import Foundation
import Terminal
import WireJSON

/// The command `placard test-send`.
struct TestSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-send",
        abstract: "Sends a card of a campaign to a device or to users to try; it is counted nowhere.",
        discussion: """
            placard test-send spring --code KM4T-9XWD
            placard test-send spring --code KM4T-9XWD --device-name "Anna's iPhone"
            placard test-send spring --user user-42 --variant b --language ja
            placard test-send spring

            Without a code and users, the test users get it. Needs a key with the permission `campaigns`, and `users`.
            """
    )

    @Argument(help: "The campaign's id.")
    var campaign: String

    @Option(help: "The code that the app shows on the device.")
    var code: String?

    @Option(help: ArgumentHelp("Keeps the device among the test users under a name.", valueName: "name"))
    var deviceName: String?

    @Option(help: ArgumentHelp("A user who gets the test; may be given up to 50 times.", valueName: "id"))
    var user: [String] = []

    @Option(help: ArgumentHelp("The variant; the first that shows a card where it is left out.", valueName: "id"))
    var variant: String?

    @Option(help: ArgumentHelp("The language of the card's texts; each user's where it is left out.", valueName: "tag"))
    var language: String?

    @OptionGroup var server: ServerOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        if code != nil, !user.isEmpty { throw ValidationError("Give --code or --user, not both.") }
        if deviceName != nil, code == nil { throw ValidationError("--device-name goes with --code.") }
    }

    func run() async throws {
        let answer = try await server.client().post("campaigns", campaign, "test-send", body: .object(body))
        let sent = answer["sent"]?.array ?? []
        if json { Console.write(answer) } else { Self.write(sent, answer["failed"]?.array ?? []) }
        if sent.isEmpty { throw CommandError("No one got the test.") }
    }

    private static func write(_ sent: [JSONValue], _ failed: [JSONValue]) {
        Console.write("\(sent.count) sent, \(failed.count) failed")
        for failure in failed {
            let user = failure["user_id"]?.string ?? ""
            Console.note("\(user.printableLine): \((failure["message"]?.string ?? "").printableLine)")
        }
    }

    private var body: JSONObject {
        var body: JSONObject = [:]
        if let code { body["code"] = .string(code) }
        if let deviceName { body["device_name"] = .string(deviceName) }
        if !user.isEmpty { body["users"] = .array(user.map(JSONValue.string)) }
        if let variant { body["variant_id"] = .string(variant) }
        if let language { body["language"] = .string(language) }
        return body
    }
}
