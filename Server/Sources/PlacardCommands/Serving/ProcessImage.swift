import ArgumentParser
import CardModel
import CardServer
import Foundation
import ImageWorker

/// The command that the server runs to process one picture.
struct ProcessImage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ImageSubprocess.command,
        abstract: "Processes a picture from standard input.",
        shouldDisplay: false
    )

    @Argument var format: String
    @Argument var widths: String
    @Argument var crop: String?

    func run() throws {
        guard let format = ImageFormat(rawValue: format) else { throw ValidationError("The format is unknown.") }
        let widths = widths.split(separator: ",").compactMap { Int32($0) }
        let crop = crop.flatMap { ImageCrop($0) }
        guard !widths.isEmpty, (crop == nil) == (self.crop == nil) else {
            throw ValidationError("Widths and a crop are expected.")
        }
        throw ExitCode(Self.process(format, widths, crop))
    }

    private static func process(_ format: ImageFormat, _ widths: [Int32], _ crop: ImageCrop?) -> Int32 {
        format.rawValue.withCString { format in
            widths.withUnsafeBufferPointer { widths in
                var job = placard_image_job()
                job.format = format
                job.widths = widths.baseAddress
                job.width_count = Int32(clamping: widths.count)
                if let crop {
                    job.crop_left = Int32(clamping: crop.left)
                    job.crop_top = Int32(clamping: crop.top)
                    job.crop_width = Int32(clamping: crop.width)
                    job.crop_height = Int32(clamping: crop.height)
                }
                return placard_image_worker_run(&job)
            }
        }
    }
}
