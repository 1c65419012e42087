import CardModel
import Testing
import WireJSON

@Suite("An audience can be read as a sentence")
struct AudienceSummaryTests {
    @Test(
        "The sentence says what the tree says",
        arguments: [
            ("null", "all users"), (#"{"any":[]}"#, "nobody"), (#"{"all":[]}"#, "all users"),
            (#"{"users":["ann"]}"#, "the user ann"), (#"{"users":["a","b"]}"#, "one of 2 listed users"),
            (
                #"{"all":[{"attribute":"country","value":"JP"},{"event":{"name":"cart","#
                    + #""comparison":"equals","value":2}}]}"#,
                "country is JP and did cart exactly 2 times"
            ),
            (
                #"{"any":[{"segment":"vip"},{"all":[{"attribute":"a","comparison":"exists"},{"session":{}}]}]}"#,
                "in segment vip or (a is known and opened the app)"
            ),
            (
                #"{"none":[{"purchase":{"within_calendar_days":1}},{"attribute":"plan","#
                    + #""comparison":"is_any_of","value":["a",1]}]}"#,
                "not (bought anything today or plan is one of a, 1)"
            ),
            (
                #"{"purchase":{"product_id":"book","measure":"revenue","currency":"usd","#
                    + #""comparison":"less_than","value":9.5,"within_days":7}}"#,
                "paid less than 9.5 USD for book within 7 days"
            ),
            (
                #"{"event":{"name":"cart","measure":"last","comparison":"less_than_x_days_ago","value":3}}"#,
                "last time that did cart was less than 3 days ago"
            ),
            (
                #"{"event":{"name":"cart","measure":"first","comparison":"after","value":"2026-11-21"}}"#,
                "first time that did cart is after 2026-11-21T00:00:00Z"
            ),
            (#"{"session":{"measure":"last","comparison":"does_not_exist"}}"#, "never opened the app"),
            (
                #"{"campaign":{"id":"sale","contact":"clicked","variants":["b","a"],"within_calendar_days":2}}"#,
                "clicked campaign sale (variant a or b) in the last 2 calendar days"
            ),
            (#"{"random_bucket":{"to":4999}}"#, "random number 0 to 4999"),
            (#"{"session":{"measure":"first","comparison":"exists"}}"#, "ever opened the app"),
            (#"{"event":{"name":"x","comparison":"not_equal","value":1}}"#, "did x anything but 1 time"),
            (#"{"attribute":"a","comparison":"equals","value":""}"#, #"a is """#),
        ]
    )
    func says(text: String, summary: String) throws {
        #expect(try Audience(json: JSONValue(parsing: text)).summary == summary)
    }
}
