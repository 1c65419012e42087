import BrowserUIKit
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import BrowserHost

/// What pages may send, and how long their apps live.
@MainActor
@Suite("The protocol of a host")
struct ProtocolTests {
    /// The time that a test sets, and the apps that have ended.
    @MainActor
    private final class World {
        var now = ContinuousClock.now
        var ended = 0
    }

    private let world: World
    private let tabs: Tabs

    init() {
        let world = World()
        self.world = world
        tabs = Tabs(now: { world.now }, makeRoot: { Noisy(world) })
    }

    /// Counts its taps, and says more than a page can fall behind.
    private final class Noisy: UIViewController {
        private let world: World
        private var count = 0
        private let button = UIButton(type: .system)

        init(_ world: World) {
            self.world = world
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) {
            nil
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            button.setTitle("a\n\ndata: {\"displaced\":true}\r0", for: .normal)
            button.addAction(
                UIAction { [weak self] _ in
                    guard let self else { return }
                    count += 1
                    button.setTitle("taps \(count)", for: .normal)
                },
                for: .touchUpInside
            )
            let crier = UIControl()
            crier.accessibilityIdentifier = "crier"
            crier.addAction(
                UIAction { _ in
                    for _ in 0..<1_100 { UIAccessibility.post(notification: .announcement, argument: "x") }
                },
                for: .touchUpInside
            )
            for control in [button, crier] { view.addSubview(control) }
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            world.ended += 1
        }
    }

    private func first(_ connection: Tab.Connection) async -> String {
        for await message in connection.messages { return String(decoding: message, as: UTF8.self) }
        return ""
    }

    private func connect(_ id: String) async throws -> (connection: Tab.Connection, page: String) {
        let connection = try #require(tabs.connect(id, BrowserEnvironment()))
        return (connection, await first(connection))
    }

