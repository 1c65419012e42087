extension UIImage {
    /// Creates the image of a file among the resources of the app, by its name with or without its ending; `nil` where
    /// there is none.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil, compatibleWith: nil)
    }

    /// Creates the image of a file among the resources of a bundle; `nil` where there is none.
    ///
    /// Browsers have no catalogs of images, and no variants by traits.
    public convenience init?(
        named name: String,
        in bundle: Bundle?,
        compatibleWith traitCollection: UITraitCollection?
    ) {
        guard let (url, scale) = Self.file(named: name, in: bundle ?? .main), let data = try? Data(contentsOf: url)
        else {
            return nil
        }
        self.init(data: data, scale: scale)
    }

    private static func file(named name: String, in bundle: Bundle) -> (URL, CGFloat)? {
        // A name is no path: nothing outside of the bundle is read.
        guard !name.isEmpty, !name.contains("/"), !name.contains("..") else { return nil }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let base = parts.count > 1 ? parts.dropLast().joined(separator: ".") : name
        let endings = parts.count > 1 ? [String(parts[parts.count - 1])] : ["png", "jpg", "jpeg", "gif", "webp"]
        for (suffix, scale) in [("@3x", CGFloat(3)), ("@2x", 2), ("", 1)] {
            for ending in endings {
                if let url = bundle.url(forResource: base + suffix, withExtension: ending) { return (url, scale) }
            }
        }
        return nil
    }
}
