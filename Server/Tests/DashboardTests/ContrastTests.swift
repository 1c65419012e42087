import Foundation
import Testing

@testable import Dashboard

/// Contrasts of the style sheet's tokens beside each other, by WCAG's measure.
struct ContrastTests {
    private static let surfaces = ["paper", "sheet", "raised", "wash", "hover"]
    private static let washes = ["accent-wash", "good-wash", "warn-wash", "bad-wash"]

    /// The colours of a look, by the names of their tokens.
    private struct Look {
        let name: String
        let colours: [String: [Double]]

        /// The ratio of two tokens, from 1 to 21.
        func ratio(_ first: String, _ second: String) throws -> Double {
            let lights = try [first, second].map { Self.light(try #require(colours[$0], "\($0)")) }.sorted()
            return (lights[1] + 0.05) / (lights[0] + 0.05)
        }

        private static func light(_ colour: [Double]) -> Double {
            let parts = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
    }

    /// Light, dark where the system asks for it, and dark where the member does.
    private static func looks() throws -> [Look] {
        let sheet = try #require(AssetFiles(folder: nil).file("dashboard.css"))
        return try looks(of: String(decoding: sheet.bytes, as: UTF8.self))
    }

    private static func looks(of text: String) throws -> [Look] {
        let blocks = text.matches(of: /:root[^{]*\{([^}]*--paper[^}]*)\}/).map { colours(in: String($0.1)) }
        let names = ["light", "dark by the system", "dark by choice"]
        // What a dark look doesn't change is that of the light one. Paper is white in print.
        let first = try #require(blocks.first)
        return zip(names, blocks).map { Look(name: $0, colours: first.merging($1) { $1 }) }
    }

    private static func colours(in block: String) -> [String: [Double]] {
        var colours: [String: [Double]] = [:]
        for match in block.matches(of: /--([a-z0-9-]+): #([0-9a-f]{6}|[0-9a-f]{3});/) {
            let digits = match.2.count == 3 ? match.2.map { "\($0)\($0)" }.joined() : String(match.2)
            guard let number = Int(digits, radix: 16) else { continue }
            colours[String(match.1)] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
        }
        return colours
    }

    private static func expect(_ first: String, on others: [String], atLeast least: Double) throws {
        let looks = try looks()
        #expect(looks.count == 3)
        for look in looks {
            for other in others {
                let ratio = try look.ratio(first, other)
                #expect(ratio >= least, "\(first) on \(other), \(look.name): \(ratio)")
            }
        }
    }

    @Test(arguments: ["ink", "soft", "faint", "link", "accent", "good", "warn", "bad"])
    func `A text can be read on every surface, light and dark`(text: String) throws {
        try Self.expect(text, on: Self.surfaces, atLeast: 4.5)
    }

    @Test(
        arguments: [
            ("ink", washes), ("soft", washes), ("faint", washes), ("link", washes), ("accent", ["accent-wash"]),
            ("good", ["good-wash"]), ("warn", ["warn-wash"]), ("bad", ["bad-wash", "good-wash"]),
            ("on-accent", ["accent"]), ("on-button", ["button", "button-hover"]),
        ]
    )
    func `A text can be read on the colour of its notice, badge or button`(text: String, colours: [String]) throws {
        try Self.expect(text, on: colours, atLeast: 4.5)
    }

    @Test func `The documentation has the dashboard's colours of texts, lines and states`() throws {
        let sheet = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../scripts/lib/docsite/assets/sheets/tokens.css").standardizedFileURL
        let documentation = try Self.looks(of: String(contentsOf: sheet, encoding: .utf8))
        let dashboard = try Self.looks()
        #expect(documentation.count == 3 && dashboard.count == 3)
        let shared = ["soft", "faint", "line", "line-strong", "accent", "accent-wash", "link", "good", "bad"]
        for (site, own) in zip(documentation, dashboard) {
            for token in shared { #expect(site.colours[token] == own.colours[token], "\(token), \(own.name)") }
            for surface in ["paper", "sheet", "wash"] {
                #expect(try site.ratio("line-strong", surface) >= 3, "\(surface), \(site.name)")
            }
        }
    }

    @Test(arguments: ["line-strong", "link", "bad", "s1", "s2", "s3", "s4", "s5", "s6"])
    func `A border of a control, a ring of the focus and a line of a chart stand out`(token: String) throws {
        try Self.expect(token, on: Self.surfaces + Self.washes, atLeast: 3)
    }
}
