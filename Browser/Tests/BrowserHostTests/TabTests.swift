import BrowserUIKit
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import BrowserHost

@MainActor
@Suite("A host")
struct TabTests {
    /// Counts its taps.
    final class Counter: UIViewController {
        private var count = 0
        let button = UIButton(type: .system)

        override func viewDidLoad() {
            super.viewDidLoad()
            button.setTitle("0", for: .normal)
            button.addAction(
                UIAction { [weak self] _ in
                    guard let self else { return }
                    count += 1
                    button.setTitle("\(count)", for: .normal)
                },
                for: .touchUpInside
            )
            view.addSubview(button)
        }
    }

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../Sources/BrowserHost/Page").standardizedFileURL
    private let tabs = Tabs { Counter() }

    private func texts(_ connection: Tab.Connection, _ count: Int) async -> [String] {
        var texts: [String] = []
        for await message in connection.messages {
            texts.append(String(decoding: message, as: UTF8.self))
            if texts.count == count { break }
        }
        return texts
    }

    private func tap(_ tab: String, in first: String) throws -> Bool {
        let match = try #require(first.firstMatch(of: /"i":"(v\d+)","n":"button"/))
        return tabs.receive(tab, Data(#"{"events":[{"i":"\#(match.1)","k":"tap"}]}"#.utf8))
    }

    @Test("gives each tab an app of its own, and the same one again after a lost connection")
    func apps() async throws {
        let one = try #require(tabs.connect("one", BrowserEnvironment()))
        let two = try #require(tabs.connect("two", BrowserEnvironment()))
        let first = try #require(await texts(one, 1).first)
        #expect(try tap("one", in: first))
        #expect(try #require(await texts(one, 1).first).contains(#""t":"1""#))
        #expect(try #require(await texts(two, 1).first).contains(#""t":"0""#))
        tabs.disconnect("one", one.number)
        let again = try #require(tabs.connect("one", BrowserEnvironment()))
        let all = try #require(await texts(again, 1).first)
        #expect(all.contains(#""reset":true"#))
        #expect(all.contains(#""t":"1""#))
    }

    @Test("tells a page that another one has taken its app, and ends its stream")
    func displacement() async throws {
        let old = try #require(tabs.connect("one", BrowserEnvironment()))
        let new = try #require(tabs.connect("one", BrowserEnvironment()))
        var messages: [Data] = []
        for await message in old.messages { messages.append(message) }
        #expect(messages.last == Tab.displaced)
        tabs.disconnect("one", old.number)
        let first = try #require(await texts(new, 1).first)
        #expect(try tap("one", in: first))
        #expect(await texts(new, 1).count == 1)
    }

    @Test("keeps an app in the background while its page is hidden or gone")
    func background() {
        let tab = Tab(environment: BrowserEnvironment(), now: ContinuousClock().now) { Counter() }
        let first = tab.connect(BrowserEnvironment(), now: ContinuousClock().now)
        #expect(tab.screen.application.applicationState == .active)
        tab.disconnect(first.number, now: ContinuousClock().now)
        #expect(tab.screen.application.applicationState == .background)
        var hidden = BrowserEnvironment()
        hidden.isHidden = true
        let second = tab.connect(hidden, now: ContinuousClock().now)
        #expect(tab.screen.application.applicationState == .background)
        _ = tab.connect(BrowserEnvironment(), now: ContinuousClock().now)
        #expect(tab.screen.application.applicationState == .active)
        // The page that was displaced goes, and takes nothing with it.
        tab.disconnect(second.number, now: ContinuousClock().now)
        #expect(tab.screen.application.applicationState == .active)
    }

    @Test("passes over what a page reports that has lost its app to another one, and takes all that this one reports")
    func lateReports() throws {
        let tab = Tab(environment: BrowserEnvironment(), now: ContinuousClock().now) { Counter() }
        let hidden = Data(#"{"environment":{"hidden":true}}"#.utf8)
        _ = tab.connect(BrowserEnvironment(), page: "old", now: ContinuousClock().now)
        #expect(tab.receive(hidden, from: "old") && tab.screen.application.applicationState == .background)
        _ = tab.connect(BrowserEnvironment(), page: "new", now: ContinuousClock().now)
        #expect(tab.receive(hidden, from: "old") && tab.screen.application.applicationState == .active)
        #expect(tab.receive(hidden, from: "new") && tab.screen.application.applicationState == .background)
    }

    @Test("takes no more tabs than it can hold, but lets go of those without a page")
    func limit() throws {
        for number in 0..<Tabs.limit { #expect(tabs.connect("tab-\(number)", BrowserEnvironment()) != nil) }
        #expect(tabs.connect("one-more", BrowserEnvironment()) == nil)
        tabs.disconnect("tab-7", 1)
        #expect(tabs.connect("one-more", BrowserEnvironment()) != nil)
        #expect(!tabs.receive("tab-7", Data("{}".utf8)))
    }

    @Test("serves every part of its script and of its style sheet, each of them once and in its place")
    func parts() throws {
        let page = try Page(title: "Shop")
        let folder = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        for (kind, names, whole) in [("js", Page.scripts, page.script), ("css", Page.styles, page.style)] {
            let files = folder.filter { $0.pathExtension == kind }
            #expect(files.map { $0.deletingPathExtension().lastPathComponent }.sorted() == names.sorted())
            var rest = whole[...]
            for name in names {
                let file = try #require(files.first { $0.lastPathComponent == "\(name).\(kind)" })
                let text = try String(contentsOf: file, encoding: .utf8)
                let place = try #require(rest.firstRange(of: text))
                rest = rest[place.upperBound...]
            }
        }
        #expect(page.script.hasPrefix("\"use strict\";\n(() => {\n") && page.script.hasSuffix("})();\n"))
    }

    @Test("serves its page under a policy that lets no other script run, and refuses what it does not know")
    func page() async throws {
        let router = TabController(tabs: tabs, page: try Page(title: "<Shop>")).router()
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { response in
                #expect(response.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
                #expect(String(buffer: response.body).contains("<title>&lt;Shop&gt;</title>"))
                #expect(!String(buffer: response.body).contains("<Shop>"))
            }
            try await client.execute(uri: "/app.js", method: .get) { #expect($0.status == .ok) }
            let unknown = "/tabs/0123456789abcdef"
            try await client.execute(uri: "\(unknown)/events", method: .post) { #expect($0.status == .notFound) }
            try await client.execute(uri: "\(unknown)/image/x", method: .get) { #expect($0.status == .notFound) }
            try await client.execute(uri: "/tabs/short/events", method: .post) { #expect($0.status == .badRequest) }
        }
    }
}
