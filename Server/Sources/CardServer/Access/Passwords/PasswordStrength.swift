/// The strength of a password, which lists can't guess: the cheapest way to put it together of common words, numbers,
/// keys in a row and repetitions.
///
/// Letters that stand for others (`p@ssw0rd`) count as those, and signs between words count nothing.
struct PasswordStrength {
    /// The cost that a password has to exceed: two words and a number are among those that are tried first.
    private static let threshold = 5
    private static let fewestDifferent = 5
    /// So much of a password is looked at; what is not found out by then is not.
    private static let longest = 200

    private let raw: [Unicode.Scalar]
    private let folded: [UInt8]

    init(_ password: String) {
        raw = Array(password.lowercased().unicodeScalars.prefix(Self.longest))
        folded = raw.map(Self.fold)
    }

    /// Whether the password withstands those who know what others choose.
    var isEnough: Bool {
        guard Set(raw).count >= Self.fewestDifferent else { return false }
        let letters = raw.filter { !Self.isSign($0) }
        return [raw, letters].allSatisfy { scalars in
            let unit = Array(Self.repeated(scalars))
            return Self.cost(of: unit, folded: unit.map(Self.fold)) > Self.threshold
        }
    }

    /// Whether a word is part of the password, with or without letters that stand for others.
    func contains(_ word: String) -> Bool {
        let letters = Self.letters(word.lowercased().unicodeScalars.map(Self.fold))
        let own = Self.letters(folded)
        guard letters.count >= 4, letters.count <= own.count else { return false }
        // safe: no longer than the own ones
        return (0...own.count - letters.count).contains { own[$0..<$0 + letters.count].elementsEqual(letters) }
    }

    // MARK: Letters that stand for others

    /// The letter or digit that is meant, `_` for a sign, and 0 for what is no ASCII.
    private static func fold(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar {
        case "@", "4": UInt8(ascii: "a")
        case "$", "5": UInt8(ascii: "s")
        case "0": UInt8(ascii: "o")
        case "1", "!", "|", "l": UInt8(ascii: "i")
        case "3": UInt8(ascii: "e")
        case "7": UInt8(ascii: "t")
        case "a"..."z", "0"..."9": UInt8(ascii: scalar)
        default: scalar.isASCII ? UInt8(ascii: "_") : 0
        }
    }

    private static func letters(_ folded: [UInt8]) -> [UInt8] { folded.filter { $0 != UInt8(ascii: "_") && $0 != 0 } }

    private static let words = Set(CommonWords.all.map { $0.map { fold(Unicode.Scalar($0)) } })

    // MARK: The cheapest way

    /// Returns the part that is repeated, where the whole is nothing but a repetition.
    private static func repeated(_ raw: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        let length = (1...max(1, raw.count / 2)).first { length in
            raw.indices.dropFirst(length).allSatisfy { raw[$0] == raw[$0 - length] }
        }
        // safe: half of it at most
        return raw.prefix(length ?? raw.count)
    }

    // safe: a step ends within the password; costs are few halves of words
    /// The cost in halves of a word; more than the threshold is not told apart.
    private static func cost(of raw: [Unicode.Scalar], folded: [UInt8]) -> Int {
        var costs = [Int](repeating: .max, count: raw.count + 1)
        costs[0] = 0
        for start in raw.indices where costs[start] <= threshold {
            for (length, cost) in steps(from: start, raw, folded) {
                costs[start + length] = min(costs[start + length], costs[start] + cost)
            }
        }
        return costs[raw.count]
    }

    // safe: a step ends within the password
    /// Returns the steps that can come next, with their lengths and costs.
    private static func steps(
        from start: Int,
        _ raw: [Unicode.Scalar],
        _ folded: [UInt8]
    ) -> [(length: Int, cost: Int)] {
        let scalar = raw[start]
        let isDigit = ("0"..."9").contains(scalar)
        var steps = [(length: 1, cost: isSign(scalar) ? 0 : isDigit ? 1 : 2)]
        let digits = raw[start...].prefix(4).prefix { ("0"..."9").contains($0) }
        if digits.count >= 2 { steps.append((2, 1)) }
        if digits.count == 4, isYear(digits) { steps.append((4, 1)) }
        let sequence = sequenceLength(raw[start...])
        if sequence >= 3 { steps += (3...sequence).map { (length: $0, cost: 1) } }
        let walk = KeyboardWalks.length(at: start, of: raw)
        if walk >= 3 { steps += (3...walk).map { (length: $0, cost: 1) } }
        for length in 2...max(2, CommonWords.longest) where start + length <= folded.count {
            guard words.contains(Array(folded[start..<start + length])) else { continue }
            steps.append((length, length < 4 ? 1 : 2))
        }
        return steps
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && !("a"..."z").contains(scalar) && !("0"..."9").contains(scalar)
    }

    private static func isYear(_ digits: ArraySlice<Unicode.Scalar>) -> Bool {
        let century = String(String.UnicodeScalarView(digits.prefix(2)))
        return century == "19" || century == "20"
    }

    // safe: scalars end at 0x10FFFF
    /// Returns the number of scalars that follow each other in one direction, or are the same.
    private static func sequenceLength(_ raw: ArraySlice<Unicode.Scalar>) -> Int {
        let values = raw.map { Int($0.value) }
        guard values.count >= 2, abs(values[1] - values[0]) <= 1 else { return 1 }
        let step = values[1] - values[0]
        let end = values.indices.dropFirst().first { values[$0] - values[$0 - 1] != step }
        return end ?? values.count
    }
}

/// Keys that lie side by side, on keyboards of several countries.
enum KeyboardWalks {
    private static let rows: [[Unicode.Scalar]] = [
        "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn",
        "1234567890", "!@#$%^&*()_+", "!\"§$%&/()=?", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
        "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qawsedrftgyhujikolp", "qazwsxedcrfvtgbyhnujm",
        "azsxdcfvgbhnjmk", "zaqxswcdevfrbgtnhymju", "147258369", "159753", "789456123",
    ].flatMap { row in
        let scalars = Array(row.unicodeScalars)
        return [scalars, scalars.reversed()]
    }

    /// Returns the number of keys from a place on that are a part of a walk.
    static func length(at start: Int, of raw: [Unicode.Scalar]) -> Int {
        var longest = 0
        for row in rows {
            for offset in row.indices where row[offset] == raw[start] {
                let both = zip(row[offset...], raw[start...])
                longest = max(longest, both.prefix { $0 == $1 }.count)
            }
        }
        return longest
    }
}
