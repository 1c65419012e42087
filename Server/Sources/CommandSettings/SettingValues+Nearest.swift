extension SettingValues.Setting {
    /// The number of bytes of a name that is compared; a longer one is no slip.
    private static let longest = 64

    /// Returns the setting whose name is nearest to another, which is most likely meant, or `nil` where none is near.
    package static func nearest(to name: String) -> SettingValues.Setting? {
        let bytes = Array(name.utf8.prefix(longest))
        let found = allCases.map { (setting: $0, distance: distance(bytes, Array($0.rawValue.utf8))) }
            .min { $0.distance < $1.distance }
        guard let found, found.distance <= max(1, min(3, bytes.count / 2)) else { return nil }
        return found.setting
    }

    /// Returns the setting whose variable of the environment is nearest to another, or `nil` where none is near.
    package static func nearest(toVariable name: String) -> SettingValues.Setting? {
        nearest(to: String(decoding: name.utf8.dropFirst("PLACARD_".utf8.count), as: UTF8.self).lowercased())
    }

    // safe: places in short names, and counts of them
    /// Returns how many bytes are to be added, left out or replaced.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in second.enumerated() {
                let above = row[place + 1]
                row[place + 1] = min(above + 1, row[place] + 1, diagonal + (byte == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[second.count]
    }
}
