// swift-tools-version: 6.0

import PackageDescription

/// Tests of what only a device or its simulator can show: screens by UIKit and SwiftUI themselves, and decoding by
/// ImageIO.
///
/// It is a package of its own, since the tests of the SDK are compiled against BrowserUIKit.
let package = Package(
    name: "screens",
    platforms: [.iOS(.v15)],
    products: [.library(name: "Screens", targets: ["Screens"])],
    dependencies: [.package(name: "placard", path: "../..")],
    targets: [
        .target(
            name: "Screens",
            dependencies: [
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
            ]
        ),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "Screens",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
