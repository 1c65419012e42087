import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("The view of an image", .timeLimit(.minutes(1)))
struct CardImageViewTests {
    private let images = ScriptedImages()
    private let loader: CardImageLoader
    private let view = CardImageView(frame: .zero)
    private let first: URL
    private let second: URL

    init() throws {
        loader = CardImageLoader(fetcher: images, directory: nil)
        first = try #require(URL(string: "https://images.example/1.png"))
        second = try #require(URL(string: "https://images.example/2.png"))
    }

    private func image(_ width: UInt8) throws -> UIImage {
        try #require(UIImage(data: ScriptedImages.image(width, 10)))
    }

    /// Has a view ask the test for its images, and returns what it has asked for: an address, and what to call.
    private func takeOver() -> Guarded<[(url: URL, finish: @MainActor (UIImage?) -> Void)]> {
        let asked = Guarded<[(url: URL, finish: @MainActor (UIImage?) -> Void)]>([])
        view.setter = { _, url, finish in asked.change { $0.append((url, finish)) } }
        return asked
    }

    @Test("shows a placeholder while the image loads and where none comes, in place of an indicator and a button")
    func placeholder() throws {
        let asked = takeOver()
        let placeholder = try image(3)
        view.placeholder = placeholder
        view.show(first, from: loader)
        #expect(view.state == .loading)
        #expect(view.image === placeholder)
        #expect(!view.indicator.isAnimating)
        asked.value[0].finish(nil)
        #expect(view.state == .failed)
        #expect(view.image === placeholder)
        #expect(view.retryButton.isHidden)
        view.retry()
        let loaded = try image(9)
        try #require(asked.value.count == 2)
        asked.value[1].finish(loaded)
        #expect(view.image === loaded)
        // The card lies behind what is transparent in it.
        #expect(view.state == .shown && view.backgroundColor == nil)
    }

    @Test("turns an indicator while the image loads, and offers to try again where none comes")
    func withoutPlaceholder() throws {
        let asked = takeOver()
        view.show(first, from: loader)
        #expect(view.indicator.isAnimating)
        #expect(view.retryButton.isHidden)
        asked.value[0].finish(nil)
        #expect(!view.indicator.isAnimating)
        #expect(!view.retryButton.isHidden)
        #expect(view.image == nil)
        #expect(view.backgroundColor != nil)
        view.show(nil, from: loader)
        #expect(view.state == .empty)
        #expect(view.retryButton.isHidden)
        #expect(view.backgroundColor == nil)
    }

    @Test("takes no answer to what it no longer asks for, whichever order answers come in")
    func lateAnswers() throws {
        let asked = takeOver()
        var sizes: [CGFloat] = []
        view.onImage = { sizes.append($0.width) }
        view.show(first, from: loader)
        view.show(second, from: loader)
        #expect(asked.value.map(\.url) == [first, second])
        asked.value[1].finish(try image(2))
        asked.value[0].finish(try image(1))
        #expect(view.image?.size.width == 2)
        #expect(sizes == [2])
        view.clear()
        asked.value[1].finish(try image(2))
        #expect(view.image == nil)
        #expect(view.state == .empty)
        #expect(sizes == [2])
    }

    @Test("asks once for an image that it shows or waits for, and again for one that has failed")
    func again() throws {
        let asked = takeOver()
        view.show(first, from: loader)
        view.show(first, from: loader)
        #expect(asked.value.count == 1)
        view.retry()
        #expect(asked.value.count == 1, "It has not failed yet.")
        asked.value[0].finish(nil)
        view.show(first, from: loader)
        #expect(asked.value.count == 2)
        asked.value[1].finish(try image(4))
        view.show(first, from: loader)
        view.retry()
        #expect(asked.value.count == 2)
        #expect(view.state == .shown)
    }

    @Test("shows an image that is in memory at once, and takes it from there only where it is wide enough")
    func memory() async throws {
        async let kept = loader.image(for: first, width: 100)
        while await images.requests.isEmpty { await Task.yield() }
        await images.finish(first, with: ScriptedImages.image(50, 10))
        #expect(await kept != nil)
        view.greatestWidth = 1_000
        view.show(first, from: loader)
        #expect(view.state == .loading)
        view.clear()
        view.greatestWidth = 20
        var states: [CardImageView.State] = []
        view.onState = { states.append($0) }
        view.show(first, from: loader)
        #expect(states == [.shown])
    }

    @Test("counts a width that can't be meant as the usual one")
    func widths() {
        for points in [0, -1, .nan, .infinity, 1e300] as [CGFloat] {
            #expect(CardImageLoader.pixels(points, scale: 2) == CardImageLoader.usualWidth, "\(points)")
        }
        #expect(CardImageLoader.pixels(100.2, scale: 2) == 201)
        #expect(CardImageLoader.pixels(100, scale: 0) == 100)
    }
}
