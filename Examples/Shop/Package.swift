// swift-tools-version: 6.0

import PackageDescription

/// The demo app: an ordinary UIKit app that also runs in a browser.
let package = Package(
    name: "shop",
    platforms: [.iOS(.v15), .macOS(.v14)],
    products: [
        .library(name: "ShopApp", targets: ["ShopApp"]),
        .executable(name: "shop", targets: ["shop"]),
        .executable(name: "shop-screens", targets: ["shop-screens"]),
    ],
    dependencies: [
        .package(name: "placard", path: "../.."),
        .package(name: "placard-browser", path: "../../Browser"),
    ],
    targets: [
        .target(
            name: "ShopApp",
            dependencies: [
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
                .product(name: "BrowserUIKit", package: "placard", condition: .when(platforms: [.linux, .macOS])),
            ],
            resources: [.copy("Assets")]
        ),
        .executableTarget(
            name: "shop",
            dependencies: [
                "ShopApp",
                .product(
                    name: "BrowserHost",
                    package: "placard-browser",
                    condition: .when(platforms: [.linux, .macOS])
                ),
            ]
        ),
        .executableTarget(
            name: "shop-screens",
            dependencies: [
                "ShopApp",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsTesting", package: "placard"),
                .product(
                    name: "BrowserHost",
                    package: "placard-browser",
                    condition: .when(platforms: [.linux, .macOS])
                ),
            ],
            path: "Sources/ShopScreens"
        ),
        .testTarget(
            name: "ShopAppTests",
            dependencies: ["ShopApp", .product(name: "ContentCardsTesting", package: "placard")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