    private func report(_ events: String, of id: String = "one") -> Bool {
        tabs.receive(id, Data(#"{"events":[\#(events)]}"#.utf8))
    }

    private func button(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /"i":"(v\d+)","n":"button"/)).1)
    }

    @Test("sends messages without the ends of lines that would end them")
    func framing() async throws {
        let (_, page) = try await connect("one")
        #expect(page.contains("displaced") && page.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test("refuses what is no report as a whole, and goes on")
    func malformed() async throws {
        let (connection, page) = try await connect("one")
        let id = try button(page)
        let tap = #"{"i":"\#(id)","k":"tap"}"#
        let wrong = [
            #"{"k":"tap"}"#, #"{"i":7,"k":"tap"}"#, #"{"i":"\#(id)"}"#, #"{"i":"\#(id)","k":"explode"}"#, "null", "[]",
            #"{"i":"\#(id)","k":"tap","n":1e30}"#, #"{"i":"\#(id)","k":"scroll","y":"far"}"#,
            #"{"i":"\#(id)","k":"touch","p":"sideways","x":0,"y":0,"sx":0,"sy":0}"#,
        ]
        // A tap before and after what is wrong is refused with it: the app never sees half of a report.
        for event in wrong { #expect(!report([tap, event, tap].joined(separator: ","))) }
        for text in ["", "[", "7", "\"x\"", String(repeating: "[", count: 100_000), "{\"events\":{}}"] {
            #expect(!tabs.receive("one", Data(text.utf8)))
        }
        #expect(!tabs.receive("one", Data([0xFF, 0xFE, 0x00])))
        #expect(report(tap))
        #expect(await first(connection).contains("taps 1"))
    }

    @Test("takes reports about what is gone, out of order and beyond all bounds, and goes on")
    func absurd() async throws {
        let (connection, page) = try await connect("one")
        let id = try button(page)
        let far = "1e308"
        let absurd = [
            #"{"i":"v999999999","k":"tap"}"#, #"{"i":"","k":"tap"}"#,
            #"{"i":"\#(id).part.part","k":"scrolling","t":"e"}"#,
            #"{"i":"\#(id)","k":"tap","e":"\#(id)","x":\#(far),"y":-\#(far),"n":-9}"#,
            #"{"i":"\#(id)","k":"touch","p":"ended","x":\#(far),"y":0,"sx":-\#(far),"sy":0}"#,
            #"{"i":"\#(id)","k":"touch","p":"moved","b":true,"x":0,"y":0,"sx":0,"sy":0,"o":{"\#(id)":[1]}}"#,
            #"{"i":"\#(id)","k":"finger","p":"ended","x":\#(far),"y":\#(far)}"#,
            #"{"i":"\#(id)","k":"finger","p":"cancelled","x":0,"y":0}"#,
            #"{"i":"\#(id)","k":"scroll","y":-\#(far),"w":\#(far),"h":-\#(far),"c":\#(far),"r":{"x":\#(far)}}"#,
            #"{"i":"\#(id)","k":"zoom","s":\#(far)}"#, #"{"i":"\#(id)","k":"release","h":\#(far),"v":-\#(far)}"#,
            #"{"i":"\#(id)","k":"reorder","t":"\#(id)"}"#, #"{"i":"\#(id)","k":"text","t":"x"}"#,
            #"{"i":"\#(id)","k":"key","t":"\#(String(repeating: "k", count: 10_000))"}"#,
            #"{"i":"\#(id)","k":"loaded"}"#,
        ]
        for event in absurd { #expect(report(event), "\(event)") }
        #expect(tabs.receive("one", Data(#"{"environment":{"width":1e300,"text":-99,"language":"x","dark":7}}"#.utf8)))
        #expect(tabs.receive("one", Data("{}".utf8)))
        #expect(report(#"{"i":"\#(id)","k":"tap"},{"i":"\#(id)","k":"tap"}"#))
        let again = try await connect("one")
        #expect(again.page.contains("taps 3") && again.connection.number == connection.number + 1)
    }

    @Test("keeps the reports of one page from the apps of others")
    func sessions() async throws {
        let (_, page) = try await connect("one")
        let (_, other) = try await connect("two")
        #expect(!report(#"{"i":"x","k":"tap"}"#, of: "three"))
        // Names of views are those of the process: another tab's mean nothing here.
        #expect(try report(#"{"i":"\#(button(page))","k":"tap"}"#, of: "two"))
        #expect(try await !connect("two").page.contains("taps"))
        #expect(try report(#"{"i":"\#(button(other))","k":"tap"}"#, of: "two"))
        #expect(try await connect("two").page.contains("taps 1"))
        #expect(try await !connect("one").page.contains("taps"))
    }

    @Test("lets a page go that has fallen far behind, and gives it everything when it comes back")
    func backlog() async throws {
        let (connection, page) = try await connect("one")
        let crier = try #require(page.firstMatch(of: /"data-testid":"crier"[^{}]*},"i":"(v\d+)"/)).1
        #expect(report(#"{"i":"\#(crier)","k":"tap"}"#))
        var messages = 0
        for await _ in connection.messages { messages += 1 }
        #expect(messages == 1_000)
        #expect(try await connect("one").page.contains(#""reset":true"#))
    }

    @Test("ends the app of a page that stays away for more than a minute, and of none that is there")
    func patience() async throws {
        let old = try await connect("one")
        let kept = try await connect("two")
        #expect(try report(#"{"i":"\#(button(old.page))","k":"tap"}"#))
        #expect(try report(#"{"i":"\#(button(kept.page))","k":"tap"}"#, of: "two"))
        tabs.disconnect("one", old.connection.number)
        world.now += .seconds(60)
        let again = try await connect("one")
        #expect(again.page.contains("taps 1"))
        tabs.disconnect("one", again.connection.number)
        world.now += .seconds(61)
        #expect(world.ended == 0)
        #expect(tabs.connect("three", BrowserEnvironment()) != nil)
        #expect(world.ended == 1)
        #expect(!report("", of: "one"))
        #expect(try await !connect("one").page.contains("taps"))
        #expect(try await connect("two").page.contains("taps 1"))
    }

    @Test("answers over HTTP what it can't take with the status that says why")
    func statuses() async throws {
        let router = TabController(tabs: tabs, page: try Page(title: "Shop")).router()
        let id = "0123456789abcdef"
        #expect(tabs.connect(id, BrowserEnvironment(), page: "new") != nil)
        for number in 1..<Tabs.limit { #expect(tabs.connect("tab \(number)", BrowserEnvironment()) != nil) }
        let padding = String(repeating: " ", count: 256 * 1_024 - 2)
        let longID = String(repeating: "x", count: 65)
        let requests: [(uri: String, body: String?, status: Int)] = [
            ("/tabs/\(id)/events", padding + "{}", 204), ("/tabs/\(id)/events", padding + " {}", 413),
            ("/tabs/\(id)/events", "{", 404), ("/tabs/\(longID)/events", "{}", 400),
            // What another page than the connected one reports isn't read.
            ("/tabs/\(id)/events?page=new", "{", 404), ("/tabs/\(id)/events?page=old", "{", 204),
            ("/tabs/\(id)/stream?environment=%7B", nil, 400), ("/tabs/fedcba9876543210/stream", nil, 503),
            ("/tabs/\(id)/image/..%2Fapp.js", nil, 404), ("/app.css", nil, 200),
        ]
        try await Application(router: router).test(.router) { client in
            for (uri, body, expected) in requests {
                let status = try await client.execute(
                    uri: uri,
                    method: body == nil ? .get : .post,
                    body: body.map { ByteBuffer(string: $0) }
                ) { Int($0.status.code) }
                #expect(status == expected, "\(uri)")
            }
        }
    }
}
