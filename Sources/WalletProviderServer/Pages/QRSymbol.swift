import CPNG
import CQRencode
public import WalletProvider

/// A QR code of level M in byte mode (ISO/IEC 18004), made by libqrencode.
public struct QRSymbol: Sendable, Equatable {
  /// Modules per side, without the quiet zone.
  public let width: Int
  /// The modules row by row; true is dark.
  public let modules: [Bool]

  /// The width of the light margin, in modules.
  public static let quietZone = 4

  /// - Throws: `SettingsError` for a text that does not fit.
  public init(_ text: String) throws(SettingsError) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, let length = Int32(exactly: bytes.count),
      let code = QRcode_encodeData(length, bytes, 0, QR_ECLEVEL_M)
    else { throw SettingsError("the text does not fit into a QR code") }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    self.width = width
    // The lowest bit of a module is its colour.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map {
      $0 & 1 == 1
    }
  }

  /// The symbol with its quiet zone as a greyscale PNG.
  ///
  /// - Parameter scale: pixels per module, 1 to 64.
  public func png(scale: Int = 8) throws(SettingsError) -> [UInt8] {
    let scale = min(max(scale, 1), 64)
    let side = (width + 2 * Self.quietZone) * scale
    var pixels = [UInt8](repeating: 255, count: side * side)
    for y in 0..<width * scale {
      for x in 0..<width * scale where modules[y / scale * width + x / scale] {
        let (row, column) = (y + Self.quietZone * scale, x + Self.quietZone * scale)
        pixels[row * side + column] = 0
      }
    }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(side)
    image.height = png_uint_32(side)
    // 0 is PNG_FORMAT_GRAY, one byte per pixel.
    image.format = 0
    defer { png_image_free(&image) }
    var size: png_alloc_size_t = 0
    guard png_image_write_to_memory(&image, nil, &size, 0, pixels, 0, nil) != 0 else {
      throw SettingsError("the image could not be made")
    }
    var file = [UInt8](repeating: 0, count: Int(size))
    guard png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, nil) != 0 else {
      throw SettingsError("the image could not be made")
    }
    return Array(file.prefix(Int(size)))
  }
}
