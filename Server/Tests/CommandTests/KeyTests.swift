import Testing

@testable import PlacardCommands

@Suite("The command's keys")
struct KeyTests {
    private func create(_ arguments: String...) -> Int32 {
        do {
            _ = try Placard.parseAsRoot(["key", "create", "--kind", "secret"] + arguments)
            return 0
        } catch {
            return Placard.status(of: error).rawValue
        }
    }

    @Test(
        "A key that would have expired, or that nobody meant to last as long, isn't made",
        arguments: ["0s", "0d", "-1d", "36501d", "4294967295d", "4294967296d", "d", "1", "1.5d", "1w", ""]
    )
    func wrongExpiry(_ text: String) { #expect(create("--name", "shop", "--expires=\(text)") == 64) }

    @Test("A key may work for a second and for a hundred years", arguments: ["1s", "90d", "36500d"])
    func expiry(_ text: String) { #expect(create("--name", "shop", "--expires=\(text)") == 0) }

    @Test("A key's name is one that the API takes")
    func names() {
        #expect(create("--name", "shop") == 0)
        for name in ["", "a\nb", String(repeating: "a", count: 256)] { #expect(create("--name=\(name)") == 64) }
    }

    @Test(
        "Both secrets work for no time or for up to 30 days",
        arguments: [("0s", 0), ("30d", 0), ("31d", 64)] as [(String, Int32)]
    )
    func overlap(_ text: String, _ status: Int32) {
        do {
            _ = try Placard.parseAsRoot(["key", "rotate", "key_1", "--overlap=\(text)"])
            #expect(status == 0)
        } catch {
            #expect(Placard.status(of: error).rawValue == status)
        }
    }
}
