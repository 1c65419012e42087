/// A QR code of some text: ISO 18004 in byte mode, error correction M, versions 1 to 10 (up to 213 bytes).
struct QRCode {
    private struct Version {
        let number: Int
        let correction: Int
        let blocks: [Int]
        let centres: [Int]

        var size: Int { 17 + 4 * number }
        var capacity: Int { blocks.reduce(0, +) }
    }

    private static let versions = [
        Version(number: 1, correction: 10, blocks: [16], centres: []),
        Version(number: 2, correction: 16, blocks: [28], centres: [6, 18]),
        Version(number: 3, correction: 26, blocks: [44], centres: [6, 22]),
        Version(number: 4, correction: 18, blocks: [32, 32], centres: [6, 26]),
        Version(number: 5, correction: 24, blocks: [43, 43], centres: [6, 30]),
        Version(number: 6, correction: 16, blocks: [27, 27, 27, 27], centres: [6, 34]),
        Version(number: 7, correction: 18, blocks: [31, 31, 31, 31], centres: [6, 22, 38]),
        Version(number: 8, correction: 22, blocks: [38, 38, 39, 39], centres: [6, 24, 42]),
        Version(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37], centres: [6, 26, 46]),
        Version(number: 10, correction: 26, blocks: [43, 43, 43, 43, 44], centres: [6, 28, 50]),
    ]

    private let version: Version
    /// The dark modules, a row a number whose bit of the lowest value is the first column.
    private var rows: [UInt64]
    /// The modules that no mask inverts: patterns, format and version.
    private var fixed: [UInt64]

    // safe: the sizes of a table
    /// Creates the code, or returns `nil` where the text is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let found = Self.versions.first { bytes.count + ($0.number < 10 ? 2 : 3) <= $0.capacity }
        guard let found else { return nil }
        version = found
        rows = Array(repeating: 0, count: found.size)
        fixed = rows
        drawPatterns()
        fill(Self.codewords(bytes, found))
        chooseMask()
    }

    /// The number of modules of a side.
    var size: Int { version.size }

    // safe: what draws the code stays within it
    /// Whether a module is dark; both numbers are from 0 and less than ``size``.
    func isDark(_ row: Int, _ column: Int) -> Bool { rows[row] >> UInt64(column) & 1 == 1 }

    // MARK: Codewords

    private static func codewords(_ bytes: [UInt8], _ version: Version) -> [UInt8] {
        var bits: [Bool] = []
        // safe: a text that fits the version, whose sizes are of a table
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, version.number < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, version.capacity * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            // safe: a multiple of eight bits
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<max(0, version.capacity - data.count) { data.append(index % 2 == 0 ? 0xEC : 0x11) }
        return interleaved(data, version)
    }

    // safe: the blocks of a version are as long as its data
    private static func interleaved(_ data: [UInt8], _ version: Version) -> [UInt8] {
        var (blocks, start) = ([[UInt8]](), 0)
        for length in version.blocks {
            blocks.append(Array(data[start..<start + length]))
            start += length
        }
        let corrections = blocks.map { ReedSolomon.remainder(of: $0, count: version.correction) }
        func columns(_ rows: [[UInt8]]) -> [UInt8] {
            (0..<(rows.map(\.count).max() ?? 0)).flatMap { column in
                rows.compactMap { column < $0.count ? $0[column] : nil }
            }
        }
        return columns(blocks) + columns(corrections)
    }

    // MARK: Drawing

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard rows.indices.contains(row), rows.indices.contains(column) else { return }
        paint(row, column, isDark)
        // safe: 57 columns or fewer
        fixed[row] |= 1 << UInt64(column)
    }

    // safe: within the modules, 57 columns or fewer
    private mutating func paint(_ row: Int, _ column: Int, _ isDark: Bool) {
        let bit: UInt64 = 1 << UInt64(column)
        rows[row] = isDark ? rows[row] | bit : rows[row] & ~bit
    }

    private mutating func drawPatterns() {
        let size = version.size
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            drawSquare(row, column, radius: 4, dark: [0, 1, 3])
        }
        for row in version.centres {
            for column in version.centres where !isCorner(row, column) {
                drawSquare(row, column, radius: 2, dark: [0, 2])
            }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        let last = version.size - 7
        return (row, column) == (6, 6) || (row, column) == (6, last) || (row, column) == (last, 6)
    }

    // safe: within the sizes of a table
    private mutating func drawSquare(_ row: Int, _ column: Int, radius: Int, dark: Set<Int>) {
        for y in -radius...radius {
            for x in -radius...radius { set(row + y, column + x, dark.contains(max(abs(x), abs(y)))) }
        }
    }

    private mutating func drawFormat(mask: Int) {
        let data = mask  // Level M is 00.
        var remainder = data
        // safe: ten bits
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (data << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        let size = version.size
        for index in 0...5 { set(index, 8, bit(index)) }
        set(7, 8, bit(6))
        set(8, 8, bit(7))
        set(8, 7, bit(8))
        for index in 9..<15 { set(8, 14 - index, bit(index)) }
        for index in 0..<8 { set(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { set(size - 15 + index, 8, bit(index)) }
        set(size - 8, 8, true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var remainder = version.number
        // safe: twelve bits
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for index in 0..<18 {
            let (near, far) = (index / 3, version.size - 11 + index % 3)
            set(near, far, bits >> index & 1 == 1)
            set(far, near, bits >> index & 1 == 1)
        }
    }

    // safe: within the sizes of a table
    private mutating func fill(_ codewords: [UInt8]) {
        let size = version.size
        var (index, right) = (0, size - 1)
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                for column in [right, right - 1] {
                    let isUpward = (right + 1) & 2 == 0
                    let row = isUpward ? size - 1 - step : step
                    guard fixed[row] >> UInt64(column) & 1 == 0, index < codewords.count * 8 else { continue }
                    paint(row, column, codewords[index / 8] >> (7 - index % 8) & 1 == 1)
                    index += 1
                }
            }
            right -= 2
        }
    }

    // MARK: Mask

    private mutating func chooseMask() {
        let plain = rows
        var best: (penalty: Int, rows: [UInt64])?
        for mask in 0..<8 {
            rows = plain
            // safe: as many masks as the table has
            for row in rows.indices { rows[row] ^= Self.masks[mask][row] & whole & ~fixed[row] }
            drawFormat(mask: mask)
            let penalty = penalty
            if penalty < best?.penalty ?? .max { best = (penalty, rows) }
        }
        rows = best?.rows ?? plain
    }

    // safe: 57 columns or fewer
    /// A row of dark modules alone.
    private var whole: UInt64 { 1 << UInt64(size) - 1 }

    /// The modules that each of the masks inverts, as rows of the largest version.
    private static let masks = (0..<8).map { mask in
        (0..<57).map { y in
            (0..<57).reduce(UInt64(0)) { row, x in inverts(mask, x, y) ? row | 1 << UInt64(x) : row }
        }
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    // safe: sums of at most 57 by 57 modules
    /// The penalty of a pattern that is hard to read: runs, blocks and a balance far from half.
    private var penalty: Int {
        var (penalty, dark) = (0, 0)
        // Where the last rows were like the one below them; four in a row make a run of five.
        var (alike, runsAbove, pairsAbove) = ([UInt64](repeating: 0, count: 4), UInt64(0), UInt64(0))
        for (index, row) in rows.enumerated() {
            let pairs = ~(row ^ row >> 1) & whole >> 1
            let inRow = pairs & pairs >> 1 & pairs >> 2 & pairs >> 3
            penalty += Self.runPenalty(inRow, before: inRow << 1)
            let above = index == 0 ? 0 : ~(row ^ rows[index - 1]) & whole
            alike[index % 4] = above
            let runs = alike.reduce(whole, &)
            penalty += Self.runPenalty(runs, before: runsAbove)
            penalty += 3 * (pairs & pairsAbove & above & above >> 1).nonzeroBitCount
            (runsAbove, pairsAbove) = (runs, pairs)
            dark += row.nonzeroBitCount
        }
        return penalty + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }

    // safe: as above
    /// Returns the penalty of runs of five or more: three, and one for each module beyond five.
    ///
    /// `fives` says where five modules alike begin, and `before` where those do that began a module earlier.
    private static func runPenalty(_ fives: UInt64, before: UInt64) -> Int {
        fives.nonzeroBitCount + 2 * (fives & ~before).nonzeroBitCount
    }

    // MARK: Picture

    /// The code as SVG, dark on white with the margin that readers need.
    var svg: String {
        let side = size + 8
        var path = ""
        for y in 0..<size {
            for x in 0..<size where isDark(y, x) { path += "M\(x + 4) \(y + 4)h1v1h-1z" }
        }
        let label = localized("QR code for an authenticator app")
        return
            #"<svg class="qr" viewBox="0 0 \#(side) \#(side)" role="img" aria-label="\#(label)">"#
            + ##"<rect width="\##(side)" height="\##(side)" fill="#fff"/><path d="\##(path)" fill="#000"/></svg>"##
    }
}

/// Error correction over GF(256) with the polynomial of QR codes.
private enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        var generator = [UInt8](repeating: 0, count: count)
        generator[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = product(root, 2)
        }
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    // safe: eight bits
    /// The powers of two in the field, and of which power each number is.
    private static let (powers, exponents): ([UInt8], [Int]) = {
        var (powers, exponents, value) = ([UInt8](), [Int](repeating: 0, count: 256), 1)
        for exponent in 0..<255 {
            powers.append(UInt8(value))
            exponents[value] = exponent
            value = value << 1 ^ (value >> 7) * 0x11D
        }
        return (powers, exponents)
    }()

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        guard left != 0, right != 0 else { return 0 }
        // safe: exponents are less than 255
        return powers[(exponents[Int(left)] + exponents[Int(right)]) % 255]
    }
}
