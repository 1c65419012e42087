import BrowserUIKit
import ContentCards
import ContentCardsUI
import Crypto
import Foundation

/// Draws cards as the app shows them, with the app's own cells.
@MainActor
enum PhonePreview {
    /// The settings of the phone.
    struct Look: Sendable {
        var isDark = false
        var textSize = 3
        var language = "en"
        var isRightToLeft = false
        /// The aspect ratio of a picture, which the app goes by where the card says none, with the picture's address.
        var imageRatio: (address: String, ratio: Double)?
    }

    /// A drawing, and the hash of its style sheet for the page's policy.
    struct Drawing: Sendable {
        let html: String
        let styleHash: String
    }

    private static var latest: Task<Drawing, Never>?

    /// Draws the cards, one drawing after the other: cells share the loader of their images, and each drawing has its
    /// own.
    static func draw(
        _ cards: [ContentCard],
        note: PreviewNote? = nil,
        _ look: Look,
        phoneStyle: String
    ) async -> Drawing {
        let earlier = latest
        let drawing = Task {
            _ = await earlier?.value
            return await drawAlone(cards, note, look, phoneStyle: phoneStyle)
        }
        latest = drawing
        return await drawing.value
    }

    private static func drawAlone(
        _ cards: [ContentCard],
        _ note: PreviewNote?,
        _ look: Look,
        phoneStyle: String
    ) async -> Drawing {
        // Images are for the member's browser to load; here each has only a size.
        // They have no pixels, so that none takes memory of another.
        let loader = CardImageLoader(
            fetcher: PlaceholderImages(cards, natural: look.imageRatio),
            directory: nil,
            memoryLimit: 1 << 40
        )
        CardImageLoader.shared = loader
        // As wide as they are, so that a cell of any width finds them in memory and draws them at once.
        for url in cards.compactMap(\.imageURL) { _ = await loader.image(for: url, width: PlaceholderImages.width) }
        var environment = BrowserEnvironment()
        environment.isDark = look.isDark
        environment.textSize = look.textSize
        environment.isRightToLeft = look.isRightToLeft
        environment.language = look.language
        environment.safeArea.top = 14
        // The table makes only the rows that are in the window, and nobody tells it of scrolling here: all of them are.
        environment.height = max(environment.height, CGFloat(cards.count) * 600)
        let screen = BrowserScreen(environment: environment) {
            let feed = CardFeed(cards: cards)
            return UINavigationController(
                rootViewController: ContentCardsTableViewController(source: PreviewFeed(feed))
            )
        }
        // The feed shows its first state in a turn of its own.
        for _ in 0..<3 { await Task.yield() }
        screen.drawIfNeeded()
        let (markup, sheet) = screen.html { bytes, type in
            PlaceholderImages.address(in: bytes) ?? "data:\(type);base64,\(bytes.base64EncodedString())"
        }
        screen.close()
        let scheme = look.isDark ? "dark" : "light"
        let added = note == nil ? "" : PreviewNote.style
        let style = ":root{color-scheme:\(scheme)}html,body{height:100%}\n" + sheet + added
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(localized("Preview"))</title>\
            <link rel="stylesheet" href="\(phoneStyle)"><style>\(style)</style></head>\
            <body class="bare"><main id="stage"><div id="device-frame"><div id="screen">\(markup)</div></div></main>\
            \(PageFormatter.shown(note?.html))</body></html>
            """
        return Drawing(html: html, styleHash: hash)
    }
}

/// Stands in for images on the web: a PNG's head with the size that the card gives, and the address after it.
struct PlaceholderImages: ImageFetching {
    private struct UnknownAddressError: Error {}

    /// The width of each in pixels, more than a phone has.
    static let width = 2_400

    private static let mark = Data("placard-address:".utf8)
    private let ratios: [URL: Double]

    /// Creates stand-ins.
    ///
    /// - Parameters:
    ///   - cards: The cards.
    ///   - natural: The aspect ratio of a picture as the member's browser has measured it.
    init(_ cards: [ContentCard], natural: (address: String, ratio: Double)? = nil) {
        func ratio(_ url: URL) -> Double? { natural?.address == url.absoluteString ? natural?.ratio : nil }
        ratios = Dictionary(
            cards.compactMap { card in
                card.imageURL.map { ($0, card.imageAspectRatio ?? ratio($0) ?? 1.5) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func data(from url: URL, isFresh: Bool) async throws -> Data {
        if url.scheme == "data" {
            guard let comma = url.absoluteString.utf8.firstIndex(of: UInt8(ascii: ",")),
                let data = Data(base64Encoded: String(Substring(url.absoluteString.utf8[comma...].dropFirst())))
            else { throw UnknownAddressError() }
            return data
        }
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else { throw UnknownAddressError() }
        let width = Self.width
        let height = max(1, min(48_000, Int(Int64(nearest: Double(width) / max(0.05, ratios[url] ?? 1.5)))))
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        for number in [width, height] {
            data += Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
        }
        return data + Data([8, 2, 0, 0, 0]) + Self.mark + Data(url.absoluteString.utf8)
    }

    /// The address that a stand-in carries, or `nil` for an image of its own.
    static func address(in bytes: Data) -> String? {
        // safe: found in the bytes
        bytes.range(of: mark).map { String(decoding: bytes[$0.upperBound...], as: UTF8.self) }
    }
}
