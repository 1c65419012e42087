struct Decoded {
    var points: Int64
    var ratio: Double
    var size: Int
}

func decode(_ values: [String: Int64], _ numbers: [Double], _ others: [Int]) -> Decoded {
    let points = values["points"] ?? 0
    let twice = points * 2  // finds: arithmetic
    let less = -points  // finds: arithmetic
    let size = abs(less)  // finds: arithmetic
    let whole = Int64(numbers.first ?? 0)  // finds: conversion
    let byte = UInt8(points)  // finds: conversion
    let share = points / whole  // finds: arithmetic
    let range = 0..<points  // finds: range
    let texts = Array(repeating: "", count: Int(share))  // finds: amount
    let some = numbers.prefix(Int(byte) - 9)  // finds: amount
    let text = others[Int(points)]  // finds: element
    print(twice, range, texts, some, text, numbers.first!)  // finds: trap
    return try! Decoded(points: size, ratio: 0, size: Int(twice))  // finds: trap
}

func grow(_ digits: [UInt8]) -> Int {
    var value = 0
    for digit in digits { value = value * 10 + Int(digit) }  // finds: arithmetic
    return value
}

func wait(_ seconds: Double) -> Duration { .seconds(seconds) }  // finds: conversion

func names(_ pairs: [(String, Int)]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: pairs)  // finds: trap
}

func following(_ bytes: [UInt8], _ place: Int) -> Bool {
    bytes[place + 1] <= 0x9F  // finds: arithmetic element
}

func between(_ from: Int, _ to: Int) -> Range<Int> { from..<to }  // finds: range

func added(_ seconds: [Int64]) -> Int64 {
    var sum: Int64 = 0
    for second in seconds { sum += second }  // finds: arithmetic
    return sum
}

func last(_ points: Int) -> Int {
    var place = 0
    take(&place, points)
    return place + 1  // finds: arithmetic
}

func take(_ place: inout Int, _ points: Int) { place = points }

func following(_ version: VersionDeclaredElsewhere) -> VersionDeclaredElsewhere { version + 1 }  // finds: arithmetic

func opposite(_ version: VersionDeclaredElsewhere) -> VersionDeclaredElsewhere { -version }  // finds: arithmetic

func size(_ version: VersionDeclaredElsewhere) -> VersionDeclaredElsewhere { abs(version) }  // finds: arithmetic

func both<Moment: AdditiveArithmetic>(_ one: Moment, _ other: Moment) -> Moment { one + other }  // finds: arithmetic

func narrowed(_ value: Any) -> Int32? {
    switch value {
    case let number as Int64: Int32(number)  // finds: conversion
    case let number as UInt32: Int32(number)  // finds: conversion
    default: nil
    }
}

extension Int64 {
    var half: Int32 { Int32(self) }  // finds: conversion
}

func doubled(_ texts: [String], _ points: Int64) -> Int64 {
    let all = texts.map { _ in points }
    return all[0] * 2  // finds: arithmetic element
}

protocol Sized {
    var extent: Int { get set }
}

struct Box: Sized {
    var extent = 0

    mutating func grow() { extent += 1 }  // finds: arithmetic
}

func resize(_ sized: inout any Sized, _ points: Int64) { sized.extent = Int(points) }
