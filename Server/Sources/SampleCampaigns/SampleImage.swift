/// Images small enough to stand in a card themselves: the samples need no network.
enum SampleImage {
    /// A warm gradient, four times as wide as high.
    static let wide =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAACCAMAAABSSm3fAAAABlBMVEX/eFDwPG4vMfDfAAAADklEQVR42mNggAFGKAAAADYACXFdcmcAAAAASUVORK5CYII="
    /// A blue gradient, 4 to 3.
    static let blue =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAMAAACDKl70AAAACVBMVEUobtxQm+t4yPq8x7WgAAAAEUlEQVR42mNgAAFGIGBgAgIAAEEADf+q9lUAAAAASUVORK5CYII="
    /// A green gradient to be stretched to any shape.
    static let green =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAECAMAAAB4BqUIAAAADFBMVEU8tHguoG4hjGQUeFpuJKaXAAAAEElEQVR42mNgYGBkYGJgBgAAFgAHSh2CxgAAAABJRU5ErkJggg=="
}
