import ContentCards
import Foundation

/// Logs events until it is killed, and says which log calls have returned.
///
/// The crash tests run it, kill it at some moment, and look for every event that it said it had logged.
@main
enum EventLogVictim {
    static func main() async {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(URL(fileURLWithPath: CommandLine.arguments[1]))
        configuration.log = { _ in }
        guard let endpoint = URL(string: "http://127.0.0.1:9") else { return }
        let client = ContentCardsClient(endpoint: endpoint, key: "pk_victim", configuration: configuration)
        await client.identify("victim")
        for number in 1... where client.logEvent("event-\(number)") {
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
