import CardModel
import Testing

/// Pictures of which there is nothing but the header, at the limits of what can be uploaded.
struct PictureLimitTests {
    private func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    private func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func png(_ width: Int, _ height: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        bytes += big(width)
        bytes += big(height)
        bytes += [8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array("IEND".utf8)
        bytes += [0xAE, 0x42, 0x60, 0x82]
        return bytes
    }

    private func gif(_ width: Int, _ height: Int, frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 3, 0, 0, 2, 2, 0x4C, 1, 0]
        var bytes = Array("GIF89a".utf8)
        bytes += little(width, 2)
        bytes += little(height, 2)
        bytes += [0, 0, 0]
        for _ in 0..<frames { bytes += frame }
        bytes.append(0x3B)
        return bytes
    }

    private func webp(_ width: Int, _ height: Int, frames: Int) -> [UInt8] {
        var chunks = Array("VP8X".utf8)
        chunks += little(10, 4)
        chunks += [2, 0, 0, 0]
        chunks += little(width - 1, 3)
        chunks += little(height - 1, 3)
        for _ in 0..<frames { chunks += Array("ANMF".utf8) + little(0, 4) }
        var bytes = Array("RIFF".utf8)
        bytes += little(chunks.count + 4, 4)
        bytes += Array("WEBP".utf8)
        return bytes + chunks
    }

    private func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        // Markers may have any number of bytes 0xFF before them.
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 3, 0x41, 0xFF, 0xFF, 0xFF, 0xC2, 0, 11, 8]
        bytes += big(height).suffix(2)
        bytes += big(width).suffix(2)
        bytes += [1, 1, 0x11, 0]
        return bytes
    }

    private func refusal(_ bytes: [UInt8]) -> ImageError? {
        do throws(ImageError) {
            _ = try PictureHeader(of: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (1, 1, nil), (ImageLimits.side, 1, nil), (1, ImageLimits.side, nil), (10_000, 5_000, nil),
            (ImageLimits.side, 3_051, nil), (ImageLimits.side, 3_052, .tooManyPixels),
            (10_000, 5_001, .tooManyPixels), (ImageLimits.side + 1, 1, .tooManyPixels),
            (1, ImageLimits.side + 1, .tooManyPixels), (0, 1, .unreadable), (1, 0, .unreadable),
        ] as [(Int, Int, ImageError?)]
    )
    func `A picture has as many pixels as it may have, and not one row more`(
        width: Int,
        height: Int,
        refused: ImageError?
    ) throws {
        #expect(refusal(png(width, height)) == refused)
        #expect(refusal(jpeg(width, height)) == refused)
        #expect(refusal(gif(width, height, frames: 1)) == refused)
        guard width > 0, height > 0 else { return }
        #expect(refusal(webp(width, height, frames: 0)) == refused)
        guard refused == nil else { return }
        let header = try PictureHeader(of: jpeg(width, height))
        #expect(header.width == width && header.height == height && header.frames == 1)
    }

    @Test func `Sides that no memory holds are refused, and end nothing`() {
        for side in [1 << 24, 1 << 31, 0xFFFF_FFFF] { #expect(refusal(png(side, side)) == .tooManyPixels) }
        #expect(refusal(webp(1 << 24, 1 << 24, frames: 300)) == .tooManyPixels)
        #expect(refusal(jpeg(65_535, 65_535)) == .tooManyPixels)
    }

    @Test func `An animation has as many frames and pixels as it may have, and not one frame more`() {
        #expect(refusal(gif(2, 3, frames: 0)) == .unreadable)
        for count in [1, 2, ImageLimits.frames] {
            #expect(refusal(gif(2, 3, frames: count)) == nil && refusal(webp(2, 3, frames: count)) == nil)
        }
        #expect(refusal(gif(2, 3, frames: ImageLimits.frames + 1)) == .tooManyFrames)
        #expect(refusal(webp(2, 3, frames: ImageLimits.frames + 1)) == .tooManyFrames)
        // A hundred million pixels together; a still picture has half of them at most.
        #expect(refusal(gif(10_000, 5_000, frames: 2)) == nil)
        #expect(refusal(gif(10_000, 5_000, frames: 3)) == .tooManyFrames)
        #expect(refusal(webp(1_000, 1_000, frames: 100)) == nil)
        #expect(refusal(webp(1_000, 1_000, frames: 101)) == .tooManyFrames)
    }

    @Test func `A file has as many bytes as it may have, and not one more`() {
        let picture = png(2, 3)
        let rest = [UInt8](repeating: 0, count: ImageLimits.bytes - picture.count)
        #expect(refusal(picture + rest) == nil)
        #expect(refusal(picture + rest + [0]) == .tooManyBytes)
    }

    @Test func `A picture that is cut off anywhere is refused, or read as what it is`() {
        for bytes in [gif(2, 3, frames: 2), webp(2, 3, frames: 2), jpeg(2, 3), png(2, 3)] {
            for count in 0..<bytes.count {
                let found = try? PictureHeader(of: Array(bytes.prefix(count)))
                #expect(found.map { $0.width == 2 && $0.height == 3 } ?? true, "\(count) bytes")
            }
        }
        for count in 0..<(gif(2, 3, frames: 2).count) {
            #expect(refusal(Array(gif(2, 3, frames: 2).prefix(count))) != nil)
        }
    }
}
