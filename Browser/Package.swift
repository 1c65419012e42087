// swift-tools-version: 6.2

import PackageDescription

/// Shows an app made of `BrowserUIKit` views in a browser.
///
/// A package of its own, so that the SDK depends on nothing.
let package = Package(
    name: "placard-browser",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "BrowserHost", targets: ["BrowserHost"]),
        .executable(name: "feed-example", targets: ["FeedExample"]),
        .executable(name: "customized-example", targets: ["CustomizedExample"]),
        .executable(name: "kit-example", targets: ["KitExample"]),
    ],
    dependencies: [
        .package(name: "placard", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        .target(
            name: "BrowserHost",
            dependencies: [
                .product(name: "BrowserUIKit", package: "placard"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            resources: [.copy("Page")]
        ),
        .testTarget(
            name: "BrowserHostTests",
            dependencies: ["BrowserHost", .product(name: "HummingbirdTesting", package: "hummingbird")]
        ),
        .executableTarget(
            name: "FeedExample",
            dependencies: [
                "BrowserHost",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsTesting", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
            ],
            resources: [.copy("Images")]
        ),
        .executableTarget(name: "KitExample", dependencies: ["BrowserHost"]),
        .executableTarget(
            name: "CustomizedExample",
            dependencies: [
                "BrowserHost",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsTesting", package: "placard"),
                .product(name: "ContentCardsABK", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
            ],
            resources: [.copy("Images")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
