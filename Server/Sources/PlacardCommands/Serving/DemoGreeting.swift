/// The greeting of the demo when it is ready.
struct DemoGreeting {
    let address: String
    let dashboard: String
    let secrets: DemoKeys.Secrets
    let database: String

    var text: String {
        """
        The Placard demo listens on \(address).

          dashboard        \(address)\(dashboard)
          publishable key  \(secrets.publishable)   for apps
          secret key       \(secrets.secret)   for the management API
          database         \(database)
          API              \(address)/openapi.json

        Set these in another terminal:

          export PLACARD_SERVER=\(address)
          export PLACARD_PUBLISHABLE_KEY=\(secrets.publishable)
          export PLACARD_KEY=\(secrets.secret)

        Look at the feed of a user, which changes while you watch:

          placard feed --user anna

        Make a card, launch it, change it, take it back:

        \(commands)

        Bring a tile to Anna's home page in the Shop, as a backend would:

        \(trigger)

        And see what was counted:

          placard report hello

        Ctrl-C ends the demo.
        """
    }

    private var commands: String {
        [
            curl("POST", "v1/campaigns", #"{"id":"hello","name":"Hello","variants":[\#(card("Hello"))]}"#),
            curl("POST", "v1/campaigns/hello/launch", nil),
            curl("PUT", "v1/campaigns/hello", #"{"version":2,"name":"Hello","variants":[\#(card("Hello again"))]}"#),
            curl("POST", "v1/campaigns/hello/stop", #"{"withdraw":true}"#),
        ].joined(separator: "\n")
    }

    private var trigger: String {
        let tile =
            #""tile_id":"camp-cup","tile_title":"Camp cup","tile_detail":"Just in.","#
            + #""tile_price":"12.50","tile_image":"enamel-mug""#
        let send = #""campaign_id":"demo-triggered-tile","recipients":[{"external_user_id":"anna"}]"#
        return curl("POST", "campaigns/trigger/send", #"{\#(send),"trigger_properties":{\#(tile)}}"#)
    }

    private func card(_ title: String) -> String {
        #"{"card":{"type":"classic","title":"\#(title)","description":"Made by curl.","url":"shop://hello"}}"#
    }

    private func curl(_ method: String, _ path: String, _ body: String?) -> String {
        let data = body.map { " \\\n    -d '\($0)'" } ?? ""
        return #"  curl -sX \#(method) $PLACARD_SERVER/\#(path) -H "Authorization: Bearer $PLACARD_KEY""# + data
    }
}
