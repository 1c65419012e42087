import ContentCards
import ContentCardsABK
import Foundation
import Testing

extension SharedInstanceTests {
    @Suite("What the app says of its user")
    @MainActor
    struct UserAttributes {
        @Test("is sent attribute by attribute, under the names of the server")
        func names() async {
            let harness = await Harness()
            let user = harness.appboy.user
            user.firstName = "Ann"
            user.lastName = "Lee"
            user.email = "ann@shop.example"
            user.phone = "+15550100"
            user.country = "JP"
            user.homeCity = "Kyoto"
            user.language = "ja"
            let day = DateComponents(year: 1990, month: 4, day: 3)
            user.dateOfBirth = Calendar(identifier: .gregorian).date(from: day)
            user.setGender(.preferNotToSay)
            user.setEmailNotificationSubscriptionType(.optedIn)
            user.setPushNotificationSubscriptionType(.unsubscribed)
            user.lastName = nil
            #expect(
                await attributes(of: harness) == [
                    ["first_name": "Ann"], ["last_name": "Lee"], ["email": "ann@shop.example"],
                    ["phone": "+15550100"], ["country": "JP"], ["home_city": "Kyoto"], ["language": "ja"],
                    ["dob": "1990-04-03"], ["gender": "P"], ["email_subscribe": "opted_in"],
                    ["push_subscribe": "unsubscribed"], ["last_name": .null],
                ]
            )
            await harness.stop()
        }

        @Test("may be of the app's own: flags, numbers, text, moments, counters and lists")
        func ownAttributes() async {
            let harness = await Harness()
            let user = harness.appboy.user
            user.setCustomAttributeWithKey("trial", andBOOLValue: true)
            user.setCustomAttributeWithKey("seats", andIntegerValue: 3)
            user.setCustomAttributeWithKey("score", andDoubleValue: 0.5)
            user.setCustomAttributeWithKey("plan", andStringValue: "pro")
            user.setCustomAttributeWithKey("since", andDateValue: Date(timeIntervalSince1970: 0))
            user.unsetCustomAttribute(withKey: "plan")
            user.incrementCustomUserAttribute("visits")
            user.incrementCustomUserAttribute("visits", by: -2)
            user.setCustomAttributeArrayWithKey("tags", array: ["a", "b"])
            user.addToCustomAttributeArray(withKey: "tags", value: "c")
            user.removeFromCustomAttributeArray(withKey: "tags", value: "a")
            #expect(
                await attributes(of: harness) == [
                    ["trial": true], ["seats": 3], ["score": 0.5], ["plan": "pro"], ["since": "1970-01-01T00:00:00Z"],
                    ["plan": .null], ["visits": ["inc": 1]], ["visits": ["inc": -2]], ["tags": ["a", "b"]],
                    ["tags": ["add": ["c"], "remove": []]], ["tags": ["add": [], "remove": ["a"]]],
                ]
            )
            await harness.stop()
        }

        @Test("is refused under no name, a long one, or one that has a meaning of its own")
        func refusedNames() async {
            let harness = await Harness()
            let user = harness.appboy.user
            #expect(!user.setCustomAttributeWithKey("", andBOOLValue: true))
            #expect(!user.incrementCustomUserAttribute(String(repeating: "x", count: 256)))
            #expect(!user.setCustomAttributeWithKey("email", andStringValue: "ann@shop.example"))
            #expect(!user.setCustomAttributeWithKey("score", andDoubleValue: .nan))
            #expect(user.setCustomAttributeWithKey(String(repeating: "x", count: 255), andBOOLValue: true))
            #expect(await harness.delivered() == ["attributes"])
            await harness.stop()
        }

        @Test("means the user that the app named last, as events do, also before that user is there")
        func order() async {
            let harness = await Harness()
            harness.appboy.user.firstName = "Ann"
            harness.appboy.changeUser("bea")
            #expect(harness.appboy.user.firstName == nil)
            harness.appboy.user.firstName = "Bea"
            harness.appboy.logCustomEvent("opened")
            harness.appboy.changeUser("cid")
            harness.appboy.user.firstName = "Cid"
            harness.appboy.logPurchase("shoe", inCurrency: "USD", atPrice: 9, withProperties: ["gift": true])
            #expect(harness.appboy.user.firstName == "Cid")
            await harness.settle { harness.appboy.user.userID == "cid" }
            await harness.refresh()
            let sent = await harness.sent()
            #expect(sent.filter { $0.user == "user" }.map(\.type) == ["attributes"])
            #expect(sent.filter { $0.user == "bea" }.map(\.type) == ["attributes", "custom"])
            #expect(sent.filter { $0.user == "cid" }.map(\.type) == ["attributes", "purchase"])
            #expect(sent.last { $0.user == "cid" }?.members["properties"] == ["gift": true])
            await harness.stop()
        }

        @Test("is not lost where it is said before anybody has signed in")
        func anonymous() async {
            let harness = await Harness(user: nil)
            harness.appboy.logCustomEvent("launched")
            await harness.refresh()
            let sent = await harness.sent()
            #expect(sent.map(\.type) == ["custom"])
            #expect(sent.first?.user.hasPrefix("anonymous-") == true)
            await harness.stop()
        }

        @Test("is said of the one who signs in at once, where nobody was there before")
        func signedInAtOnce() async throws {
            let harness = await Harness(user: nil)
            harness.appboy.logCustomEvent("launched")
            harness.appboy.changeUser("ann")
            harness.appboy.user.email = "ann@shop.example"
            await harness.refresh()
            let sent = await harness.sent()
            #expect(sent.map(\.type) == ["custom", "attributes"])
            let first = try #require(sent.first?.user)
            #expect(first == "ann" || first.hasPrefix("anonymous-"))
            #expect(sent.last?.user == "ann")
            await harness.stop()
        }

        private func attributes(of harness: Harness) async -> [JSONValue?] {
            await harness.sent().map { $0.members["attributes"] }
        }
    }
}
