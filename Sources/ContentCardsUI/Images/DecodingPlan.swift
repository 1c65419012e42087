#if !os(tvOS)
import Foundation

/// Decides how an image is decoded: no larger than it is shown, and never so large that it endangers the app.
struct DecodingPlan: Equatable {
    /// The most pixels of a file that is decoded at all.
    static let pixelLimit = 100_000_000.0
    /// The longest side that a texture may have, in pixels.
    static let sideLimit = 4096.0
    /// The most bytes that the frames of an animation may take; a longer one is made smaller.
    static let animationLimit = 32_000_000.0
    /// The most frames of an animation; of a longer one, the first is shown.
    static let frameLimit = 600
    /// The most pixels of all frames of an animation's file, each of which is decoded as a whole, however small it is
    /// shown; of a larger one, the first frame is shown.
    static let animationPixelLimit = 500_000_000.0

    /// The longest side of each frame, in pixels.
    let longestSide: Int
    /// The number of frames that are decoded.
    let frames: Int

    /// Plans for a file.
    ///
    /// - Parameters:
    ///   - size: the size of the file's image as it is shown, in pixels.
    ///   - frames: the number of its frames.
    ///   - width: the width that it is shown in, in pixels.
    init?(size: CGSize, frames: Int, width: Int) {
        let (wide, high) = (Double(size.width), Double(size.height))
        guard wide >= 1, high >= 1, wide * high <= Self.pixelLimit, frames > 0, width > 0 else { return nil }
        var scale = min(1, Double(width) / wide, Self.sideLimit / max(wide, high))
        let pixels = wide * high * Double(frames)
        var isAnimated = frames > 1 && frames <= Self.frameLimit && pixels <= Self.animationPixelLimit
        let bytes = pixels * scale * scale * 4
        if isAnimated, bytes > Self.animationLimit {
            let smaller = scale * (Self.animationLimit / bytes).squareRoot()
            // One that would have to be shown at less than a third of its place says more as a still image.
            isAnimated = smaller * 3 >= scale
            if isAnimated { scale = smaller }
        }
        // safe: between nothing and the limit of a side
        longestSide = max(1, Int((max(wide, high) * scale).rounded()))
        self.frames = isAnimated ? frames : 1
    }
}

/// Says how often each frame of an animation follows itself, where all frames are shown for the same time.
struct AnimationTiming: Equatable {
    /// The most steps of an animation; beyond that all frames are shown for the same time.
    private static let stepLimit = 2_000

    /// The number of steps for which each frame is shown.
    let steps: [Int]
    /// The duration of the whole animation, in seconds.
    let duration: Double

    /// Takes the seconds of each frame.
    ///
    /// Less than 0.02 seconds, and what is no number, count as 0.1, as in browsers; more than a minute counts as one.
    init(delays: [Double?]) {
        let hundredths = delays.map { delay -> Int in
            guard let delay, delay.isFinite, delay >= 0.02 else { return 10 }
            // safe: at most a minute
            return Int((min(delay, 60) * 100).rounded())
        }
        let unit = hundredths.reduce(0) { Self.divisor($0, $1) }
        let all = hundredths.reduce(0, +)
        duration = Double(all) / 100
        // safe: is asked only where the unit is above 0
        let isFine = unit > 0 && all / unit <= Self.stepLimit
        // safe: is asked only where the unit is above 0
        steps = isFine ? hundredths.map { $0 / unit } : hundredths.map { _ in 1 }
    }

    private static func divisor(_ one: Int, _ other: Int) -> Int {
        var (one, other) = (one, other)
        // safe: the divisor is not 0
        while other != 0 { (one, other) = (other, one % other) }
        return one
    }
}
#endif
