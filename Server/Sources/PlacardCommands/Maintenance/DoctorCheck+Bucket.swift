import CardServer

extension DoctorCheck {
    /// Creates a check of the bucket, by what came of writing, reading and removing an object.
    init(bucket settings: BucketSettings, _ finding: BucketFinding) {
        let (subject, place) = ("bucket", "\(settings.name) at \(settings.authority)")
        switch finding {
        case .good:
            self.init(.good, subject, "\(place) takes, gives and removes objects")
        case .warning(let message):
            self.init(.warning, subject, "\(place): \(message)")
        case .bad(let message):
            self.init(.bad, subject, "\(place) can't be used: \(message)")
        }
    }

    /// Creates a check of pictures that are in a bucket although none is set, or returns `nil` where there are none.
    init?(picturesWithoutBucket count: Int) {
        guard count > 0 else { return nil }
        let pictures = count == 1 ? "1 picture is" : "\(count) pictures are"
        self.init(
            .bad,
            "bucket",
            "\(pictures) in a bucket, and none is set: cards that show them have no image. "
                + "Set media_bucket, or upload the same pictures again."
        )
    }
}
