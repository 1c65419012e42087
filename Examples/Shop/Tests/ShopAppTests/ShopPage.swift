import BrowserUIKit
import Foundation
import Testing

/// Does what the script of a browser's page does, without a browser: keeps the elements, and reports what a user does.
@MainActor
final class ShopPage {
    struct Element {
        var attributes: [String: String] = [:]
        var style: [String: String] = [:]
        var text = ""
        var children: [String] = []
    }

    private let screen: BrowserScreen
    private var elements: [String: Element] = [:]
    private var root = ""

    init(_ controller: UIViewController) {
        screen = BrowserScreen { controller }
        screen.send = { [weak self] in self?.apply($0) }
        screen.sendAll()
    }

    private struct Message: Decodable {
        struct Change: Decodable {
            var i: String
            var n: String?
            var a: [String: String?]?
            var s: [String: String?]?
            var t: String?
            var c: [String]?
        }
        struct Diff: Decodable {
            var p: [Change]
            var d: [String]
        }
        var reset: Bool?
        var root: String?
        var diff: Diff?
    }

    private func apply(_ data: Data) {
        guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return }
        if message.reset == true { elements = [:] }
        root = message.root ?? root
        for change in message.diff?.p ?? [] {
            var element = change.n == nil ? elements[change.i] ?? Element() : Element()
            for (name, value) in change.a ?? [:] { element.attributes[name] = value }
            for (name, value) in change.s ?? [:] { element.style[name] = value }
            element.text = change.t ?? element.text
            element.children = change.c ?? element.children
            elements[change.i] = element
        }
        for id in message.diff?.d ?? [] { elements[id] = nil }
    }

    // MARK: Looking

    func draw() {
        screen.drawIfNeeded()
    }

    /// The elements from the first to the last.
    private var ids: [String] {
        var found: [String] = []
        func walk(_ id: String) {
            found.append(id)
            for child in elements[id]?.children ?? [] { walk(child) }
        }
        walk(root)
        return found
    }

    private var shown: [Element] {
        draw()
        return ids.compactMap { elements[$0] }
    }

    private func isNamed(_ id: String, _ name: String) -> Bool {
        guard let element = elements[id] else { return false }
        return element.text == name || element.attributes["data-testid"] == name
            || element.attributes["aria-label"] == name
    }

    private func firstID(_ name: String) -> String? { ids.first { isNamed($0, name) } }

    /// The texts from the first to the last.
    var texts: [String] { shown.map(\.text).filter { !$0.isEmpty } }

    /// The test IDs that begin with a text, in their order.
    func identifiers(_ prefix: String) -> [String] { values(of: "data-testid").filter { $0.hasPrefix(prefix) } }

    /// The first element of a text, a test ID or a label.
    subscript(name: String) -> Element? {
        draw()
        return firstID(name).flatMap { elements[$0] }
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    /// The labels of the elements of a test ID.
    func labels(of identifier: String) -> [String] {
        shown.filter { $0.attributes["data-testid"] == identifier }.map { $0.attributes["aria-label"] ?? "" }
    }

    /// The values of an attribute of all elements.
    func values(of attribute: String) -> [String] { shown.compactMap { $0.attributes[attribute] } }

    /// The look that the whole page is forced to; `nil` for that of the system.
    var scheme: String? {
        draw()
        return elements[root]?.style["color-scheme"]
    }

    // MARK: Using

    /// Taps what has a name, as a finger would: the nearest element around it that can be tapped.
    func tap(_ name: String, _ index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) {
        draw()
        var parents: [String: String] = [:]
        for (id, element) in elements { for child in element.children { parents[child] = id } }
        let targets = ids.filter { isNamed($0, name) }.compactMap { id in
            var next: String? = id
            while let id = next, elements[id]?.attributes["data-tap"] == nil { next = parents[id] }
            return next
        }
        guard targets.indices.contains(index) else {
            Issue.record("Nothing called \(name) can be tapped.", sourceLocation: sourceLocation)
            return
        }
        report(targets[index], #""k":"tap""#)
    }

    /// Taps what has a name although the page offers no tap.
    func force(_ name: String) {
        if let id = firstID(name) { report(id, #""k":"tap""#) }
    }

    func type(_ text: String, into name: String) throws {
        let id = try #require(firstID(name))
        report(id, #""k":"focus""#)
        let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        report(id, #""k":"text","t":\#(json),"f":true"#)
    }

    /// Moves a finger on what has a name to the side, by some points, and lets go of it.
    func swipe(_ name: String, by way: Int, end: String = "ended") throws {
        let id = try #require(firstID(name))
        let place = #""k":"touch","y":10,"sx":300,"sy":10"#
        for step in [way / 2, way] {
            report(id, place + #","x":\#(300 + step),"p":"moved","b":\#(step == way / 2)"#)
        }
        report(id, place + #","x":\#(300 + way),"p":"\#(end)""#)
    }

    func pull() throws {
        let id = try #require(ids.first { elements[$0]?.attributes["data-refresh"] != nil })
        report(id, #""k":"refresh""#)
    }

    /// Says what of each list is on screen, with all rows of tables 80 points high.
    func measure(height: Int = 844) {
        draw()
        let ids = ids
        let cells = ids.filter { elements[$0]?.attributes["class"]?.split(separator: " ").contains("cell") ?? false }
        let rows = cells.map { #""\#($0)":80"# }.joined(separator: ",")
        for id in ids where elements[id]?.attributes["data-scroll"] != nil {
            report(id, #""k":"scroll","y":0,"w":390,"h":\#(height),"c":2000,"r":{\#(rows)}"#)
        }
    }

    /// Puts the page into other surroundings.
    func change(_ environment: String) {
        screen.receive(Data(#"{"environment":\#(environment)}"#.utf8))
    }

    private func report(_ id: String, _ fields: String) {
        screen.receive(Data(#"{"events":[{"i":"\#(id)",\#(fields)}]}"#.utf8))
    }
}
