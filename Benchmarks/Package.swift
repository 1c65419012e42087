// swift-tools-version: 6.2

import PackageDescription

/// What the benchmarks compare with, and the SDK's own measurements.
///
/// `make bench` runs them.
let package = Package(
    name: "placard-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "placard", path: ".."),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "hello",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(name: "sdk", dependencies: [.product(name: "ContentCards", package: "placard")]),
    ],
    swiftLanguageModes: [.v6]
)
