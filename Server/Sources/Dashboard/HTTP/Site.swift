import CardModel
import CardServer
import CardStore
import Hummingbird
import Logging

/// What all pages share.
struct Site: Sendable {
    let server: ServerInside
    let files: AssetFiles
    let templates: Templates
    /// Lets the first account be made by whoever has it; only the server's log says it.
    let setupCode: String

    var store: any CardStore { server.store }
    var now: UnixTime { server.clock() }
}
