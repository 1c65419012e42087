import Foundation

@testable import BrowserUIKit

/// Does what the script of the page does, without a browser: applies messages, and keeps the elements.
@MainActor
final class Page {
    struct Element {
        var tag = ""
        var attributes: [String: String] = [:]
        var style: [String: String] = [:]
        var text = ""
        var children: [String] = []
    }

    let screen: BrowserScreen
    private(set) var elements: [String: Element] = [:]
    private(set) var sizes: [Int] = []
    private(set) var opened: [String] = []
    private(set) var copied: [String] = []
    private(set) var announced: [String] = []

    init(_ environment: BrowserEnvironment = BrowserEnvironment(), root: () -> UIViewController) {
        screen = BrowserScreen(environment: environment, root: root)
        screen.send = { [weak self] in self?.apply($0) }
        screen.sendAll()
        sizes = []
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
        var diff: Diff?
        var open: String?
        var copy: String?
        var announce: String?
    }

    private func apply(_ data: Data) {
        sizes.append(data.count)
        guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return }
        if message.reset == true { elements = [:] }
        if let address = message.open { opened.append(address) }
        if let text = message.copy { copied.append(text) }
        if let text = message.announce { announced.append(text) }
        for change in message.diff?.p ?? [] {
            var element = change.n.map { Element(tag: $0) } ?? elements[change.i] ?? Element()
            for (name, value) in change.a ?? [:] { element.attributes[name] = value }
            for (name, value) in change.s ?? [:] { element.style[name] = value }
            if let text = change.t { element.text = text }
            if let children = change.c { element.children = children }
            elements[change.i] = element
        }
        for id in message.diff?.d ?? [] { elements[id] = nil }
    }

    /// What the page shows must be what the screen believes that it shows.
    var texts: [String] { elements.values.map(\.text).filter { !$0.isEmpty } }

    func id(text: String) -> String? { elements.first { $0.value.text == text }?.key }

    func elements(class name: String) -> [Element] {
        elements.values.filter { $0.attributes["class"]?.split(separator: " ").contains(Substring(name)) ?? false }
    }

    func tap(_ id: String) {
        report(#"{"i":"\#(id)","k":"tap"}"#)
    }

    func report(_ event: String) {
        screen.receive(Data(#"{"events":[\#(event)]}"#.utf8))
    }

    /// Reports a scroll position, with all live rows so high.
    func scroll(_ table: UITableView, to offset: CGFloat, rowHeight: CGFloat, height: CGFloat = 800) {
        let rows = table.live.values.map { #""\#($0.nodeID)":\#(rowHeight)"# }.joined(separator: ",")
        report(
            #"{"i":"\#(table.nodeID).scroll","k":"scroll","y":\#(offset),"w":390,"#
                + #""h":\#(height),"c":9000,"r":{\#(rows)}}"#
        )
    }
}
